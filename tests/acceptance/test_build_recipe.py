"""The recipes of docs/evaluation.md for build servers, as they stand there."""

import re
from pathlib import Path

import pytest
import yaml
from django.core.management import CommandError, call_command

from config.demo import load_demo
from curation.models import Release, TestCase
from tests.curation.releases.factories import cases_of

pytestmark = pytest.mark.django_db
DOCS = (Path(__file__).parents[2] / "docs" / "evaluation.md").read_text(encoding="utf-8")


def documented(language: str, about: str) -> str:
    (found,) = (block for block in re.findall(rf"```{language}\n(.*?)```", DOCS, re.DOTALL) if about in block)
    return found


def test_the_documented_build_makes_the_release_with_the_documented_checksum(shared_data, capsys):
    job = yaml.safe_load(documented("yaml", "cache/restore"))["jobs"]["touchstone"]
    (made,) = (step["run"] for step in job["steps"] if "freeze" in step.get("run", ""))
    checksum = job["env"]["RELEASE_SHA256"]
    for line in made.splitlines():
        words = line.removeprefix("python manage.py ").split()
        if words[0] != "migrate":
            places = {"../hatecheck-data": str(shared_data / "hatecheck"), '"$RELEASE_SHA256"': checksum}
            call_command(*(places.get(word, word) for word in words))
    assert f"hatecheck@1.0.0 is intact: 3728 cases, sha256 {checksum}" in capsys.readouterr().out
    with pytest.raises(CommandError, match="another release"):
        call_command("verify_release", "hatecheck@1.0.0", "--sha256", "0" * 64)


def test_an_exported_release_with_texts_per_gender_is_imported_as_a_copy(tmp_path, settings):
    settings.VAR = tmp_path / "var"
    call_command("load_catalogue")
    load_demo()
    call_command("export_release", "demo@0.1.0", out=tmp_path / "exported")
    cases = str(tmp_path / "exported" / "cases.csv")
    call_command("import_suite", "demo-copy", "--format", "csv", "--path", cases, "--language", "en")
    call_command("freeze", "demo-copy", "--release", "0.1.0", "--min-agree", "0")
    exported, copy = (Release.objects.get(suite__key=key) for key in ("demo", "demo-copy"))
    assert copy.sha256 != exported.sha256
    kept = ("key", "text", "label", "functionality", "targets", "template", "language")
    assert [[getattr(case, name) for name in kept] for case in cases_of(copy)] == [
        [getattr(case, name) for name in kept] for case in cases_of(exported)
    ]
    assert TestCase.objects.filter(suite__key="demo-copy", template__isnull=False).exists()
