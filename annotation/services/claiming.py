"""Giving out a crowd's slots: claimed with a lease, taken over when the lease ends, never a case twice to one person.

A claim runs inside the caller's transaction, which holds the participation's row: one person's claims come one after
the other. On SQLite transactions that write are serial. On PostgreSQL rows that somebody else is claiming are skipped,
never waited for. Either way "at most k" needs no counting: there are only k rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db import connection
from django.db.models import Case, Exists, F, OuterRef, Q, Value, When

from annotation.models import Annotation, Assignment, Campaign, CampaignItem, Participation
from annotation.models.annotations import Kind
from annotation.models.campaigns import Role
from annotation.models.slots import AssignmentQuerySet, SlotState

# Slots that come back are given out last: their order is this plus tenths of a second since the campaign opened.
COME_BACK_FROM = 1_000_000_000
LOOK_AHEAD = 8
TAKE_OVER_AT_ONCE = 50


class Candidate(NamedTuple):
    id: int
    item_id: int
    order: int
    template_id: int | None


def claim_slots(participation: Participation, number: int, *, now: datetime, after: int = 0) -> list[int]:
    """Claim up to `number` open slots for somebody; returns their ids in the order in which they will be shown.

    While a slot is held its `order` is its place on the holder's screen, from `after` on.
    """
    campaign = participation.campaign
    take_over_expired(campaign, now=now)
    claimed: list[Candidate] = []
    if campaign.group_members_first and participation.annotator.member_of:
        claimed = _claim_from(participation, _slots_for_members(participation), number, claimed)
    if len(claimed) < number:
        ahead = _open_slots(participation).filter(order__gt=participation.scanned_to)
        claimed = _claim_from(participation, ahead, number, claimed, remembers=True)
    if not claimed and participation.scanned_to:
        # Nothing lies ahead. Look once from the start: a claim that was rolled back may lie behind.
        participation.scanned_to = 0
        claimed = _claim_from(participation, _open_slots(participation), number, claimed, remembers=True)
    if claimed:
        places = [When(pk=one.id, then=Value(place)) for place, one in enumerate(claimed, after + 1)]
        Assignment.objects.filter(pk__in=[one.id for one in claimed]).update(
            state=SlotState.CLAIMED,
            annotator=participation.annotator,
            lease_until=lease_end(campaign, now),
            order=Case(*places),
        )
        participation.last_template = claimed[-1].template_id
        participation.since_check += len(claimed)
    return [one.id for one in claimed]


def has_open_slots(participation: Participation) -> bool:
    """Whether there is anything left that this person may take."""
    return _open_slots(participation).exists()


def _slots_for_members(participation: Participation) -> AssignmentQuerySet:
    items = CampaignItem.objects.filter(
        campaign=participation.campaign,
        is_reserved=True,
        case__target__groups__key__in=participation.annotator.member_of,
    )
    return _open_slots(participation).filter(item__in=items.values("pk"))


def _open_slots(participation: Participation) -> AssignmentQuerySet:
    """Open slots this person may take: not of a case they have, wrote or skipped."""
    annotator = participation.annotator
    mine = Assignment.objects.filter(item=OuterRef("item"), annotator=annotator)
    slots = Assignment.objects.filter(campaign=participation.campaign, state=SlotState.OPEN, annotator=None)
    slots = slots.filter(~Exists(mine))
    if annotator.user_id is not None:
        slots = slots.exclude(
            Q(item__case__author=annotator.user_id) | Q(item__case__variant__version__author=annotator.user_id)
        )
    if participation.skips:
        skipped = Annotation.objects.filter(
            annotator=annotator, kind=Kind.SKIP, assignment__campaign=participation.campaign
        )
        slots = slots.exclude(item__in=list(skipped.values_list("assignment__item", flat=True).distinct()))
    return slots.order_by("order")


def _claim_from(
    participation: Participation,
    slots: AssignmentQuerySet,
    number: int,
    already: Sequence[Candidate],
    *,
    remembers: bool = False,
) -> list[Candidate]:
    """Two tries: the first looks a little ahead to keep templates apart, the second takes what is free in order.

    Returns what was claimed already with what is new.
    """
    claimed = list(already)
    for look_ahead in (LOOK_AHEAD, 0):
        missing = number - len(claimed)
        seen = _distinct(_read(slots, missing + look_ahead, locking=not look_ahead), {one.item_id for one in claimed})
        picked = _keep_apart(seen, missing, after=claimed[-1].template_id if claimed else participation.last_template)
        won = _lock(picked) if look_ahead else picked
        claimed += won
        if won and remembers and look_ahead:
            _remember(participation, min(one.order for one in seen))
        if len(claimed) == number or not seen:
            break
        slots = slots.exclude(pk__in=[one.id for one in won])
    return claimed


def _remember(participation: Participation, first: int) -> None:
    """Go on from the first slot of this batch: what is claimed now is no longer open, what was left is seen again."""
    if participation.scanned_to < first - 1 < COME_BACK_FROM:
        participation.scanned_to = first - 1


def _read(slots: AssignmentQuerySet, number: int, *, locking: bool) -> list[Candidate]:
    if locking and connection.vendor == "postgresql":
        slots = slots.select_for_update(skip_locked=True, of=("self",))
    rows = slots.annotate(template=F("item__case__template_id")).values_list("id", "item_id", "order", "template")
    return [Candidate(*row) for row in rows[:number]]


def _lock(picked: Sequence[Candidate]) -> list[Candidate]:
    """Those of the picked slots that nobody else is claiming at this moment."""
    if connection.vendor != "postgresql" or not picked:
        return list(picked)
    free = Assignment.objects.filter(pk__in=[one.id for one in picked], state=SlotState.OPEN, annotator=None)
    won = set(free.select_for_update(skip_locked=True).values_list("id", flat=True))
    return [one for one in picked if one.id in won]


def _distinct(candidates: Sequence[Candidate], having: set[int]) -> list[Candidate]:
    by_item = {one.item_id: one for one in reversed(candidates) if one.item_id not in having}
    return sorted(by_item.values(), key=lambda one: one.order)


def _keep_apart(candidates: Sequence[Candidate], number: int, *, after: int | None) -> list[Candidate]:
    """The first `number` candidates such that neighbours differ in template, as far as the candidates allow."""
    waiting, picked, previous = list(candidates), list[Candidate](), after
    while waiting and len(picked) < number:
        place = next(
            (at for at, one in enumerate(waiting) if one.template_id is None or one.template_id != previous), 0
        )
        picked.append(waiting.pop(place))
        previous = picked[-1].template_id
    return picked


def claim_check(participation: Participation, *, now: datetime, after: int = 0) -> int | None:
    """A check for somebody who has had enough cases since the last one; None when none is due or left."""
    campaign = participation.campaign
    if participation.since_check < campaign.check_every:
        return None
    had = Assignment.objects.filter(item=OuterRef("pk"), annotator=participation.annotator)
    item = campaign.items.filter(~Exists(had), role=Role.CHECK).order_by("position", "id").first()
    participation.since_check = 0
    if item is None:
        return None
    slot = Assignment.objects.create(
        campaign=campaign, item=item, slot=participation.annotator_id, annotator=participation.annotator,
        state=SlotState.CLAIMED, lease_until=lease_end(campaign, now), order=after + 1,
    )  # fmt: skip
    return slot.pk


def claim_again(participation: Participation, slot: Assignment, *, now: datetime) -> bool:
    """Take a slot one had before: a lease that ended, a label or skip taken back. False when it is somebody else's."""
    free = Assignment.objects.filter(pk=slot.pk, state=SlotState.OPEN, annotator=None)
    had = Assignment.objects.filter(item=slot.item_id, annotator=participation.annotator)
    won = not had.exists() and free.update(
        state=SlotState.CLAIMED, annotator=participation.annotator, lease_until=lease_end(participation.campaign, now)
    )
    return bool(won)


def take_over_expired(campaign: Campaign, *, now: datetime) -> int:
    """Open the slots whose lease has ended. Returns how many."""
    expired = Assignment.objects.filter(campaign=campaign, state=SlotState.CLAIMED, lease_until__lt=now)
    if connection.vendor == "postgresql":
        expired = expired.select_for_update(skip_locked=True, of=("self",))
    rows = list(expired.values_list("id", "item__role")[:TAKE_OVER_AT_ONCE])
    return _give_back(campaign, rows, now=now) if rows else 0


def release_slots(participation: Participation, *, now: datetime) -> int:
    """Give back everything somebody holds in a crowd; a team's slots stay theirs."""
    held = Assignment.objects.filter(
        campaign=participation.campaign, annotator=participation.annotator, state=SlotState.CLAIMED
    )
    return _give_back(participation.campaign, list(held.values_list("id", "item__role")), now=now)


def release_slot(campaign: Campaign, slot: Assignment, *, now: datetime) -> None:
    """Give back one slot."""
    _give_back(campaign, [(slot.pk, slot.item.role)], now=now)


def _give_back(campaign: Campaign, rows: Sequence[tuple[int, str]], *, now: datetime) -> int:
    """A check was made for one person and ends with the lease; unanswered ones leave no trace."""
    checks = [pk for pk, role in rows if role == Role.CHECK]
    if checks:
        Assignment.objects.filter(pk__in=checks, annotations=None, state=SlotState.CLAIMED).delete()
    return Assignment.objects.filter(
        pk__in=[pk for pk, role in rows if role != Role.CHECK], state=SlotState.CLAIMED
    ).update(state=SlotState.OPEN, annotator=None, lease_until=None, order=come_back_order(campaign, now))


def come_back_order(campaign: Campaign, now: datetime) -> int:
    """A place behind everything that was given out before, so that nobody's search has passed it."""
    since = now - (campaign.opened_at or now)
    return COME_BACK_FROM + max(int(since.total_seconds() * 10), 0)


def renew_leases(participation: Participation, *, now: datetime) -> None:
    """Hold on to what somebody works on."""
    campaign = participation.campaign
    Assignment.objects.filter(campaign=campaign, annotator=participation.annotator, state=SlotState.CLAIMED).update(
        lease_until=lease_end(campaign, now)
    )


def ends_soon(campaign: Campaign, lease: datetime | None, *, now: datetime) -> bool:
    """Whether less than half of a lease is left: renewing more often would only cost writes."""
    return lease is None or lease < now + timedelta(minutes=campaign.lease_minutes) / 2


def lease_end(campaign: Campaign, now: datetime) -> datetime:
    """When a lease that starts now ends."""
    return now + timedelta(minutes=campaign.lease_minutes)
