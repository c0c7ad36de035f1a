"""How far a campaign is, and what its labels say, for every kind of question."""

from datetime import timedelta

import pytest
from django.utils import timezone

from annotation.agreement.campaign_report import agreement_now, measure
from annotation.agreement.disputes import disputed_items, read_disputed
from annotation.campaigns.progress import progress_of_campaign
from annotation.models import Annotation, Assignment, Participation
from annotation.people.participation import annotator_for
from tests.annotation.factories import label_everything, make_open_campaign, make_people, make_suite, newcomer, ready

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite():
    return make_suite(templates=4, per_template=2)


def by_text(positive, negative):
    return lambda text: positive if "dislike" in text else negative


def test_a_pace_gives_the_day_it_will_be_done(suite, mira, django_assert_max_num_queries):
    campaign = make_open_campaign(suite, mira)
    label_everything(newcomer(campaign, 1))
    now = timezone.now()
    type(campaign).objects.filter(pk=campaign.pk).update(opened_at=now - timedelta(days=2))
    campaign.refresh_from_db()
    with django_assert_max_num_queries(5):
        found = progress_of_campaign(campaign, now=now)
    assert (found.done, found.total) == (8, 24)
    assert found.pace.per_day == pytest.approx(4)
    assert found.pace.finishes == pytest.approx(now + timedelta(days=4), abs=timedelta(minutes=1))
    assert [(part.done, part.total) for part in found.functionalities] == [(4, 12), (4, 12)]
    assert found.people[0].total is None


def test_without_labels_there_is_no_estimate_but_a_reason(suite, mira):
    found = progress_of_campaign(make_open_campaign(suite, mira))
    assert (found.pace.per_day, found.pace.finishes) == (None, None)
    assert found.pace.reason


def test_somebody_who_went_quiet_needs_help(suite, mira):
    people = make_people(3)
    campaign = make_open_campaign(suite, mira, people=people, mode="team")
    mine = ready(campaign, annotator_for(people[0]))
    slot = Assignment.objects.filter(campaign=campaign, annotator=mine.annotator).first()
    Assignment.objects.filter(pk=slot.pk).update(
        state="done", label="hateful", done_at=timezone.now() - timedelta(days=3)
    )
    Participation.objects.filter(annotator=annotator_for(people[1]), campaign=campaign).update(
        state="paused", reason="Too fast."
    )
    helped = {one.participation.annotator_id: one.needs_help for one in progress_of_campaign(campaign).people}
    assert helped[mine.annotator_id] == ("No labels for 3 days.",)
    assert helped[annotator_for(people[1]).pk][0] == "Paused. Reason: Too fast."
    assert helped[annotator_for(people[2]).pk] == ("Has not started.",)


def test_who_needs_help_is_said_in_whole_sentences(suite, mira):
    campaign = make_open_campaign(suite, mira, qualification_tries=1)
    failed, warned = (newcomer(campaign, number) for number in (1, 2))
    rows = Participation.objects.filter(campaign=campaign)
    rows.filter(pk=failed.pk).update(state="ended", tries=1, qualified_at=None)
    rows.filter(pk=warned.pk).update(
        state="paused", reason="Too fast", warnings=1, failed_checks=1, qualified_at=timezone.now()
    )
    campaign.pass_mark = 0.8
    helped = {one.participation.pk: list(one.needs_help) for one in progress_of_campaign(campaign).people}
    assert helped[failed.pk] == ["Failed the test in 1 try."]
    assert helped[warned.pk] == [
        "Paused. Reason: Too fast", "No labels yet.", "Warned 1 time.", "1 attention check answered differently."
    ]  # fmt: skip


def test_a_scale_is_cut_in_two_and_has_an_ordinal_alpha(suite, mira):
    campaign = make_open_campaign(suite, mira, question="scale")
    for number, answers in enumerate([("5", "1"), ("4", "2"), ("2", "1")]):
        label_everything(newcomer(campaign, number), by_text(*answers))
    values = measure(campaign)
    assert values["labels_asked"] == ["hateful", "non-hateful"]
    assert values["overall"]["below_threshold"] == 0
    assert values["votes"] == [[[2, 1], 4], [[0, 3], 4]]
    assert values["ordinal_alpha"]["value"] is not None
    assert agreement_now(campaign)["fleiss_kappa"] == pytest.approx(values["overall"]["fleiss_kappa"])
    assert not disputed_items(campaign).exists()


def test_consistency_wants_a_yes(suite, mira):
    campaign = make_open_campaign(suite, mira, question="consistency")
    for number, answers in enumerate([("no", "yes"), ("no", "yes"), ("yes", "yes")]):
        label_everything(newcomer(campaign, number), by_text(*answers))
    values = measure(campaign)
    assert values["overall"]["below_threshold"] == 4
    rows = read_disputed(campaign, disputed_items(campaign))
    assert [(row.agreeing, row.given) for row in rows] == [(1, 3)] * 4


def test_own_answers_without_gold_are_held_against_the_most_frequent(suite, mira):
    campaign = make_open_campaign(suite, mira, question="choice", labels=["angry", "sad", "calm"])
    for number, answers in enumerate([("angry", "calm"), ("sad", "calm"), ("calm", "calm")]):
        label_everything(newcomer(campaign, number), by_text(*answers))
    values = measure(campaign)
    assert values["overall"]["below_threshold"] is None
    assert all(row["with_gold"] is None for row in values["annotators"])
    assert disputed_items(campaign).count() == 4
    assert Annotation.objects.count() == 24
