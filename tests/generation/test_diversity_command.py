"""The diversity of two sets, by command."""

import json

import pytest
from django.core.management import CommandError, call_command

from generation.diversity.options import DiversityOptions
from generation.diversity.services import compare_sets
from tests.curation.releases.factories import make_suite


@pytest.mark.django_db
def test_the_command_measures_what_the_page_shows(mira, capsys):
    suite = make_suite(by=mira)
    origin = suite.cases.first().origin
    origins = {"first_origin": origin, "second_origin": origin}
    asked = ["--first-origin", origin, "--second-origin", origin]
    expected = compare_sets(DiversityOptions(first_suite=suite.key, second_suite=suite.key, repeats=2, **origins))
    call_command("diversity", suite.key, suite.key, *asked, "--repeats", "2", "--json")
    found = json.loads(capsys.readouterr().out)
    assert [one["values"] for one in found["measures"]] == [one["values"] for one in expected["measures"]]
    call_command("diversity", suite.key, suite.key, *asked, "--repeats", "2")
    assert "self-BLEU" in capsys.readouterr().out


@pytest.mark.django_db
def test_an_unknown_suite_is_named():
    with pytest.raises(CommandError, match="no suite 'other'"):
        call_command("diversity", "other", "other")
