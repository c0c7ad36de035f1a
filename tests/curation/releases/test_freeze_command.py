"""Freezing by command: scripts publish as before, people at a terminal say why they publish without documents."""

import json

import pytest
from django.core.management import CommandError, call_command

from curation.models import Release
from tests.curation.releases.factories import make_suite


@pytest.fixture
def suite(db, mira):
    return make_suite(by=mira)


def at_a_terminal(monkeypatch, *, is_one):
    monkeypatch.setattr(
        "curation.management.commands.freeze.sys.stdin", type("In", (), {"isatty": lambda self: is_one})()
    )


def freeze(suite, version="1.0.0", *more):
    call_command("freeze", suite.key, "--release", version, "--min-agree", "0", *more, "--json")


def test_a_script_publishes_and_is_warned(suite, monkeypatch, capsys):
    at_a_terminal(monkeypatch, is_one=False)
    freeze(suite)
    told = json.loads(capsys.readouterr().out)
    assert told["state"] == "published"
    assert any("Credited" in warning for warning in told["warnings"])


def test_at_a_terminal_what_is_missing_is_listed_and_nothing_is_kept(suite, monkeypatch):
    at_a_terminal(monkeypatch, is_one=True)
    with pytest.raises(CommandError, match=r"(?s)not documented yet.*Documented.*Credited.*--undocumented"):
        freeze(suite)
    assert not Release.objects.exists()
    with pytest.raises(CommandError) as refused:
        freeze(suite, "1.0.0", "--authors", "Ada Lovelace")
    assert "Credited" not in str(refused.value)


@pytest.mark.parametrize("option", ["--undocumented", "--reason"])
def test_a_reason_is_kept_with_the_release(suite, monkeypatch, option):
    at_a_terminal(monkeypatch, is_one=True)
    freeze(suite, "1.0.0", option, "A first look, for colleagues only.")
    release = Release.objects.get()
    assert release.facts["published_despite"]["reason"] == "A first look, for colleagues only."


def test_a_candidate_needs_no_reason_and_is_published_by_a_command_of_its_own(suite, monkeypatch, capsys):
    at_a_terminal(monkeypatch, is_one=True)
    freeze(suite, "1.0.0", "--candidate")
    capsys.readouterr()
    call_command("publish", f"{suite.key}@1.0.0", "--reason", "Documents follow.", "--json")
    told = json.loads(capsys.readouterr().out)
    assert (told["release"], told["state"]) == (f"{suite.key}@1.0.0", "published")
    with pytest.raises(CommandError):
        call_command("publish", f"{suite.key}@1.0.0")
