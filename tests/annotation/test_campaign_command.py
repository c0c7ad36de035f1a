"""Campaigns from the command line: made, opened, closed and listed with the options of page and API."""

import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from annotation.campaigns.options import NewCampaignOptions
from annotation.campaigns.services import change_campaign, create_campaign, settings_of
from annotation.models import Campaign
from tests.annotation.factories import label_everything, make_suite, newcomer

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> dict:
    out = StringIO()
    call_command("campaign", *arguments, "--json", stdout=out)
    return json.loads(out.getvalue())


@pytest.fixture
def suite():
    return make_suite(templates=2, per_template=2, raters=2, threshold=2)


def test_it_works_from_the_draft_to_the_verdicts(suite):
    asked = ["--title", "Labels", "--language", "en", "--mode", "crowd", "--no-asks-demographics"]
    made = run("create", "small", *asked, "--skips-times", "5", "--skips-then", "pause", "--origins", "template")
    assert made == {
        "campaign": "labels", "suite": "small", "language": "en", "title": "Labels", "state": "draft", "cases": 4,
    }  # fmt: skip
    campaign = Campaign.objects.get()
    assert campaign.quality_rules == {"skips_in_a_row": {"times": 5, "then": "pause"}}
    assert (campaign.guideline.key, campaign.created_by) == ("en:1", None)
    assert run("open", "labels")["state"] == "open"
    campaign.refresh_from_db()
    label_everything(newcomer(campaign))
    (listed,) = run("list", "small", "--state", "open")["campaigns"]
    assert (listed["labels"], listed["labels_wanted"]) == (4, 8)
    with pytest.raises(CommandError, match="4 labels are missing"):
        run("close", "labels")
    label_everything(newcomer(campaign, 2))
    assert run("close", "labels")["verdicts"] == 4
    assert run("list", "--state", "open") == {"campaigns": []}


def test_people_read_a_sentence(suite):
    out = StringIO()
    call_command("campaign", "create", "small", "--title", "Labels", stdout=out)
    call_command("campaign", "list", stdout=out)
    assert "labels (draft): 4 cases" in out.getvalue()
    assert "labels (draft): 0 of 0 labels, Labels" in out.getvalue()


def test_it_says_why(suite):
    for arguments, says in {
        ("open", "nothing"): "There is no campaign 'nothing'. Known: none yet.",
        ("create", "nowhere", "--title", "x"): "There is no suite 'nowhere'",
        ("create", "small", "--title", "x", "--threshold", "3"): "but each case gets only",
        ("create", "small", "--title", "x", "--checks-times", "3"): "--checks-then: Fill in the whole rule",
    }.items():
        with pytest.raises(CommandError, match=says):
            run(*arguments)
    assert not Campaign.objects.exists()


def test_the_settings_of_a_campaign_are_its_options(suite, mira):
    """What is read back makes the same campaign again, so nothing is lost on a page or between rounds."""
    given = {
        "title": "All", "language": "en", "origins": ["template"], "only_unlabelled": True, "sample": 3,
        "functionalities": ["like_nh"], "targets": ["women"], "keys": ["small-0001-0"], "question": "choice",
        "prompt": "Well?", "labels": ["a", "b"], "binarise_above": 2, "guideline": "en:1", "raters": 4, "threshold": 3,
        "mode": "crowd", "invited_only": False, "group_members_first": True, "platform": "mturk", "per_annotator": 7,
        "batch_size": 5, "lease_minutes": 6, "consent_text": "Yes?", "pass_mark": 0.5, "qualification_tries": 3,
        "asks_demographics": True, "links_demographics": True, "check_every": 9, "checks_times": 1,
        "checks_then": "end",
        "too_fast_milliseconds": 300, "too_fast_times": 2, "too_fast_then": "warn", "skips_times": 4,
        "skips_then": "pause", "pay_unit": "hour", "pay_amount": "12.5", "pay_currency": "USD", "seconds_per_case": 11,
        "completion_code": "C0DE", "completion_url": "https://example.org/done",
    }  # fmt: skip
    assert set(given) | {"suite"} == set(NewCampaignOptions.model_fields)
    made = create_campaign(suite, by=mira, **given)
    made.refresh_from_db()
    wanted = NewCampaignOptions(suite="small", **given).model_dump(exclude={"suite"})
    assert settings_of(made) == wanted
    changed = change_campaign(made, by=mira, title="Same")
    assert settings_of(changed) == wanted | {"title": "Same"}
