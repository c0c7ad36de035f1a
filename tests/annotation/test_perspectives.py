"""Groups of annotators, opt-in: who agrees is compared, and without agreement no join is possible anywhere."""

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.db import models
from django.urls import reverse
from rest_framework.test import APIClient

from annotation.agreement.perspectives import OTHER, merge_small, suite_perspectives
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.labels.exporting import label_records, labels_as_csv
from annotation.models import Annotator, DemographicAnswer, LinkedAnswers, Participation
from annotation.people.onboarding import confirm_guidelines, give_consent, tell_about_oneself, unlink_answers
from annotation.people.participation import add_annotator, annotator_for
from core.errors import BadInput
from tests.annotation.factories import label_everything, make_suite

pytestmark = pytest.mark.django_db
SECRET = "Atlantis"


@pytest.fixture
def suite():
    return make_suite(templates=4, per_template=2, raters=14, threshold=8)


@pytest.fixture
def campaign(suite, mira):
    return open_campaign(make_draft(suite, mira), by=mira)


def make_draft(suite, mira, **settings):
    facts = {"title": "Labels", "language": "en", "mode": "crowd", "platform": "prolific", "links_demographics": True}
    return create_campaign(suite, by=mira, **(facts | settings))


def person(campaign, number, *, may_link=True, **answers) -> Participation:
    annotator = Annotator.objects.create(platform="prolific", external_id=f"worker-{number}")
    made = Participation.objects.create(campaign=campaign, annotator=annotator)
    give_consent(made)
    confirm_guidelines(made)
    tell_about_oneself(made, answers, may_link=may_link)
    return Participation.objects.select_related("campaign", "annotator").get(pk=made.pk)


def label_as_two_groups(campaign, *, may_link=True):
    """Six women call every text hateful, six men half of them."""
    for number in range(12):
        one = person(campaign, number, may_link=may_link, gender="Woman" if number < 6 else "Man", origin=SECRET)
        label_everything(one, lambda text, hard=number < 6: "hateful" if hard or "dislike" in text else "non-hateful")


def test_a_group_effect_is_found_on_page_api_and_command(campaign, suite, mira, client):
    label_as_two_groups(campaign)
    found = suite_perspectives(suite, by="gender")
    women, men = found["groups"]["Woman"], found["groups"]["Man"]
    assert (women["annotators"], women["labels"], women["positive_share"], men["positive_share"]) == (6, 48, 1.0, 0.5)
    assert women["difference"] == pytest.approx(0.5)
    assert women["p_value"] < 0.05
    assert (women["majority_differs"], women["majority_compared"]) == (4, 8)
    api = APIClient()
    api.force_authenticate(mira)
    address = f"/api/v1/suites/{suite.key}/perspectives/"
    assert api.get(address, {"by": "gender"}).json()["groups"]["Woman"]["difference"] == pytest.approx(0.5)
    assert api.get(address, {"by": "shoe size"}).status_code == 400
    out = StringIO()
    call_command("perspectives", suite.key, "--by", "gender", "--json", stdout=out)
    assert json.loads(out.getvalue())["groups"]["Man"]["majority_differs"] == 4
    call_command("perspectives", suite.key, "--by", "gender", stdout=out)
    assert "Woman: 6 annotators, 48 labels" in out.getvalue()
    client.force_login(mira)
    html = client.get(reverse("annotation:suite-perspectives", args=[suite.key])).content.decode()
    assert "4 of 8" in html


def test_it_is_for_the_workshop(suite, vic, client):
    client.force_login(vic)
    assert client.get(reverse("annotation:suite-perspectives", args=[suite.key])).status_code == 404
    assert APIClient().get(f"/api/v1/suites/{suite.key}/perspectives/").status_code in (401, 403)


def test_without_agreement_no_join_is_possible(campaign, suite, mira, client):
    label_as_two_groups(campaign, may_link=False)
    assert not LinkedAnswers.objects.exists()
    found = suite_perspectives(suite, by="gender")
    assert (found["groups"], found["reason"][:12]) == ({}, "No annotator")
    client.force_login(mira)
    assert (
        "Nothing to compare" in client.get(reverse("annotation:suite-perspectives", args=[suite.key])).content.decode()
    )
    assert DemographicAnswer.objects.count() == 12  # for the data statement, with no way back to a person
    linked_to = {field.related_model for field in DemographicAnswer._meta.get_fields() if field.is_relation}
    assert linked_to == {type(campaign)}


def test_answers_are_in_no_export_even_with_agreement(campaign):
    label_as_two_groups(campaign)
    assert LinkedAnswers.objects.count() == 12
    assert SECRET not in b"".join(labels_as_csv([campaign])).decode()
    for record in label_records([campaign]):
        assert not {"gender", "origin", "answers"} & set(record)


def test_only_labels_of_campaigns_in_which_a_person_agreed_are_read(campaign, suite, mira):
    label_as_two_groups(campaign)
    second = open_campaign(
        make_draft(suite, mira, title="More", asks_demographics=False, links_demographics=False), by=mira
    )
    again = Participation.objects.create(campaign=second, annotator=Annotator.objects.get(external_id="worker-0"))
    give_consent(again)
    confirm_guidelines(again)
    label_everything(Participation.objects.select_related("campaign", "annotator").get(pk=again.pk))
    assert suite_perspectives(suite, by="gender")["groups"]["Woman"]["labels"] == 48


def test_an_agreement_can_be_withdrawn(campaign, suite):
    label_as_two_groups(campaign)
    for one in Participation.objects.filter(linked_answers__answers__gender="Woman")[:2]:
        assert unlink_answers(one)
        assert not unlink_answers(one)
    found = suite_perspectives(suite, by="gender")  # four women are too few to be shown
    assert (found["groups"], "no two groups" in found["reason"]) == ({}, True)


def test_a_campaign_that_does_not_ask_links_nothing(suite, mira):
    campaign = open_campaign(make_draft(suite, mira, links_demographics=False), by=mira)
    person(campaign, 1, may_link=True, gender="Woman")
    assert not LinkedAnswers.objects.exists()
    with pytest.raises(BadInput, match="links_demographics: Ask annotators about themselves"):
        make_draft(suite, mira, asks_demographics=False)


def test_small_groups_are_merged_or_left_out():
    answers = dict(enumerate(["A"] * 5 + ["B"] * 3 + ["C"] * 2 + ["D"]))
    assert merge_small(answers) == dict(enumerate(["A"] * 5 + [OTHER] * 6))
    assert set(merge_small({**dict(enumerate(["A"] * 5)), 9: "B"}).values()) == {"A"}


def test_a_person_agrees_on_the_page_and_withdraws_in_their_settings(suite, mira, ana, client):
    draft = make_draft(suite, mira)
    made = add_annotator(draft, annotator_for(ana), by=mira)
    open_campaign(draft, by=mira)
    give_consent(made)
    confirm_guidelines(made)
    client.force_login(ana)
    page = reverse("annotation:about-you", args=[draft.key])
    assert "Link these answers to my labels" in client.get(page).content.decode()
    client.post(page, {"gender": "Woman", "may_link": "on"})
    assert LinkedAnswers.objects.get().answers == {"gender": "Woman"}
    settings = reverse("annotation:labelling-settings-here", args=[draft.key])
    assert "You agreed to link them" in client.get(settings).content.decode()
    assert client.post(reverse("annotation:unlink-answers", args=[draft.key])).url == settings
    assert "You agreed to link them" not in client.get(settings).content.decode()
    assert not LinkedAnswers.objects.exists()


def test_the_question_is_asked_only_where_groups_are_compared(suite, mira, ana, client):
    draft = make_draft(suite, mira, links_demographics=False)
    made = add_annotator(draft, annotator_for(ana), by=mira)
    open_campaign(draft, by=mira)
    give_consent(made)
    confirm_guidelines(made)
    client.force_login(ana)
    html = client.get(reverse("annotation:about-you", args=[draft.key])).content.decode()
    assert "Link these answers" not in html
    assert "No one can link them, not even us." in " ".join(html.split())


def test_linked_answers_hang_on_nothing_but_the_participation():
    relations = [field.name for field in LinkedAnswers._meta.get_fields() if isinstance(field, models.ForeignKey)]
    assert relations == ["participation"]
