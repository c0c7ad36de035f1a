"""The example of the library in docs/install.md runs, and what the document names exists."""

import re
from pathlib import Path

from tests.touchstone.releases import small_release
from touchstone.cli import evaluate_parser

ROOT = Path(__file__).resolve().parent.parent.parent
DOCUMENT = (ROOT / "docs" / "install.md").read_text(encoding="utf-8")


def test_the_example_runs(tmp_path, monkeypatch, capsys):
    small_release(tmp_path / "small-1.0.0")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TOUCHSTONE_VAR", str(tmp_path / "var"))
    (example,) = re.findall(r"```python\n(.*?)```", DOCUMENT, re.DOTALL)
    exec(compile(example, "docs/install.md", "exec"), {"__name__": "example"})
    told = capsys.readouterr().out
    assert "True ['derog_h'] 24" in told
    assert "verdict" in told


def test_options_that_the_document_names_exist():
    known = {option for action in evaluate_parser()._actions for option in action.option_strings}
    named = set(re.findall(r"--[a-z0-9][a-z0-9-]+", DOCUMENT)) - {"--demo", "--version", "--index-url"}
    assert named <= known
