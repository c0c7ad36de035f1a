"""A crowd: slots are claimed with a lease, taken over when it ends, never more than k, never the same person twice."""

from collections import Counter
from datetime import timedelta
from itertools import pairwise

import pytest
from django.db import connection
from django.utils import timezone

from annotation.labelling import claiming
from annotation.labelling.exchange import exchange
from annotation.labelling.recording import Event
from annotation.models import Annotation, Annotator, Assignment, Participation
from annotation.people.participation import annotator_for, leave_campaign
from curation.models import Template, TemplateVariant, TemplateVersion, TestCase
from tests.annotation.factories import answer, label_everything, make_open_campaign, make_suite, newcomer, ready

pytestmark = pytest.mark.django_db


@pytest.fixture
def campaign(mira):
    return make_open_campaign(make_suite(), mira, batch_size=4)


def test_opening_makes_exactly_k_slots_per_case(campaign):
    per_item = Counter(Assignment.objects.of(campaign).values_list("item", flat=True))
    assert len(per_item) == 24
    assert set(per_item.values()) == {3}


def test_a_batch_is_leased_and_belongs_to_one_person(campaign):
    first, second = newcomer(campaign, 1), newcomer(campaign, 2)
    mine, theirs = exchange(first).texts, exchange(second).texts
    assert len(mine) == len(theirs) == 4
    assert not {text.assignment for text in mine} & {text.assignment for text in theirs}
    assert Assignment.objects.filter(state="claimed", lease_until__gt=timezone.now()).count() == 8


def test_asking_again_gives_the_same_texts(campaign):
    participation = newcomer(campaign)
    assert exchange(participation).texts == exchange(participation).texts


def test_nobody_meets_a_case_twice_and_every_case_gets_exactly_k_labels(campaign):
    people = [newcomer(campaign, number) for number in range(5)]
    counts = [label_everything(person) for person in people]
    assert sum(counts) == 24 * 3
    assert counts[:3] == [24, 24, 24]  # the first three may see every case, then nothing is left
    pairs = Counter(Assignment.objects.values_list("item", "annotator"))
    assert set(pairs.values()) == {1}
    assert not Assignment.objects.exclude(state="done").exists()


def test_neighbours_never_come_from_one_template(mira):
    campaign = make_open_campaign(make_suite(templates=8, per_template=3), mira, batch_size=3)
    first, second = newcomer(campaign, 1), newcomer(campaign, 2)
    seen: dict[int, list[int]] = {first.pk: [], second.pk: []}
    for _ in range(6):  # they take turns, so each sees only parts of the common order
        for person in (first, second):
            got = exchange(person)
            for text in got.texts:
                seen[person.pk].append(Assignment.objects.get(key=text.assignment).item.case.template_id)
                answer(person, text.assignment)
    for templates in seen.values():
        assert len(templates) > 10
        assert all(one != other for one, other in pairwise(templates))


def test_nobody_labels_what_they_wrote(campaign, ana):
    TestCase.objects.filter(template__key="t0").update(author=ana)
    participation = ready(campaign, annotator_for(ana))
    assert label_everything(participation) == 20
    assert not Assignment.objects.filter(annotator__user=ana, item__case__template__key="t0").exists()


def test_nobody_labels_what_comes_from_their_template(campaign, ana):
    template = Template.objects.get(key="t1")
    version = TemplateVersion.objects.create(template=template, number=1, author=ana)
    variant = TemplateVariant.objects.create(version=version, text="I like {identity}.")
    TestCase.objects.filter(template=template).update(variant=variant)
    assert label_everything(ready(campaign, annotator_for(ana))) == 20
    assert not Assignment.objects.filter(annotator__user=ana, item__case__template=template).exists()


def test_a_slot_whose_lease_ended_goes_to_somebody_else(campaign):
    lost, other = newcomer(campaign, 1), newcomer(campaign, 2)
    held = {text.assignment for text in exchange(lost).texts}
    Assignment.objects.filter(key__in=held).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert claiming.take_over_expired(campaign, now=timezone.now()) == 4
    assert not Assignment.objects.filter(key__in=held).exclude(annotator=None).exists()
    assert label_everything(other) == 24


def test_slots_that_came_back_are_found_by_people_who_had_passed_them(campaign):
    lost, others = newcomer(campaign, 1), [newcomer(campaign, number) for number in (2, 3, 4)]
    exchange(lost)
    assert [label_everything(person) for person in others] == [24, 24, 20]
    Assignment.objects.filter(annotator=lost.annotator).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert label_everything(others[2]) == 4


def test_a_claim_that_was_rolled_back_is_found_in_the_end(campaign):
    person = newcomer(campaign, 1)
    Participation.objects.filter(pk=person.pk).update(scanned_to=50)  # as if the first fifty had been locked then
    assert label_everything(person) == 24


def test_a_label_that_comes_after_the_lease_is_kept_while_the_slot_is_free(campaign):
    person = newcomer(campaign)
    text = exchange(person).texts[0]
    claiming.release_slots(person, now=timezone.now())
    got = answer(person, text.assignment)
    assert got.receipts[0].status == "stored"
    assert Assignment.objects.get(key=text.assignment).label == "hateful"


def test_a_late_label_takes_another_slot_of_the_case(campaign):
    late, quick = newcomer(campaign, 1), newcomer(campaign, 2)
    text = exchange(late).texts[0]
    slot = Assignment.objects.get(key=text.assignment)
    claiming.release_slots(late, now=timezone.now())
    Assignment.objects.filter(pk=slot.pk).update(state="done", annotator=quick.annotator, label="non-hateful")
    assert answer(late, text.assignment).receipts[0].status == "stored"
    assert Assignment.objects.filter(item=slot.item, annotator=late.annotator, label="hateful").count() == 1
    assert Assignment.objects.filter(item=slot.item).count() == 3


def test_a_late_label_in_another_slot_can_be_taken_back_and_given_anew(campaign):
    late, quick = newcomer(campaign, 1), newcomer(campaign, 2)
    text = exchange(late).texts[0]
    slot = Assignment.objects.get(key=text.assignment)
    claiming.release_slots(late, now=timezone.now())
    Assignment.objects.filter(pk=slot.pk).update(state="done", annotator=quick.annotator, label="non-hateful")
    answer(late, text.assignment)
    got = exchange(late, [Event("undo-1", text.assignment, "undo")])
    assert got.receipts[0].status == "stored"
    assert not Assignment.objects.filter(item=slot.item, annotator=late.annotator, state="done").exists()
    assert answer(late, text.assignment, "non-hateful", client_id="again").receipts[0].status == "stored"
    mine = Assignment.objects.get(item=slot.item, annotator=late.annotator)
    assert (mine.label, mine.state) == ("non-hateful", "done")
    assert list(mine.annotations.order_by("revision").values_list("kind", flat=True)) == ["label", "undo", "label"]
    slot.refresh_from_db()
    assert (slot.annotator, slot.label) == (quick.annotator, "non-hateful")


def test_a_label_beyond_k_is_told_that_it_is_late(campaign):
    late = newcomer(campaign, 9)
    text = exchange(late).texts[0]
    slot = Assignment.objects.get(key=text.assignment)
    claiming.release_slots(late, now=timezone.now())
    for number, row in enumerate(Assignment.objects.filter(item=slot.item)):
        other = Annotator.objects.create(external_id=f"o{number}", platform="x")
        Assignment.objects.filter(pk=row.pk).update(state="done", annotator=other, label="hateful")
    got = answer(late, text.assignment)
    assert got.receipts[0].status == "late"
    assert not Annotation.objects.exists()


def test_leaving_gives_everything_back_at_once(campaign):
    person = newcomer(campaign)
    exchange(person)
    assert leave_campaign(person) == 4
    assert not Assignment.objects.exclude(state="open").exists()


def test_working_on_renews_the_lease(campaign):
    person = newcomer(campaign)
    exchange(person)
    Assignment.objects.filter(state="claimed").update(lease_until=timezone.now() + timedelta(minutes=1))
    exchange(person)
    soonest = Assignment.objects.filter(state="claimed").order_by("lease_until").first()
    assert soonest.lease_until > timezone.now() + timedelta(minutes=campaign.lease_minutes / 2)


def test_a_limit_per_person_ends_their_work(mira):
    campaign = make_open_campaign(make_suite(), mira, per_annotator=5, batch_size=4)
    person = newcomer(campaign)
    assert label_everything(person) == 5
    assert exchange(person).stop == "finished"


def test_a_skipped_case_goes_to_others_and_does_not_come_back(campaign):
    person = newcomer(campaign)
    text = exchange(person).texts[0]
    got = exchange(person, [Event("skip-1", text.assignment, "skip")])
    assert got.receipts[0].status == "stored"
    slot = Assignment.objects.get(key=text.assignment)
    assert (slot.state, slot.annotator) == ("open", None)
    assert label_everything(person) == 23
    assert not Assignment.objects.filter(annotator=person.annotator, item=slot.item).exists()


def test_storing_a_label_and_claiming_the_next_takes_few_statements(campaign, django_assert_max_num_queries):
    person = newcomer(campaign)
    text = exchange(person, want=1).texts[0]
    # Two of them are the savepoint, which outside of tests is the transaction; PostgreSQL locks what it claims first.
    with django_assert_max_num_queries(14 if connection.vendor == "postgresql" else 13):
        got = exchange(person, [Event("one", text.assignment, "label", "hateful")], want=1)
    assert [receipt.status for receipt in got.receipts] == ["stored"]
    assert len(got.texts) == 1
