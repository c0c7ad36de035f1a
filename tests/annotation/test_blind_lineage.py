"""A case's lineage keeps labels of a running campaign from everyone who labels in it, on the page and over the API."""

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.labelling.exchange import exchange
from annotation.models import Annotator, Campaign, Guideline
from annotation.people.participation import annotator_for, end_participation
from curation.models import Language
from tests.annotation.factories import answer, make_open_campaign, newcomer, participation_of, ready
from tests.curation.releases.factories import make_candidate, make_suite

pytestmark = pytest.mark.django_db
REMARK = "A remark of another annotator"


@pytest.fixture
def campaign(mira) -> Campaign:
    """Every case has the remark of another annotator, and the campaign goes on."""
    suite = make_suite(by=mira)
    Guideline.objects.create(language=Language.objects.get(code="en"), version=1, title="Guideline", text="Kindly.")
    campaign = make_open_campaign(suite, mira, batch_size=50)
    other = newcomer(campaign)
    for text in exchange(other).texts:
        answer(other, text.assignment, comment=REMARK)
    return campaign


def lineage_seen_by(person, campaign: Campaign) -> tuple[str, str]:
    """What a candidate tells the person about its first case: the page and the answer of the API."""
    release = campaign.suite.releases.first() or make_candidate(campaign.suite)
    key = release.cases.order_by("position").first().key
    api = APIClient()
    api.force_login(person)
    page = api.get(reverse("curation:lineage", args=[campaign.suite.key, release.version, key]))
    data = api.get(f"/api/v1/releases/{campaign.suite.key}@{release.version}/cases/{key}/")
    assert (page.status_code, data.status_code) == (200, 200)
    return page.content.decode(), data.content.decode()


@pytest.mark.parametrize("role", ["expert", "maintainer"])
def test_who_labels_in_a_running_campaign_does_not_read_the_labels_of_others(campaign, emil, max_, role):
    person = {"expert": emil, "maintainer": max_}[role]
    ready(campaign, annotator_for(person))
    for seen in lineage_seen_by(person, campaign):
        assert REMARK not in seen
        assert Annotator.objects.get(external_id="worker-1").pseudonym not in seen


def test_an_expert_who_does_not_take_part_reads_them(campaign, emil):
    for seen in lineage_seen_by(emil, campaign):
        assert REMARK in seen


def test_labels_are_there_for_everyone_once_the_campaign_is_closed_or_their_part_has_ended(campaign, emil, max_, mira):
    for person in (emil, max_):
        ready(campaign, annotator_for(person))
    end_participation(participation_of(annotator_for(max_), campaign), reason="Done", by=mira)
    assert REMARK in lineage_seen_by(max_, campaign)[0]
    Campaign.objects.filter(pk=campaign.pk).update(state="closed")
    assert REMARK in lineage_seen_by(emil, campaign)[0]
