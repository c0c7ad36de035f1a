"""`list` and `people`: what there is, and who."""

import json

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from config.listing import FILTERS, LISTS
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, run_model


@pytest.fixture
def run(db, settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    release = make_release(make_suite(by=mira), cascade="none", by=mira)
    return run_model(release, "by_word", name="Words", by=mira)


def listed(capsys, *arguments):
    capsys.readouterr()
    call_command("list", *map(str, arguments), "--json")
    (rows,) = json.loads(capsys.readouterr().out).values()
    return rows


@pytest.mark.parametrize("what", LISTS)
def test_every_list_can_be_read_by_programs_and_by_people(run, capsys, what):
    rows = listed(capsys, what)
    call_command("list", what)
    shown = capsys.readouterr().out
    for row in rows:
        assert str(next(iter(row.values()))) in shown
    if not rows:
        assert shown == f"There are no {what}.\n"


def test_runs_have_their_figures_and_are_filtered(run, capsys):
    (row,) = listed(capsys, "runs", "--release", f"{run.release.suite.key}@latest", "--model", "words")
    assert row["accuracy"] == run.report.values["overall"]["accuracy"]
    assert listed(capsys, "runs", "--suite", "other") == []
    assert listed(capsys, "runs", "--model", "other") == []


def test_the_newest_come_first_and_only_so_many(run, mira, capsys):
    newer = make_release(run.release.suite, "1.1.0", cascade="none", by=mira)
    assert [row["release"] for row in listed(capsys, "releases", "--limit", "1")] == [newer.key]


@pytest.mark.parametrize("what", sorted(set(LISTS) - {name for name, known in FILTERS.items() if "suite" in known}))
def test_a_filter_that_a_list_does_not_know_is_refused(db, what):
    with pytest.raises(CommandError, match="cannot be filtered by --suite"):
        call_command("list", what, "--suite", "small")


def test_a_person_is_invited_and_given_a_role(mira, emil, client, capsys, settings):
    settings.SITE_URL = "http://testserver"
    call_command("people", "invite", "--role", "maintainer", "--json")
    link = json.loads(capsys.readouterr().out)["link"]
    assert client.get(link).status_code == 200
    call_command("people", "grant", emil.email, "--role", "maintainer")
    assert "is maintainer" in capsys.readouterr().out
    assert User.objects.get(pk=emil.pk).is_maintainer
    with pytest.raises(CommandError, match="Nobody has the address"):
        call_command("people", "grant", "nobody@example.org", "--role", "maintainer")
