"""The one exchange between the labelling screen and the server: answers go in, receipts and the next texts come out."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.errors import NotTakingPart
from annotation.models import Annotation, Assignment, Participation
from annotation.models.annotations import Kind
from annotation.models.campaigns import CampaignState, Mode, Question
from annotation.models.participation import ParticipationState
from annotation.models.slots import SlotState
from annotation.permissions import may_send_labels
from annotation.services import claiming
from annotation.services.onboarding import require_ready
from annotation.services.quality_rules import apply_rules, read_rules
from annotation.services.recording import Event, Receipt, Recorder
from annotation.services.turns import writing_turn
from curation.errors import BadInput

AT_MOST_EVENTS = 100
AT_MOST_AHEAD = 50


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
    with writing_turn(), transaction.atomic():
        return _exchange(_lock(pk=participation.pk), events, have=have, want=want)


def exchange_as(
    lookup: Mapping[str, Any], events: Sequence[Event], *, have: Collection[str], want: int | None
) -> Exchanged:
    """The exchange of whoever stands behind a request. Refuses strangers, and people who are not ready."""
    with writing_turn(), transaction.atomic():
        mine = _lock(**lookup)
        require_ready(mine)
        return _exchange(mine, events, have=have, want=want)


def _exchange(mine: Participation, events: Sequence[Event], *, have: Collection[str], want: int | None) -> Exchanged:
    if len(events) > AT_MOST_EVENTS:
        raise BadInput(f"At most {AT_MOST_EVENTS} answers at once; send the rest with the next request.")
    now = timezone.now()
    campaign = mine.campaign
    rules = read_rules(campaign.quality_rules)
    before = _facts(mine)
    message = ""
    receipts: list[Receipt]
    if not may_send_labels(mine) or campaign.state not in (CampaignState.OPEN, CampaignState.PAUSED):
        receipts = [Receipt(event.client_id, "refused", "This campaign takes no labels any more.") for event in events]
    else:
        receipts = Recorder(mine, rules, now=now).record(events)
        message = apply_rules(mine, rules)
    stop = _why_stop(mine, now=now)
    if stop:
        held: dict[str, int] = {}
        if campaign.mode == Mode.CROWD and stop != "paused":
            claiming.release_slots(mine, now=now)
    else:
        ahead = min(want or campaign.batch_size, campaign.batch_size, AT_MOST_AHEAD)
        held = _held(mine, ahead, now=now)
        stop = "" if held else "finished"
    _save(mine, before)
    return Exchanged(
        receipts=receipts,
        texts=_shown(mine, [pk for key, pk in held.items() if key not in have]),
        gone=[key for key in have if key not in held],
        stop=stop,
        message=message or (mine.reason if stop in ("paused", "ended") else ""),
    )


def _lock(**whose: Any) -> Participation:
    """One person's requests come one after the other, also from two windows."""
    rows = Participation.objects.select_related("campaign", "annotator").only(*NEEDED).order_by()
    found = list(rows.select_for_update(of=("self",)).filter(**whose)[:1])
    if not found:
        raise NotTakingPart
    return found[0]


COUNTED = (
    "state", "reason", "skips", "skips_in_a_row", "too_fast_in_a_row", "failed_checks", "warnings", "scanned_to",
    "last_template", "since_check",
)  # fmt: skip


# Everything else is fetched when somebody asks for it, which an ordinary exchange never does.
NEEDED = (
    *COUNTED, "consented_at", "guidelines_read_at", "trained_at", "qualified_at", "demographics_given",
    "campaign__key", "campaign__state", "campaign__mode", "campaign__question", "campaign__labels",
    "campaign__batch_size", "campaign__lease_minutes", "campaign__per_annotator", "campaign__check_every",
    "campaign__group_members_first", "campaign__quality_rules", "campaign__asks_demographics", "campaign__opened_at",
    "campaign__suite_id", "campaign__language_id", "campaign__raters",
    "annotator__user_id", "annotator__daily_limit", "annotator__member_of",
)  # fmt: skip


def _facts(participation: Participation) -> dict[str, object]:
    return {name: getattr(participation, name) for name in COUNTED}


def _save(participation: Participation, before: dict[str, object]) -> None:
    changed = {name: value for name, value in _facts(participation).items() if before[name] != value}
    if changed:
        Participation.objects.filter(pk=participation.pk).update(**changed)


def _why_stop(participation: Participation, *, now: datetime) -> str:
    campaign = participation.campaign
    if campaign.state == CampaignState.PAUSED or participation.state == ParticipationState.PAUSED:
        return "paused"
    if campaign.state != CampaignState.OPEN:
        return "closed"
    if participation.state != ParticipationState.ACTIVE:
        return "ended"
    limit = participation.annotator.daily_limit
    if limit is not None and labelled_today(participation, now=now) >= limit:
        return "daily_limit"
    return ""


def labelled_today(participation: Participation, *, now: datetime) -> int:
    """Labels given since midnight, in whatever campaign: the limit is about the person."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    rows = Annotation.objects.filter(annotator=participation.annotator, created_at__gte=midnight, kind=Kind.LABEL)
    return rows.values("assignment").distinct().count()


def _held(participation: Participation, ahead: int, *, now: datetime) -> dict[str, int]:
    """Key and id of what somebody has to label next; a crowd's batch is filled up, a team's list is simply read on."""
    campaign = participation.campaign
    if campaign.mode == Mode.TEAM:
        slots = Assignment.objects.filter(campaign=campaign, annotator=participation.annotator, state=SlotState.OPEN)
        return dict(slots.order_by("order").values_list("key", "id")[:ahead])
    holding = Assignment.objects.filter(campaign=campaign, annotator=participation.annotator, state=SlotState.CLAIMED)
    rows = list(holding.order_by("order").values_list("key", "id", "order", "lease_until"))
    if any(claiming.ends_soon(campaign, lease, now=now) for *_, lease in rows):
        claiming.renew_leases(participation, now=now)
    # Filled up by halves, so that most exchanges of somebody who types fast claim nothing at all.
    missing = min(ahead - len(rows), _still_allowed(participation, len(rows))) if len(rows) * 2 <= ahead else 0
    if missing <= 0:
        return {key: pk for key, pk, *_ in rows}
    last = rows[-1][2] if rows else 0
    check = claiming.claim_check(participation, now=now, after=last)
    claiming.claim_slots(participation, missing, now=now, after=last + (1 if check else 0))
    return dict(holding.order_by("order").values_list("key", "id"))


def _still_allowed(participation: Participation, holding: int) -> int:
    limit = participation.campaign.per_annotator
    if limit is None:
        return AT_MOST_AHEAD
    return limit - labelled(participation) - holding


def labelled(participation: Participation) -> int:
    """How many cases somebody has labelled in the campaign."""
    return Assignment.objects.filter(
        campaign=participation.campaign, annotator=participation.annotator, state=SlotState.DONE
    ).count()


def _shown(participation: Participation, ids: Sequence[int]) -> list[ShownText]:
    if not ids:
        return []
    campaign = participation.campaign
    shows_statement = campaign.question == Question.CONSISTENCY
    rows = Assignment.objects.filter(pk__in=ids).values_list(
        "id", "key", "item__case__text", "item__text", "item__case__language__bcp47", "item__case__language__direction",
        "item__case__functionality__definition",
    )  # fmt: skip
    language = campaign.language
    shown = {}
    for pk, key, case_text, own_text, tag, direction, definition in rows:
        if own_text:  # a check without a case speaks the campaign's language
            tag, direction = (language.bcp47, language.direction) if language else ("", "auto")
        statement = (definition or "") if shows_statement else ""
        shown[pk] = ShownText(key, own_text or case_text, tag, direction, statement)
    return [shown[pk] for pk in ids]


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
        total = campaign.items.filter(role="label").count()
        total = min(total, campaign.per_annotator) if campaign.per_annotator else total
    return Progress(done=done, total=max(total, done), today=labelled_today(participation, now=timezone.now()))


def has_finished(participation: Participation) -> bool:
    """Whether nothing is left for somebody: their list is done, their limit reached, or every slot taken."""
    campaign = participation.campaign
    if campaign.state in (CampaignState.CLOSING, CampaignState.CLOSED):
        return True
    if Assignment.objects.of(campaign).held_by(participation.annotator).exists():
        return False
    if campaign.mode == Mode.TEAM or _still_allowed(participation, 0) <= 0:
        return True
    return not claiming.has_open_slots(participation)
