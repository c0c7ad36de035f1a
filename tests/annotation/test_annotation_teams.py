"""A team: every case to exactly k people, equal loads, templates apart; people may leave and join."""

from collections import Counter, defaultdict
from itertools import pairwise

import pytest

from annotation.campaigns.known_answers import KnownAnswer, add_own_items
from annotation.campaigns.models import Mode, Role
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.services import create_campaign
from annotation.errors import CannotOpen
from annotation.labelling.exchange import exchange
from annotation.labelling.recording import Event
from annotation.models import Assignment, Participation
from annotation.people.participation import add_annotator, annotator_for, end_participation
from core.errors import NotAllowed
from curation.models import ProtectedGroup, TargetGroup, TestCase
from tests.annotation.factories import answer, label_everything, make_open_campaign, make_people, make_suite, ready

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(db):
    return make_people(5)


@pytest.fixture
def campaign(mira, people):
    return make_open_campaign(make_suite(templates=10, per_template=3), mira, people=people, mode=Mode.TEAM, raters=3)


def team_by_case(campaign) -> dict[int, set[int]]:
    found = defaultdict(set)
    for item, annotator in Assignment.objects.of(campaign).values_list("item", "annotator"):
        found[item].add(annotator)
    return found


def loads(campaign) -> list[int]:
    return sorted(Counter(Assignment.objects.of(campaign).values_list("annotator", flat=True)).values())


def test_every_case_has_exactly_k_different_people_and_loads_are_equal(campaign):
    assert {len(team) for team in team_by_case(campaign).values()} == {3}
    assert loads(campaign) == [18] * 5


def test_nobodys_list_has_two_neighbours_of_one_template(campaign):
    for participation in campaign.participations.all():
        slots = Assignment.objects.filter(annotator=participation.annotator).order_by("order")
        templates = list(slots.values_list("item__case__template", flat=True))
        assert all(one != other for one, other in pairwise(templates))


def test_the_same_seed_deals_the_same(mira, people):
    suite, dealt = make_suite(), []
    for title in ("One", "Two"):
        campaign = create_campaign(suite, title=title, by=mira, language="en", raters=2, threshold=1, seed=7)
        for user in people:
            add_annotator(campaign, annotator_for(user), by=mira)
        open_campaign(campaign, by=mira)
        rows = Assignment.objects.of(campaign).values_list("item__case", "annotator", "order")
        dealt.append(sorted(rows))
    assert dealt[0] == dealt[1]


def test_nobody_is_dealt_what_they_wrote(mira, people):
    suite = make_suite(templates=10, per_template=2)
    TestCase.objects.filter(template__key="t3").update(author=people[0])
    campaign = make_open_campaign(suite, mira, people=people, mode=Mode.TEAM)
    assert not Assignment.objects.filter(annotator__user=people[0], item__case__template__key="t3").exists()
    assert {len(team) for team in team_by_case(campaign).values()} == {3}


def test_too_small_a_team_is_refused_with_the_way_out(mira, people):
    campaign = create_campaign(make_suite(), title="Small", by=mira, language="en", raters=5)
    add_annotator(campaign, annotator_for(people[0]), by=mira)
    with pytest.raises(CannotOpen, match="The team has 1 annotator, and each case needs 5"):
        open_campaign(campaign, by=mira)
    assert not Assignment.objects.exists()


def test_the_reason_names_cases_and_annotators_as_people_know_them(mira, people):
    suite = make_suite(templates=2, per_template=2)
    TestCase.objects.filter(key="small-0001-1").update(author=people[0])
    campaign = create_campaign(suite, title="Three", by=mira, language="en", raters=3, threshold=2)
    for user in people[:3]:
        add_annotator(campaign, annotator_for(user), by=mira)
    with pytest.raises(CannotOpen, match="1 case has too few eligible annotators: case small-0001-1 needs 3 and has 2"):
        open_campaign(campaign, by=mira)
    add_annotator(campaign, annotator_for(people[3]), by=mira)
    TestCase.objects.update(author=people[0])
    TestCase.objects.filter(key="small-0000-0").update(author=None)
    with pytest.raises(CannotOpen, match=f"because {annotator_for(people[0])} may label only 1 of 4"):
        open_campaign(campaign, by=mira)


def test_everybody_labels_their_own_list_to_the_end(campaign, people):
    for user in people:
        assert label_everything(ready(campaign, annotator_for(user))) == 18
    assert not Assignment.objects.exclude(state="done").exists()


def test_a_skipped_case_comes_back_at_the_end_of_ones_own_list(campaign, people):
    person = ready(campaign, annotator_for(people[0]))
    text = exchange(person).texts[0]
    exchange(person, [Event("s1", text.assignment, "skip")])
    order = []
    got = exchange(person)
    while got.texts:
        order.append(got.texts[0].assignment)
        got = answer(person, got.texts[0].assignment)
    assert order[-1] == text.assignment
    assert len(order) == 18


def test_open_cases_of_somebody_who_leaves_go_to_the_others(campaign, people, mira):
    leaving = ready(campaign, annotator_for(people[0]))
    for text in exchange(leaving).texts[:4]:
        answer(leaving, text.assignment)
    moved = end_participation(leaving, reason="Moved away", by=mira)
    assert moved == 14
    assert Assignment.objects.filter(annotator=leaving.annotator).count() == 4
    assert {len(team) for team in team_by_case(campaign).values()} == {3}
    assert exchange(leaving).stop == "ended"


def test_somebody_can_be_replaced_by_one_person(campaign, people, mira):
    leaving = ready(campaign, annotator_for(people[0]))
    newcomer = annotator_for(make_people(1, start=9)[0])
    assert end_participation(leaving, reason="Ill", by=mira, replaced_by=newcomer) == 18
    assert Assignment.objects.filter(annotator=newcomer).count() == 18
    assert loads(campaign) == [18] * 5


def test_a_newcomer_to_an_open_team_takes_from_the_most_loaded(campaign, mira):
    newcomer = annotator_for(make_people(1, start=9)[0])
    add_annotator(campaign, newcomer, by=mira)
    assert loads(campaign) == [15] * 6
    assert {len(team) for team in team_by_case(campaign).values()} == {3}


def test_what_people_have_on_their_screens_stays_theirs_when_somebody_joins(campaign, people, mira):
    team = [ready(campaign, annotator_for(user)) for user in people]
    on_screen = {person: [text.assignment for text in exchange(person).texts] for person in team}
    add_annotator(campaign, annotator_for(make_people(1, start=9)[0]), by=mira)
    for person, keys in on_screen.items():
        assert [text.assignment for text in exchange(person).texts] == keys


def test_a_stranger_cannot_end_anybodys_work(campaign, people, vic):
    with pytest.raises(NotAllowed):
        end_participation(ready(campaign, annotator_for(people[0])), reason="No", by=vic)


def test_everybody_gets_every_check_once(mira, people):
    suite = make_suite()
    campaign = create_campaign(suite, title="Checked", by=mira, language="en", raters=3, threshold=2)
    add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
    for user in people:
        add_annotator(campaign, annotator_for(user), by=mira)
    open_campaign(campaign, by=mira)
    checks = Assignment.objects.of(campaign).filter(item__role=Role.CHECK)
    assert sorted(checks.values_list("annotator", flat=True)) == sorted(
        Participation.objects.values_list("annotator", flat=True)
    )
    assert Assignment.objects.of(campaign).counted().count() == 72


def test_whoever_joins_later_gets_the_checks_too(mira, people):
    late, instead = make_people(2, start=20)
    campaign = create_campaign(make_suite(), title="Checked", by=mira, language="en", raters=3, threshold=2)
    add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
    for user in people:
        add_annotator(campaign, annotator_for(user), by=mira)
    open_campaign(campaign, by=mira)
    add_annotator(campaign, annotator_for(late), by=mira)
    end_participation(
        ready(campaign, annotator_for(people[0])), reason="Ill", by=mira, replaced_by=annotator_for(instead)
    )
    checked = Assignment.objects.of(campaign).filter(item__role=Role.CHECK).values_list("annotator__user", flat=True)
    assert sorted(checked) == sorted(user.pk for user in [*people[1:], late, instead])


def test_somebody_who_skipped_a_check_can_leave(mira, people):
    campaign = create_campaign(make_suite(), title="Checked", by=mira, language="en", raters=3, threshold=2)
    add_own_items(campaign, Role.CHECK, [KnownAnswer("Press hateful.", "hateful")], by=mira)
    for user in people:
        add_annotator(campaign, annotator_for(user), by=mira)
    open_campaign(campaign, by=mira)
    leaver = ready(campaign, annotator_for(people[0]))
    check = Assignment.objects.get(item__role=Role.CHECK, annotator=leaver.annotator)
    exchange(leaver, [Event("s", check.key, "skip")])
    end_participation(leaver, reason="Moved away", by=mira)
    assert not Assignment.objects.of(campaign).counted().held_by(leaver.annotator).exists()
    assert Assignment.objects.of(campaign).counted().count() == 72


@pytest.mark.parametrize("mode", [Mode.TEAM, Mode.CROWD])
def test_reclaimed_slurs_go_to_members_first(mira, people, mode):
    suite = make_suite(templates=6, per_template=4)
    group = ProtectedGroup.objects.create(key="women", name="Women")
    target = TargetGroup.objects.create(language=suite.languages.get(), name="women")
    target.groups.add(group)
    TestCase.objects.filter(template__key="t0").update(target=target)
    suite.cases.filter(template__key="t0").first().functionality.__class__.objects.filter(key="dislike_h").update(
        key="slur_reclaimed_nh"
    )
    members = [annotator_for(user) for user in people[:3]]
    for member in members:
        member.member_of = ["women"]
        member.save()
    campaign = make_open_campaign(suite, mira, people=people, mode=mode, group_members_first=True, batch_size=4)
    if mode == Mode.CROWD:
        outsider, member = ready(campaign, annotator_for(people[4])), ready(campaign, members[0])
        first = {Assignment.objects.get(key=text.assignment).item.is_reserved for text in exchange(member).texts}
        other = {Assignment.objects.get(key=text.assignment).item.is_reserved for text in exchange(outsider).texts}
        assert (first, other) == ({True}, {False})
        assert label_everything(outsider) == 24  # what members leave is labelled by others in the end
    else:
        reserved = Assignment.objects.filter(item__is_reserved=True)
        assert reserved.count() == 12
        assert set(reserved.values_list("annotator", flat=True)) == {member.pk for member in members}
