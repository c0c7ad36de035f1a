"""Each step tells the people it concerns, and not the person who took it."""

import pytest

from accounts.models import RoleGrant
from annotation.campaigns.closing import close_campaign
from annotation.campaigns.messages import send_message
from annotation.people.participation import annotator_for
from core.models import Delivery, Notification, Webhook
from curation.authoring.reviewing import approve_version, comment_on, reject_version
from curation.authoring.services import submit_version
from curation.releases.access import decide_access, request_access
from curation.releases.options import AccessOptions
from evaluation.notifications import tell_of_results
from tests.annotation import factories as labelling
from tests.curation.authoring import factories as authoring
from tests.curation.releases import factories as releases
from tests.evaluation.factories import allow_models, run_model

pytestmark = pytest.mark.django_db


def told(user, kind: str = "") -> list[str]:
    rows = Notification.objects.visible_to(user).order_by("id")
    return list((rows.filter(kind=kind) if kind else rows).values_list("title", flat=True))


@pytest.fixture
def erna(max_):
    """A second expert for German."""
    RoleGrant.objects.get_or_create(user=max_, role="expert", language="de")
    return max_


def submitted(emil):
    template = authoring.write_template(authoring.make_suite(), "Ich mag [identity:Number=Plur] nicht.", by=emil)
    return submit_version(authoring.newest(template), by=emil)


def test_the_other_experts_of_the_language_hear_of_a_submission(emil, erna, ana):
    version = submitted(emil)
    assert told(erna) == [f"{version.template.key} is waiting for your review"]
    assert told(emil) == told(ana) == []


def test_maintainers_hear_of_it_where_no_other_expert_is(emil, mira):
    version = submitted(emil)
    assert told(mira) == [f"{version.template.key} is waiting for your review"]


def test_authors_hear_the_verdict_with_its_reason(emil, erna):
    version = submitted(emil)
    reject_version(version, by=erna, reason="The plural is wrong.")
    row = Notification.objects.visible_to(emil).get()
    assert (row.kind, row.text) == ("template_rejected", "The plural is wrong.")
    other = authoring.write_template(version.template.suite, "Ich sehe [identity:Number=Plur].", by=emil)
    approve_version(submit_version(authoring.newest(other), by=emil), by=erna)
    assert told(emil, "template_approved") == [f"{other.key} was approved"]


def test_a_comment_reaches_author_earlier_commenters_and_people_it_mentions(emil, erna, mira):
    version = submitted(emil)
    comment_on(version, by=erna, text="Is this mild enough?")
    assert told(emil, "comment") == [f"{erna} commented on {version.template.key}"]
    comment_on(version, by=emil, text="I think so. @Mira, what do you say?")
    assert len(told(erna, "comment")) == len(told(mira, "comment")) == 1
    assert len(told(emil, "comment")) == 1, "people are not told what they wrote themselves"


def test_a_publication_reaches_the_workshop_and_webhooks(mira, emil, ana):
    Webhook.objects.create(url="https://hooks.example.org/", kinds=["release_published"])
    release = releases.make_release(releases.make_suite(by=mira), by=mira)
    assert told(emil) == [f"{release.key} was published"]
    assert told(mira) == told(ana) == []
    event = Delivery.objects.get(channel="webhook").payload
    assert event["facts"] == {"release": release.key, "sha256": release.sha256}


def test_access_is_asked_of_maintainers_and_the_answer_comes_back(mira, vic):
    release = releases.make_release(releases.make_suite(by=mira), by=mira, access="request", terms="Be kind.")
    options = AccessOptions(reason="For a study of mild texts.", accepts_terms=True)
    asked = request_access(release, options, by=vic)
    assert told(mira, "access_asked") == [f"{vic} asks for access to {release.key}"]
    decide_access(asked, grant=True, answer="Welcome.", by=mira)
    row = Notification.objects.visible_to(vic).get()
    assert (row.kind, row.text) == ("access_decided", "Welcome.")


def test_annotators_hear_of_opening_notes_and_closing(mira):
    invited, other = labelling.make_people(2)
    campaign = labelling.make_open_campaign(labelling.make_suite(1, 1), mira, people=[invited], raters=1, threshold=1)
    assert told(invited) == ["“Labels” is open for you"]
    send_message(campaign, text="Take your time.", by=mira, annotator=annotator_for(invited))
    assert told(invited, "note") == ["A note about “Labels”"]
    close_campaign(campaign, by=mira, leave_out_incomplete=True)
    assert told(invited, "campaign_closed") == ["“Labels” is closed"]
    assert told(other) == []


def test_the_person_who_started_a_run_hears_of_its_results(mira, settings):
    allow_models(settings)
    release = releases.make_release(releases.make_suite(by=mira), by=mira)
    run = run_model(release, "always_hateful", name="Always", by=mira)
    assert told(mira, "run_finished") == [f"Results of Always on {release.key}"]
    tell_of_results(run)
    assert len(told(mira, "run_finished")) == 1
