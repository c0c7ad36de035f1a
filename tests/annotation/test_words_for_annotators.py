"""What annotators read is in their language; what is stored, sent and exported stays the same in every language."""

import html
import json
import re

import pytest
from django.db import connection
from django.urls import reverse
from django.utils import timezone

from annotation.agreement.campaign_report import keep_measurement
from annotation.agreement.disputes import opinions_on
from annotation.agreement.perspectives import group_in_words
from annotation.labelling import exchange_sql
from annotation.labelling.exchange import exchange
from annotation.labelling.flags import REASONS, reason_in_words
from annotation.labelling.key_bindings import read_key
from annotation.labelling.recording import Event
from annotation.models import AgreementReport, Annotation, Campaign, DemographicAnswer, Participation
from annotation.people import onboarding
from annotation.people.crowd import payments
from annotation.people.models import ANSWERS_ABOUT_PEOPLE
from annotation.people.participation import annotator_for, pause_participation
from annotation.questions import question_of
from core.text import Language, Text, _
from tests.annotation.factories import make_open_campaign, make_suite, newcomer, ready

pytestmark = pytest.mark.django_db


@pytest.fixture
def in_other_words(monkeypatch):
    """A reader whose language is English in angle brackets."""
    other = Language(
        gettext=lambda message: f"‹{message}›",
        ngettext=lambda one, many, count: f"‹{one if count == 1 else many}›",
        pgettext=lambda context, message: f"‹{message}›",
        npgettext=lambda context, one, many, count: f"‹{one if count == 1 else many}›",
        show=str,
    )
    monkeypatch.setattr("core.text._reader", other)


@pytest.fixture
def campaign(mira):
    return make_open_campaign(make_suite(), mira, skips_times=2, skips_then="pause")


@pytest.fixture
def at_work(client, campaign, ana):
    ready(campaign, annotator_for(ana))
    client.force_login(ana)
    return client


def address(name: str, campaign: Campaign) -> str:
    return reverse(f"annotation:{name}", args=[campaign.key])


def read(client, name: str, campaign: Campaign) -> str:
    return html.unescape(client.get(address(name, campaign)).content.decode())


def test_standard_labels_have_names_and_stay_the_same_for_programs(at_work, campaign, in_other_words):
    shown = read(at_work, "label", campaign)
    assert re.search(r'data-label="hateful">\s*‹hateful›', shown)
    assert re.search(r'data-label="non-hateful">\s*‹non-hateful›', shown)
    assert json.loads(re.search(r'id="labelling-config"[^>]*>(.*?)</script>', shown)[1])["labels"] == campaign.labels


@pytest.mark.parametrize(
    ("asked", "names"),
    [
        ({}, ["‹hateful›", "‹non-hateful›"]),
        ({"question": "consistency"}, ["‹yes›", "‹no›"]),
        ({"question": "scale"}, ["‹1 (not at all)›", "2", "3", "4", "‹5 (very)›"]),
        ({"question": "scale", "prompt": "How sure are you?"}, ["1", "2", "3", "4", "5"]),
        ({"question": "choice", "labels": ["hateful", "yes"]}, ["hateful", "yes"]),
    ],
)
def test_only_labels_whose_meaning_is_known_have_names(mira, in_other_words, asked, names):
    question = question_of(make_open_campaign(make_suite(), mira, **asked))
    assert [str(question.name_of(label)) for label in question.labels] == names


@pytest.mark.parametrize("kind", ["binary", "scale", "consistency", "choice"])
def test_the_usual_question_is_asked_in_the_readers_language_and_an_own_one_as_it_was_written(
    mira, in_other_words, kind
):
    labels = {"labels": ["calm", "angry"]} if kind == "choice" else {}
    usual = make_open_campaign(make_suite(), mira, question=kind, **labels)
    own = make_open_campaign(make_suite(key="other"), mira, question=kind, prompt="Well?", **labels)
    assert "‹" not in Campaign.objects.get(pk=usual.pk).prompt
    assert str(question_of(Campaign.objects.get(pk=usual.pk)).shown_prompt) == f"‹{usual.prompt}›"
    assert str(question_of(own).shown_prompt) == "Well?"


def test_a_receipt_says_why_in_the_readers_language(at_work, campaign, in_other_words):
    events = [{"client_id": "a", "assignment": "nothing", "kind": "label", "label": "hateful"}]
    url = reverse("api-labelling-exchange", args=[campaign.key])
    answer = at_work.post(url, {"events": events}, content_type="application/json").json()
    assert answer["receipts"][0]["reason"] == "‹This text is not assigned to you.›"


def test_the_reason_of_a_pause_is_read_in_every_language_later(at_work, campaign, mira, ana, in_other_words):
    participation = Participation.objects.get(annotator__user=ana)
    for place in range(2):
        first = exchange(participation).texts[0].assignment
        got = exchange(participation, [Event(f"s{place}", first, "skip")])
    assert str(got.message).startswith("‹Your work here is paused: ‹2 texts in a row were skipped›.")
    url = reverse("api-labelling-exchange", args=[campaign.key])
    later = at_work.post(url, {"events": []}, content_type="application/json").json()
    assert (later["stop"], later["message"]) == ("paused", "‹2 texts in a row were skipped›")
    assert "‹2 texts in a row were skipped›" in html.unescape(
        at_work.get(reverse("annotation:my-work")).content.decode()
    )
    assert [row.reason for row in payments(campaign, by=mira)] == ["2 texts in a row were skipped"]
    assert type(next(payments(campaign, by=mira)).reason) is str
    locked = exchange_sql.lock_participation({"pk": participation.pk})
    assert isinstance(locked.reason, Text)


def test_our_own_reason_can_be_translated_and_a_managers_is_cut(campaign, mira, in_other_words):
    participation = newcomer(campaign)
    pause_participation(participation, reason=_("Paused by a manager."), by=mira)
    assert str(Participation.objects.get().reason) == "‹Paused by a manager.›"
    other = newcomer(campaign, 2)
    pause_participation(other, reason="x" * 400, by=mira)
    assert Participation.objects.get(pk=other.pk).reason == "x" * 300


def test_why_a_measure_is_undefined_is_read_in_every_language_later(campaign, in_other_words):
    person = newcomer(campaign)
    exchange(person, [Event("a", exchange(person).texts[0].assignment, "label", "hateful")])
    keep_measurement(campaign, now=timezone.now())
    overall = AgreementReport.objects.get().values["overall"]
    assert str(overall["fleiss_kappa_reason"]).startswith("‹No case has two labels yet")
    with connection.cursor() as cursor:
        cursor.execute("SELECT " + connection.ops.quote_name("values") + " FROM annotation_agreementreport")
        assert "‹" not in str(cursor.fetchone()[0])


def test_reasons_of_a_flag_are_stored_alike_and_shown_in_words(at_work, campaign, ana, in_other_words):
    shown = read(at_work, "label", campaign)
    for stored, words in REASONS.items():
        assert f'value="{stored}"' in shown
        assert f"<span>{words}</span>" in shown
    person = Participation.objects.get(annotator__user=ana)
    flagged = {"is_unrealistic": True, "unrealistic_because": "Nobody would say this: Too polite"}
    exchange(person, [Event("a", exchange(person).texts[0].assignment, "label", "hateful", **flagged)])
    given = Annotation.objects.select_related("assignment").get()
    assert given.unrealistic_because == "Nobody would say this: Too polite"
    (opinion,) = opinions_on([given.assignment.item_id])[given.assignment.item_id]
    assert str(opinion.because) == "‹‹People do not talk like this›: Too polite›"


def test_a_reason_in_an_annotators_own_words_stays(in_other_words):
    assert reason_in_words("My own: words") == "My own: words"


def test_answers_about_people_are_stored_alike(client, mira, ana, in_other_words):
    campaign = make_open_campaign(make_suite(), mira, asks_demographics=True)
    Participation.objects.create(
        campaign=campaign, annotator=annotator_for(ana), state="active", consented_at=timezone.now(),
        guidelines_read_at=timezone.now(), trained_at=timezone.now(), qualified_at=timezone.now(),
    )  # fmt: skip
    client.force_login(ana)
    assert '<option value="Woman">‹Woman›</option>' in read(client, "about-you", campaign)
    client.post(address("about-you", campaign), {"gender": "Woman"})
    assert DemographicAnswer.objects.get().answers == {"gender": "Woman"}
    assert str(group_in_words("gender", "Woman")) == "‹Woman›"
    assert group_in_words("gender", "In my own words") == "In my own words"


def test_a_key_is_understood_under_its_name_in_the_readers_language(at_work, ana, in_other_words):
    settings = reverse("annotation:labelling-settings")
    assert 'value="‹Space›"' in html.unescape(at_work.get(settings).content.decode())
    assert [read_key(name) for name in ("Space", "‹Space›", "‹Backspace›", "j")] == [" ", " ", "Backspace", "j"]
    at_work.post(settings, {"break_after": 10, "key_skip": "s", "key_undo": "‹Space›"})
    assert annotator_for(ana).key_bindings == {"skip": "s", "undo": " "}


def test_stored_answers_stay_what_earlier_data_statements_counted():
    """They are the keys of counts in releases, so they never change; what people read may."""
    for answers in ANSWERS_ABOUT_PEOPLE.values():
        assert all(type(stored) is str for stored in answers)
    assert list(ANSWERS_ABOUT_PEOPLE["experience"]) == [
        "None", "As a target", "As a moderator", "As a researcher", "Several of these",
    ]  # fmt: skip


def test_after_the_daily_limit_the_page_offers_no_more_texts_today(at_work, campaign, ana):
    person = Participation.objects.get(annotator__user=ana)
    assert "Continue labelling" in read(at_work, "labelling-done", campaign)
    annotator = annotator_for(ana)
    annotator.daily_limit = 1
    annotator.save()
    exchange(person, [Event("a", exchange(person).texts[0].assignment, "label", "hateful")])
    shown = read(at_work, "labelling-done", campaign)
    assert "You can continue tomorrow." in shown
    assert "Back to my work" in shown
    assert "Continue labelling" not in shown


def test_after_a_failed_test_nothing_is_said_of_texts_that_were_labelled(client, campaign, ana):
    Participation.objects.create(
        campaign=campaign, annotator=annotator_for(ana), state="ended", consented_at=timezone.now(), tries=2,
        reason=onboarding.TestResult(1, 4, 3).why_failed,
    )  # fmt: skip
    client.force_login(ana)
    shown = read(client, "labelling-done", campaign)
    assert "Thank you for trying" in shown
    assert "The test was not passed: 1 of 4 right, 3 needed." in shown
    assert "You have labelled" not in shown
