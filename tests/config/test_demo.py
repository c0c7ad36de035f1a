"""The demo shows every step with something in it, and a second start changes nothing."""

import json

import pytest
from django.conf import settings
from django.db.models import Count

from annotation.campaigns.models import Role
from annotation.models import Annotation, Campaign, CampaignItem
from config.demo import load_demo
from curation.catalogue.loading import load_catalogue
from curation.models import Release, Template
from curation.releases.verifying import verify_release
from evaluation.models import EvaluationRun


@pytest.fixture
def demo(db) -> None:
    load_catalogue()
    load_demo()


def test_the_demo_goes_from_templates_to_results(demo):
    assert dict(Campaign.objects.values_list("key", "state")) == {
        "demo-en-pilot": "closed",
        "demo-de-pilot": "closed",
        "demo-fr-pilot": "closed",
        "demo-en": "open",
    }
    release = Release.objects.get()
    assert release.state == "published"
    assert verify_release(release).is_intact
    assert release.facts["unlabelled"] == 0
    assert release.facts["excluded_by_reason"]["disagreement"] > 0
    plain, english = (run.report.values for run in EvaluationRun.objects.order_by("id"))
    assert plain["by_language"]["en"]["accuracy"] < english["by_language"]["en"]["accuracy"] < 1
    assert plain["by_language"]["de"]["accuracy"] > english["by_language"]["de"]["accuracy"] > 0


def test_loading_the_demo_again_changes_nothing(demo):
    before = (Campaign.objects.count(), Annotation.objects.count(), EvaluationRun.objects.count())
    load_demo()
    assert (Campaign.objects.count(), Annotation.objects.count(), EvaluationRun.objects.count()) == before
    assert Release.objects.count() == 1


def test_every_template_of_the_demo_has_cases(demo):
    without = Template.objects.annotate(n=Count("cases")).filter(n=0).values_list("key", flat=True)
    assert list(without) == []


def test_every_text_with_a_known_answer_is_in_the_language_of_its_campaign(demo):
    known = CampaignItem.objects.exclude(role=Role.LABEL).select_related("campaign__language", "language")
    assert dict(known.values_list("role").annotate(Count("id"))) == {"training": 8, "test": 8}
    published = json.loads((settings.FIXTURES / "catalogue" / "functionalities.json").read_text(encoding="utf-8"))
    spoken = {row["example"]["text"]: row["example"]["language"] for row in published["functionalities"]}
    for item in known:
        assert spoken[item.text] == item.language.code == item.campaign.language.code
