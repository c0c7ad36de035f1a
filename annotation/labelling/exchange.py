"""The one exchange between the labelling screen and the server: answers go in, receipts and the next texts come out."""

import secrets
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.allocation.ordering import spread_templates
from annotation.campaigns.choosing import matching_cases
from annotation.campaigns.models import NOT_YET, OVER, CampaignState, Mode, Role
from annotation.campaigns.services import selection_of
from annotation.errors import NotTakingPart, OtherAnnotator
from annotation.labelling import claiming, exchange_sql
from annotation.labelling.exchange_sql import Held
from annotation.labelling.models import Kind, SlotState
from annotation.labelling.quality_rules import apply_rules, read_rules
from annotation.labelling.recording import UNDO_REACHES, Event, Receipt, Recorder
from annotation.models import Annotation, Assignment, Campaign, Participation
from annotation.people.crowd_binding import Requester
from annotation.people.models import ParticipationState
from annotation.people.onboarding import require_begun, require_ready
from annotation.permissions import may_send_labels
from annotation.questions import question_of
from core.bulk import write_lock
from core.errors import BadInput
from core.text import _, ngettext
from curation.models import TestCase

AT_MOST_EVENTS = 100
AT_MOST_AHEAD = 50
NO_LABELS = _("This campaign no longer takes labels.")


@dataclass(frozen=True, slots=True)
class ShownText:
    """All that an annotator ever gets to know about a case. A test lists these names; think twice before adding one."""

    assignment: str
    text: str
    language: str
    direction: str
    statement: str = ""


@dataclass(frozen=True, slots=True)
class Exchanged:
    """The answer of an exchange.

    `stop` says why there is no next text: "", daily_limit, finished, paused, ended, closed.
    """

    receipts: list[Receipt]
    texts: list[ShownText]
    gone: list[str]
    stop: str = ""
    message: str = ""


def exchange(
    participation: Participation, events: Sequence[Event] = (), *, have: Collection[str] = (), want: int | None = None
) -> Exchanged:
    """Store answers and hand out the next texts, in one transaction.

    `have` are the texts the client holds already; they are not sent again, and those it has lost come back as `gone`.
    Repeating a request gives the same receipts and the same texts. Refuses more than 100 answers at once.
    """
    with write_lock(), transaction.atomic():
        return _exchange(_lock(pk=participation.pk), events, have=have, want=want)


def exchange_as(
    requester: Requester, events: Sequence[Event], *, have: Collection[str], want: int | None, who: str = ""
) -> Exchanged:
    """The exchange of the person behind a request. Refuses strangers, other browsers, and people who are not ready.

    Refuses also answers of `who` under another person's name: they would be lost as "not yours".
    """
    with write_lock(), transaction.atomic():
        mine = _lock(**requester.lookup)
        requester.require_own(mine)
        if who and who != mine.annotator.pseudonym:
            raise OtherAnnotator
        require_ready(mine)
        return _exchange(mine, events, have=have, want=want)


def _exchange(mine: Participation, events: Sequence[Event], *, have: Collection[str], want: int | None) -> Exchanged:
    if len(events) > AT_MOST_EVENTS:
        raise BadInput(
            ngettext(
                "Send at most %(count)s answer at once, and the rest with the next request.",
                "Send at most %(count)s answers at once, and the rest with the next request.",
                AT_MOST_EVENTS,
            )
        )
    now = timezone.now()
    campaign = mine.campaign
    require_begun(campaign)
    rules = read_rules(campaign.quality_rules)
    before = _facts(mine)
    message = ""
    receipts: list[Receipt]
    if not may_send_labels(mine) or campaign.state not in (CampaignState.OPEN, CampaignState.PAUSED):
        receipts = [Receipt(event.client_id, "refused", NO_LABELS) for event in events]
    else:
        receipts = Recorder(mine, rules, now=now).record(events)
        message = apply_rules(mine, rules)
    left_today = _left_today(mine, now=now)
    stop = _why_stop(mine, left_today)
    if stop:
        held: list[Held] = []
        # Where the whole campaign pauses, nobody waits for what somebody holds.
        if campaign.mode == Mode.CROWD and campaign.state != CampaignState.PAUSED:
            claiming.release_slots(mine, now=now)
    else:
        ahead = min(want or campaign.batch_size, campaign.batch_size, AT_MOST_AHEAD)
        if left_today is not None:  # nobody gets more texts than they wanted to read today, also without a connection
            ahead = min(ahead, left_today)
        held = _held(mine, ahead, now=now)[:left_today]
        stop = "" if held else "finished"
    _save(mine, before)
    return Exchanged(
        receipts=receipts,
        texts=_shown(mine, [slot.id for slot in held if slot.key not in have]),
        gone=[key for key in have if all(key != slot.key for slot in held)],
        stop=stop,
        message=message or (mine.reason if stop in ("paused", "ended") else ""),
    )


def _lock(**whose: Any) -> Participation:
    """One person's requests come one after the other, also from two windows."""
    found = exchange_sql.lock_participation(whose)
    if found is None:
        raise NotTakingPart
    return found


COUNTED = (
    "state", "reason", "skips", "skips_in_a_row", "too_fast_in_a_row", "failed_checks", "warnings", "scanned_to",
    "last_template", "since_check",
)  # fmt: skip


def _facts(participation: Participation) -> dict[str, object]:
    return {name: getattr(participation, name) for name in COUNTED}


def _save(participation: Participation, before: dict[str, object]) -> None:
    changed = {name: value for name, value in _facts(participation).items() if before[name] != value}
    if changed:
        exchange_sql.save_participation(participation.pk, changed)


def _why_stop(participation: Participation, left_today: int | None) -> str:
    campaign = participation.campaign
    if campaign.state == CampaignState.PAUSED or participation.state == ParticipationState.PAUSED:
        return "paused"
    if campaign.state != CampaignState.OPEN:
        return "closed"
    if participation.state != ParticipationState.ACTIVE:
        return "ended"
    return "daily_limit" if left_today == 0 else ""


def _left_today(participation: Participation, *, now: datetime) -> int | None:
    """How many texts somebody still wants to read today; None without a limit."""
    limit = participation.annotator.daily_limit
    return None if limit is None else max(limit - labelled_today(participation, now=now), 0)


def labelled_today(participation: Participation, *, now: datetime) -> int:
    """Labels given since midnight and not taken back, in whatever campaign: the limit is about the person."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    return exchange_sql.count_labelled_since(participation.annotator_id, midnight)


def _held(participation: Participation, ahead: int, *, now: datetime) -> list[Held]:
    """What somebody has to label next; a crowd's batch is filled up, a team's list is simply read on."""
    if participation.campaign.mode == Mode.TEAM:
        return exchange_sql.held_slots(participation, state=SlotState.OPEN, renew_before=now, at_most=ahead)
    renew_before = claiming.renew_before(participation.campaign, now)
    held = exchange_sql.held_slots(participation, state=SlotState.CLAIMED, renew_before=renew_before)
    if any(slot.ends_soon for slot in held):
        claiming.renew_leases(participation, now=now)
    # Filled up by halves, so that most exchanges of somebody who types fast claim nothing at all.
    missing = min(ahead - len(held), _still_allowed(participation, len(held))) if len(held) * 2 <= ahead else 0
    if missing <= 0:
        return held
    last = held[-1].order if held else 0
    return [*held, *claiming.claim_batch(participation, missing, now=now, after=last)]


def _still_allowed(participation: Participation, holding: int) -> int:
    limit = participation.campaign.per_annotator
    if limit is None:
        return AT_MOST_AHEAD
    return limit - labelled(participation) - holding


def labelled(participation: Participation) -> int:
    """How many cases somebody has labelled in the campaign."""
    return exchange_sql.count_done(participation)


def _shown(participation: Participation, slot_ids: Sequence[int]) -> list[ShownText]:
    shows_statement = question_of(participation.campaign).shows_statement
    return [
        ShownText(key, text, language, direction, says if shows_statement else "")
        for key, text, language, direction, says in exchange_sql.texts_of(slot_ids)
    ]


@dataclass(frozen=True, slots=True)
class RecentAnswer:
    """A text the annotator has answered, with comment and flag but without the label."""

    text: ShownText
    comment: str
    is_unrealistic: bool
    unrealistic_because: str


def recent_answers(participation: Participation) -> list[RecentAnswer]:
    """What somebody labelled last and can still take back, oldest first, for a page that is loaded anew."""
    recent = (
        Annotation.objects.filter(annotator=participation.annotator, assignment__campaign=participation.campaign)
        .exclude(kind=Kind.UNDO)
        .order_by("-created_at", "-id")
        .values_list("assignment", "comment", "is_unrealistic", "unrealistic_because")[:UNDO_REACHES]
    )
    said: dict[int, tuple[str, bool, str]] = {}
    for slot, comment, is_unrealistic, because in recent:  # the newest answer to a text is the one that stands
        said.setdefault(slot, (comment, is_unrealistic, because))
    done = Assignment.objects.done().filter(pk__in=said, annotator=participation.annotator)
    labelled = set(done.values_list("id", flat=True))
    slots = [slot for slot in reversed(said) if slot in labelled]
    shown = zip(slots, _shown(participation, slots), strict=True)
    return [RecentAnswer(text, *said[slot]) for slot, text in shown]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far somebody is; counted when the page is opened, carried on by the page."""

    done: int
    total: int
    today: int


def progress_of(participation: Participation) -> Progress:
    """A team's total is one's own list; a crowd's is every case, or as many as one person may label."""
    campaign, annotator = participation.campaign, participation.annotator
    done = labelled(participation)
    if campaign.mode == Mode.TEAM:
        total = Assignment.objects.filter(campaign=campaign, annotator=annotator).count()
    else:
        cases, checks = (campaign.items.filter(role=role).count() for role in (Role.LABEL, Role.CHECK))
        # Checks count like every other text, here too: a figure that passed them over would give them away.
        total = cases + min(checks, cases // campaign.check_every)  # about: how far apart they stand varies
        total = min(total, campaign.per_annotator) if campaign.per_annotator else total
    return Progress(done=done, total=max(total, done), today=labelled_today(participation, now=timezone.now()))


def has_finished(participation: Participation) -> bool:
    """Whether nothing is left for somebody: their list is done, their limit reached, or every slot taken."""
    campaign = participation.campaign
    if campaign.state in OVER:
        return True
    waiting = SlotState.OPEN if campaign.mode == Mode.TEAM else SlotState.CLAIMED
    if Assignment.objects.of(campaign).filter(annotator=participation.annotator, state=waiting).exists():
        return False
    if campaign.mode == Mode.TEAM or _still_allowed(participation, 0) <= 0:
        return True
    return not claiming.has_open_slots(participation)


SHOWN = 10
DRAWN_FROM = 400


def preview_texts(campaign: Campaign) -> list[ShownText]:
    """Ten texts of the campaign in the kind of order people get; nothing about them is stored."""
    if campaign.state in NOT_YET:
        cases = matching_cases(campaign.suite, campaign.language, selection_of(campaign))
    else:
        cases = TestCase.objects.filter(campaign_items__campaign=campaign, campaign_items__role=Role.LABEL)
    template_of = dict(cases.order_by("id").values_list("id", "template_id")[:DRAWN_FROM])
    order = spread_templates(list(template_of), template_of=template_of, seed=campaign.seed)[:SHOWN]
    rows = TestCase.objects.select_related("language", "functionality").in_bulk(order)
    shows_statement = question_of(campaign).shows_statement
    return [
        ShownText(
            assignment=secrets.token_urlsafe(9),
            text=rows[case].text,
            language=rows[case].language.bcp47,
            direction=rows[case].language.direction,
            statement=rows[case].functionality.definition if shows_statement else "",
        )
        for case in order
    ]
