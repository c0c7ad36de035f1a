"""The command expand_templates."""

import io
import json
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from curation.models import TestCase
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def suite():
    suite = ground.make_suite()
    ground.add_template(suite)
    return suite


def expand(*flags: str) -> dict[str, Any]:
    out = io.StringIO()
    call_command("expand_templates", "written", "--language", "en", "--json", *flags, stdout=out)
    return json.loads(out.getvalue())  # type: ignore[no-any-return]


def test_it_counts_without_making_anything():
    counted = expand("--count")
    assert (counted["total"], counted["by_group"]) == (12, {"Muslims": 6, "women": 6})
    assert not TestCase.objects.exists()


def test_it_makes_a_sample_and_then_the_rest():
    sample = expand("--sample", "4", "--seed", "1")
    assert (sample["generated"], sample["by_group"]) == (4, {"Muslims": 2, "women": 2})
    rest = expand()
    assert (rest["generated"], rest["unchanged"]) == (8, 4)


def test_near_duplicates_are_left_out():
    result = expand("--similarity", "0.6")
    assert result["generated"] + result["near_duplicates"] + result["left_out_for_balance"] == 12
    assert result["near_duplicates"] > 0


def test_it_says_why(capsys):
    with pytest.raises(CommandError, match="No approved template produces a text"):
        call_command("expand_templates", "written", "--language", "de")
    with pytest.raises(CommandError, match="There is no suite"):
        call_command("expand_templates", "nothing")
    with pytest.raises(CommandError, match="has no approved template of"):
        expand("--functionality", "counter_quote_nh")
