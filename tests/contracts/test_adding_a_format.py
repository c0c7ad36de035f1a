"""The recipe "How to add a format" of docs/architecture.md, followed to the letter in a copy of the source."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
OFFERED = """
import django
django.setup()
from curation.importing.forms import ImportForm, ImportSerializer
print(dict(ImportForm().fields["format"].choices)["lines"], "lines" in ImportSerializer().fields["format"].choices)
"""


def recipe() -> list[str]:
    """The blocks of code of the recipe."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = text.split("## How to add a format\n")[1].split("\n## ")[0]
    return re.findall(r"```python\n(.*?)```", section, re.DOTALL)


@pytest.fixture(scope="module")
def copy(tmp_path_factory) -> Path:
    """The source with the new format; everything else is a link."""
    folder = tmp_path_factory.mktemp("source")
    for path in ROOT.iterdir():
        if path.name not in ("curation", "var", ".git"):
            (folder / path.name).symlink_to(path)
    shutil.copytree(ROOT / "curation", folder / "curation")
    module, naming = recipe()
    formats = folder / "curation" / "formats"
    (formats / "lines.py").write_text(module, encoding="utf-8")
    imported, added = naming.strip().split("\n\n")
    registry = (formats / "registry.py").read_text(encoding="utf-8")
    changed = re.sub(r"^ADDED: .*$", added, registry, flags=re.MULTILINE)
    changed = changed.replace("from curation.formats.mhc", f"{imported}\nfrom curation.formats.mhc")
    assert changed != registry
    (formats / "registry.py").write_text(changed, encoding="utf-8")
    run(folder, "manage.py", "migrate", "--verbosity", "0")
    return folder


def run(folder: Path, *arguments: object, fails: bool = False) -> str:
    env = os.environ | {"TOUCHSTONE_VAR": str(folder / "run"), "DATABASE_URL": "", "PYTHONPATH": str(folder)}
    env["DJANGO_SETTINGS_MODULE"] = "config.settings"
    (folder / "run").mkdir(exist_ok=True)
    del env["DATABASE_URL"]
    done = subprocess.run(
        [sys.executable, *map(str, arguments)], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode != 0) == fails, done.stderr
    return done.stdout + (done.stderr if fails else "")


def test_a_suite_in_the_new_format_is_imported_and_exported(copy, tmp_path):
    file = tmp_path / "greetings.txt"
    file.write_text("ident_pos_nh\tnon-hateful\tI admire you.\nirony\thateful\tHm.\n", encoding="utf-8")
    asked = ["manage.py", "import_suite", "greetings", "--format", "lines", "--path", file, "--json"]
    report = json.loads(run(copy, *asked))
    assert (report["cases"], report["problems"]) == (2, [])
    written = json.loads(run(copy, "manage.py", "export_suite", "greetings", "--out", tmp_path / "out", "--json"))
    assert (written["format"], written["files"]) == ("lines", ["greetings.txt"])
    assert (tmp_path / "out" / "greetings.txt").read_bytes() == file.read_bytes()


def test_what_is_wrong_with_a_file_is_reported_with_its_place(copy, tmp_path):
    file = tmp_path / "broken.txt"
    file.write_text("one\ntwo", encoding="utf-8")
    said = run(copy, "manage.py", "import_suite", "broken", "--format", "lines", "--path", file, fails=True)
    assert "broken.txt, row 2: this is not a case; write a functionality, a label and a text" in said


def test_page_and_api_offer_the_new_format(copy):
    assert run(copy, "-c", OFFERED).strip() == "One case per line True"
