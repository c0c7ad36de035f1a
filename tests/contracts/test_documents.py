"""What the documents name exists: files, folders and modules of ours."""

import importlib.util
import re
from itertools import product
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENTS = sorted([*(ROOT / "docs").glob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
APPS = "accounts|annotation|benchmarks|clients|config|core|curation|evaluation|fixtures|generation|tests|touchstone|ui"
QUOTED = re.compile(r"`([^`\n]+)`")
PATH = re.compile(rf"({APPS})/[\w{{}},./-]*")
MODULE = re.compile(rf"({APPS})(\.\w+)+")


def spelled_out(path: str) -> list[str]:
    """Return every path that `a/{b,c}/d` stands for."""
    parts = [part.strip("{}").split(",") if part.startswith("{") else [part] for part in re.split(r"({[^}]*})", path)]
    return ["".join(choice) for choice in product(*parts)]


def is_template(path: str) -> bool:
    return any((ROOT / path.partition("/")[0] / kind / path).is_file() for kind in ("templates", "static"))


def exists(name: str) -> bool:
    if PATH.fullmatch(name):
        return all((ROOT / path).exists() or is_template(path) for path in spelled_out(name))
    module = name
    while "." in module:  # the last parts may be names inside a module
        if (ROOT / (module.replace(".", "/") + ".py")).is_file() or (ROOT / module.replace(".", "/")).is_dir():
            return True
        module = module.rpartition(".")[0]
    return importlib.util.find_spec(module) is not None and module != name.partition(".")[0]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_files_and_modules_that_a_document_names_exist(document):
    quoted = QUOTED.findall(document.read_text(encoding="utf-8"))
    names = [name for name in quoted if PATH.fullmatch(name) or MODULE.fullmatch(name)]
    assert [name for name in names if not exists(name)] == []
