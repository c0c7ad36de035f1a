"""Dealing cases to a team, moving them when somebody leaves or joins."""

import random
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from django.db.models import Max

from annotation.allocation.reasons import NotFeasible
from annotation.campaigns.choosing import ChosenCase, read_chosen
from annotation.campaigns.models import Role
from annotation.errors import CannotOpen
from annotation.labelling import exchange_sql
from annotation.labelling.models import SlotState, new_assignment_key
from annotation.models import Annotator, Assignment, Campaign, CampaignItem
from annotation.people.models import ParticipationState
from core.text import _


class PlannedSlot(NamedTuple):
    """A slot before it is written: everything that follows from the seed and the cases, without its random key."""

    item: int
    slot: int
    annotator: int | None
    order: int


def team_of(campaign: Campaign) -> list[Annotator]:
    """Everybody who takes part or is invited, in the order they came."""
    return list(
        Annotator.objects.filter(participations__campaign=campaign)
        .exclude(participations__state=ParticipationState.ENDED)
        .order_by("participations__id")
    )


def deal_to_team(campaign: Campaign, chosen: Sequence[ChosenCase]) -> Iterator[PlannedSlot]:
    """Slots with their people: k distinct ones per case, equal loads within one, templates apart, checks in between.

    Refuses, with the reason, where that is impossible.
    """
    from annotation.allocation.teams import allocate_team  # numpy, which the web process never needs

    team = team_of(campaign)
    names = [annotator.pk for annotator in team]
    free = [case.item_id for case in chosen if not case.is_reserved]
    template_of = {case.item_id: case.template_id for case in chosen}
    try:
        dealt = allocate_team(
            free,
            names,
            raters=campaign.raters,
            seed=campaign.seed,
            forbidden=_forbidden(team, chosen),
            template_of=template_of,
            name_case=_key_of_item,
            name_annotator=lambda pk: next(one.pseudonym for one in team if one.pk == pk),
        )
    except NotFeasible as error:
        raise CannotOpen(_("The cases cannot be dealt. %(reason)s", reason=error.reason)) from error
    annotators_of: dict[int, tuple[int, ...]] = dict(dealt.annotators_of)
    orders = {annotator: list(items) for annotator, items in dealt.order_of.items()}
    reserved = [case for case in chosen if case.is_reserved]
    if reserved:
        _deal_to_members_first(campaign, reserved, team, annotators_of, orders, template_of)
    _mix_in_checks(campaign, orders)
    slots: Counter[int] = Counter()
    for annotator in names:
        for order, item in enumerate(orders.get(annotator, []), 1):
            if item in annotators_of:
                slots[item] += 1
                number = slots[item]
            else:
                number = annotator  # a check: made for this one person
            yield PlannedSlot(item, number, annotator, order)


def _deal_to_members_first(
    campaign: Campaign,
    reserved: Sequence[ChosenCase],
    team: Sequence[Annotator],
    annotators_of: dict[int, tuple[int, ...]],
    orders: dict[int, list[int]],
    template_of: Mapping[int, int | None],
) -> None:
    """Reclaimed slurs go to members of the group; where there are too few, the least loaded others complete the k."""
    from annotation.allocation.ordering import spread_templates

    generator = random.Random(campaign.seed)
    for case in reserved:
        eligible = [one for one in team if one.user_id not in case.authors or one.user_id is None]
        if len(eligible) < campaign.raters:
            raise CannotOpen(
                _(
                    "The cases cannot be dealt. Case %(case)s needs %(raters)s annotators and has %(eligible)s: the "
                    "others wrote it. Add annotators, or leave this case out.",
                    case=_key_of_item(case.item_id),
                    raters=campaign.raters,
                    eligible=len(eligible),
                )
            )
        eligible.sort(
            key=lambda one: (not case.groups & set(one.member_of), len(orders.get(one.pk, [])), generator.random())
        )
        annotators_of[case.item_id] = tuple(one.pk for one in eligible[: campaign.raters])
        for annotator in annotators_of[case.item_id]:
            orders.setdefault(annotator, []).append(case.item_id)
    for annotator, items in orders.items():
        orders[annotator] = spread_templates(items, template_of=template_of, seed=campaign.seed + annotator)


def _key_of_item(item: int) -> str:
    return CampaignItem.objects.filter(pk=item).values_list("case__key", flat=True).first() or str(item)


def _mix_in_checks(campaign: Campaign, orders: dict[int, list[int]]) -> None:
    checks = list(campaign.items.filter(role=Role.CHECK).values_list("id", flat=True))
    for annotator, items in orders.items():
        generator = random.Random(campaign.seed + annotator)
        for check in checks:
            items.insert(generator.randint(min(1, len(items)), len(items)), check)


def _forbidden(team: Sequence[Annotator], chosen: Sequence[ChosenCase]) -> list[tuple[int, int]]:
    by_user = {annotator.user_id: annotator.pk for annotator in team if annotator.user_id is not None}
    return [(by_user[author], case.item_id) for case in chosen for author in case.authors if author in by_user]


def open_slots_by_item(campaign: Campaign) -> tuple[dict[int, list[int]], set[tuple[int, int]]]:
    """Who has which item, and which of these are done."""
    annotators_of: defaultdict[int, list[int]] = defaultdict(list)
    done = set()
    rows = Assignment.objects.of(campaign).counted().exclude(annotator=None)
    for item, annotator, state in rows.values_list("item_id", "annotator_id", "state"):
        annotators_of[item].append(annotator)
        if state == SlotState.DONE:
            done.add((annotator, item))
    return annotators_of, done


def forbidden_in(campaign: Campaign, team: Sequence[Annotator]) -> list[tuple[int, int]]:
    """(annotator, item) pairs that must never meet, for a campaign that is open."""
    cases = dict(campaign.items.filter(role=Role.LABEL).values_list("case_id", "id"))
    chosen = read_chosen(campaign, [case for case in cases if case is not None])
    return _forbidden(team, [fact._replace(item_id=cases[case]) for case, fact in chosen.items()])


def pass_on(campaign: Campaign, leaving: Annotator, staying: Sequence[Annotator]) -> int:
    """Give the open slots of somebody who leaves to those who stay, at the end of their lists. Returns how many."""
    from annotation.allocation.teams import hand_over

    annotators_of, done = open_slots_by_item(campaign)
    try:
        moves = hand_over(
            annotators_of,
            leaving=leaving.pk,
            staying=[annotator.pk for annotator in staying],
            done=done,
            seed=campaign.seed + leaving.pk,
            forbidden=forbidden_in(campaign, staying),
            name_case=_key_of_item,
        )
    except NotFeasible as error:
        raise CannotOpen(
            _(
                "The open cases of %(annotator)s cannot be passed on. %(reason)s",
                annotator=str(leaving),
                reason=error.reason,
            )
        ) from error
    ends = _ends(campaign)
    passed: defaultdict[int, list[int]] = defaultdict(list)
    for item, taker in moves.items():
        passed[taker].append(item)
    for taker, items in passed.items():
        _move_slots(campaign, dict.fromkeys(items, leaving.pk), to=taker, after=ends[taker])
        _give_checks(campaign, taker)
    untouched = Assignment.objects.of(campaign).held_by(leaving).filter(item__role=Role.CHECK, annotations=None)
    untouched.delete()  # one that was skipped or taken back has a history, and histories stay
    return len(moves)


def share_with_newcomer(campaign: Campaign, newcomer: Annotator) -> int:
    """Move open slots from the most loaded to somebody who joins an open team, until open loads are level.

    They come from the ends of the lists: what somebody has on screen, or leased ahead, stays theirs.
    """
    rows = Assignment.objects.of(campaign).counted().exclude(annotator=None).order_by("order", "id")
    slots = list(rows.values_list("item_id", "annotator_id", "state"))
    not_for = {item for _annotator, item in forbidden_in(campaign, [newcomer])}
    not_for |= {item for item, annotator, _state in slots if annotator == newcomer.pk}
    loads: Counter[int] = Counter()
    movable: defaultdict[int, list[int]] = defaultdict(list)
    for item, annotator, state in slots:
        if annotator is not None and state != SlotState.DONE:
            loads[annotator] += 1
            if item not in not_for:
                movable[annotator].append(item)
    taken: dict[int, int] = {}
    while movable:
        giver = max(movable, key=lambda one: loads[one])
        if loads[giver] <= len(taken) + 1:
            break
        item = movable[giver].pop()
        if not movable[giver]:
            del movable[giver]
        if item not in taken:
            taken[item] = giver
            loads[giver] -= 1
    _move_slots(campaign, taken, to=newcomer.pk, after=0)
    _give_checks(campaign, newcomer.pk)
    return len(taken)


def _give_checks(campaign: Campaign, annotator: int) -> None:
    """Whoever joins a running team gets the checks, too, somewhere in their list; nobody gets one twice."""
    had = Assignment.objects.of(campaign).filter(annotator=annotator).values("item")
    checks = campaign.items.filter(role=Role.CHECK).exclude(pk__in=had).order_by("position", "id")
    generator = random.Random(campaign.seed + annotator)
    last = max(_ends(campaign)[annotator], 1)
    Assignment.objects.bulk_create(
        Assignment(
            campaign=campaign, item=check, slot=annotator, annotator_id=annotator, order=generator.randint(1, last)
        )
        for check in checks
    )


def _move_slots(campaign: Campaign, givers: Mapping[int, int], *, to: int, after: int) -> None:
    """Move open slots (item to the one who gives it) to the end of somebody's list, templates apart."""
    from annotation.allocation.ordering import spread_templates

    wanted = campaign.items.filter(role=Role.LABEL).values_list("id", "case__template_id")
    template_of = {item: template for item, template in wanted if item in givers}
    order = spread_templates(list(givers), template_of=template_of, seed=campaign.seed)
    # A new key: what the former holder still has on screen must not land in somebody else's slot.
    exchange_sql.hand_over_slots(
        [(to, place, new_assignment_key(), item, givers[item]) for place, item in enumerate(order, after + 1)]
    )


def _ends(campaign: Campaign) -> Counter[int]:
    rows = Assignment.objects.of(campaign).exclude(annotator=None).values("annotator_id").annotate(end=Max("order"))
    return Counter({row["annotator_id"]: row["end"] for row in rows})
