"""Giving out a crowd's slots: claimed with a lease, taken over when the lease ends, never a case twice to one person.

A claim runs inside the caller's transaction, which holds the participation's row: one person's claims come one after
the other. On SQLite transactions that write are serial. On PostgreSQL rows that somebody else is claiming are skipped,
never waited for. Either way "at most k" needs no counting: there are only k rows.
"""

import random
from collections.abc import Sequence
from datetime import datetime, timedelta

from django.db import connection

from annotation.campaigns.models import Role
from annotation.labelling import exchange_sql
from annotation.labelling.exchange_sql import Candidate, Held
from annotation.labelling.models import SlotState
from annotation.models import Assignment, Campaign, EndedLease, Participation

# Slots that come back are given out last: their order is this plus tenths of a second since the campaign opened.
COME_BACK_FROM = 1_000_000_000
LOOK_AHEAD = 8
TAKE_OVER_AT_ONCE = 50


def claim_slots(participation: Participation, number: int, *, now: datetime, after: int = 0) -> list[Held]:
    """Claim up to `number` open slots for somebody; returns them in the order in which they will be shown.

    While a slot is held its `order` is its place on the holder's screen, from `after` on.
    """
    campaign = participation.campaign
    take_over_expired(campaign, now=now)
    claimed: list[Candidate] = []
    if campaign.group_members_first and participation.annotator.member_of:
        claimed = _claim_from(participation, number, claimed, for_members=True)
    if len(claimed) < number:
        claimed = _claim_from(participation, number, claimed, after=participation.scanned_to, remembers=True)
    if not claimed and participation.scanned_to:
        # Nothing lies ahead. Look once from the start: a claim that was rolled back may lie behind.
        participation.scanned_to = 0
        claimed = _claim_from(participation, number, claimed, remembers=True)
    if claimed:
        ids = [one.id for one in claimed]
        exchange_sql.claim_open(ids, participation.annotator_id, lease_until=lease_end(campaign, now), after=after)
        participation.last_template = claimed[-1].template_id
        participation.since_check += len(claimed)
    return [Held(one.id, one.key, place) for place, one in enumerate(claimed, after + 1)]


def has_open_slots(participation: Participation) -> bool:
    """Whether there is anything left that this person may take."""
    return bool(exchange_sql.open_slots(participation, 1))


def _claim_from(
    participation: Participation,
    number: int,
    already: Sequence[Candidate],
    *,
    after: int = 0,
    for_members: bool = False,
    remembers: bool = False,
) -> list[Candidate]:
    """Two tries: the first looks a little ahead to keep templates apart, the second takes what is free in order.

    Returns what was claimed already with what is new.
    """
    claimed = list(already)
    for look_ahead in (LOOK_AHEAD, 0):
        missing = number - len(claimed)
        read = exchange_sql.open_slots(
            participation,
            missing + look_ahead,
            after=after,
            without=[one.id for one in claimed],
            for_members=for_members,
            locking=not look_ahead,
        )
        seen = _distinct(read, {one.item_id for one in claimed})
        picked = _keep_apart(seen, missing, after=claimed[-1].template_id if claimed else participation.last_template)
        won = _lock(picked) if look_ahead else picked
        claimed += won
        if won and remembers and look_ahead:
            _remember(participation, min(one.order for one in seen))
        if len(claimed) == number or not seen:
            break
    return claimed


def _remember(participation: Participation, first: int) -> None:
    """Go on from the first slot of this batch: what is claimed now is no longer open, what was left is seen again."""
    if participation.scanned_to < first - 1 < COME_BACK_FROM:
        participation.scanned_to = first - 1


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


def claim_batch(participation: Participation, number: int, *, now: datetime, after: int = 0) -> list[Held]:
    """Claim up to `number` texts for somebody: cases, and checks among them where they are due.

    A check takes the place of a case and comes now earlier, now later, so that counting does not give it away.
    """
    batch: list[Held] = []
    while missing := number - len(batch):
        place = after + len(batch)
        check, cases = _next_check(participation, missing)
        if cases:
            claimed = claim_slots(participation, cases, now=now, after=place)
            batch += claimed
            if len(claimed) < cases:
                break
        elif check is not None:
            participation.since_check = 0
            batch.append(_claim_check(participation, check, now=now, after=place))
    return batch


def _next_check(participation: Participation, missing: int) -> tuple[int | None, int]:
    """The check that comes next and how many of the missing texts are cases before it."""
    every = participation.campaign.check_every
    if participation.since_check + missing <= every - every // 2:
        return None, missing
    check = exchange_sql.next_check(participation)
    if check is None:
        participation.since_check = 0  # asked again after as many cases
        return None, missing
    spread = random.Random(f"{participation.pk}:{check}").randint(-(every // 2), every // 2)
    return check, min(max(every + spread - participation.since_check, 0), missing)


def _claim_check(participation: Participation, item_id: int, *, now: datetime, after: int) -> Held:
    campaign = participation.campaign
    slot = Assignment.objects.create(
        campaign=campaign, item_id=item_id, slot=participation.annotator_id, annotator=participation.annotator,
        state=SlotState.CLAIMED, lease_until=lease_end(campaign, now), order=after + 1,
    )  # fmt: skip
    return Held(slot.pk, slot.key, slot.order)


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
    rows = exchange_sql.ended_leases(campaign.pk, now=now, at_most=TAKE_OVER_AT_ONCE)
    return _give_back(campaign, rows, now=now) if rows else 0


def release_slots(participation: Participation, *, now: datetime) -> int:
    """Give back everything somebody holds in a crowd; a team's slots stay theirs."""
    held = Assignment.objects.filter(
        campaign=participation.campaign, annotator=participation.annotator, state=SlotState.CLAIMED
    )
    rows = held.values_list("id", "item__role", "annotator_id")
    return _give_back(
        participation.campaign, [(pk, role, holder) for pk, role, holder in rows if holder is not None], now=now
    )


def release_slot(participation: Participation, slot: Assignment, *, now: datetime) -> None:
    """Give back one slot."""
    _give_back(participation.campaign, [(slot.pk, slot.item.role, participation.annotator_id)], now=now)


def _give_back(campaign: Campaign, rows: Sequence[tuple[int, str, int]], *, now: datetime) -> int:
    """A check was made for one person and ends with the lease. Untouched ones leave no trace; one that was skipped or
    taken back is put aside and does not come again, like every text that somebody skips."""
    checks = [pk for pk, role, _ in rows if role == Role.CHECK]
    if checks:
        held = Assignment.objects.filter(pk__in=checks, state=SlotState.CLAIMED)
        held.filter(annotations=None).delete()
        held.update(state=SlotState.OPEN, lease_until=None)
    cases = {pk: holder for pk, role, holder in rows if role != Role.CHECK}
    EndedLease.objects.bulk_create(
        [EndedLease(assignment_id=pk, annotator_id=holder) for pk, holder in cases.items()], ignore_conflicts=True
    )
    return Assignment.objects.filter(pk__in=cases, state=SlotState.CLAIMED).update(
        state=SlotState.OPEN, annotator=None, lease_until=None, order=come_back_order(campaign, now)
    )


def held_before(participation: Participation, slot: Assignment) -> bool:
    """Whether somebody once had the lease of this slot: only then may a label of theirs still arrive for it."""
    return EndedLease.objects.filter(assignment=slot, annotator=participation.annotator).exists()


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


def renew_before(campaign: Campaign, now: datetime) -> datetime:
    """Leases that end before this moment have less than half left; renewing more often would only cost writes."""
    return now + timedelta(minutes=campaign.lease_minutes) / 2


def lease_end(campaign: Campaign, now: datetime) -> datetime:
    """When a lease that starts now ends."""
    return now + timedelta(minutes=campaign.lease_minutes)
