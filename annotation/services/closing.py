"""Pausing, ending and calling off a campaign; closing turns its labels into verdicts on the cases."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Count, Exists, OuterRef
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.errors import Incomplete
from annotation.models import Annotation, Assignment, Campaign
from annotation.models.annotations import Kind
from annotation.models.campaigns import CampaignState, Question, Role
from annotation.models.slots import SlotState
from annotation.permissions import require_manager
from annotation.services.answers import counted_label
from annotation.services.campaign_report import request_measurement
from annotation.services.opening import discard_rows
from annotation.services.verdicts import verdict_of, why_too_few, without_strays
from annotation.states import move_campaign
from curation.errors import WrongState
from curation.services.verdicts import VerdictValue, record_verdicts


@transaction.atomic
def pause_campaign(campaign: Campaign, *, by: User) -> None:
    """Hand out nothing more until it is resumed; labels on their way are still taken."""
    require_manager(by)
    move_campaign(campaign, CampaignState.PAUSED)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, state=campaign.state)


@transaction.atomic
def resume_campaign(campaign: Campaign, *, by: User) -> None:
    """Go on after a pause. Refuses a campaign that is not paused: one that is being opened lacks slots."""
    require_manager(by)
    if campaign.state != CampaignState.PAUSED:
        raise WrongState(campaign, now=campaign.state, wanted=CampaignState.OPEN)
    move_campaign(campaign, CampaignState.OPEN)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, state=campaign.state)


def cancel_campaign(campaign: Campaign, *, reason: str, by: User) -> None:
    """Call it off. Labels that were given are kept and never become verdicts.

    Of a campaign that was being opened, what was written is deleted: the run that opens it can no longer write.
    """
    require_manager(by)
    was_opening = campaign.state == CampaignState.OPENING
    with transaction.atomic():
        move_campaign(campaign, CampaignState.CANCELLED, closed_at=timezone.now())
        audit.record(by, Action.CAMPAIGN_CLOSED, campaign, cancelled=True, reason=reason)
    if was_opening:
        discard_rows(campaign)


def missing_labels(campaign: Campaign) -> int:
    """How many slots of cases have no label yet."""
    return Assignment.objects.of(campaign).counted().exclude(state=SlotState.DONE).count()


@transaction.atomic
def close_campaign(campaign: Campaign, *, by: User | None, leave_out_incomplete: bool = False) -> int:
    """End the campaign and record a verdict on every case that has all its labels. Returns how many.

    Refuses while labels are missing, unless cases without all of them may stay without a verdict.
    """
    if by is not None:
        require_manager(by)
    missing = missing_labels(campaign)
    if not leave_out_incomplete:
        refuse_incomplete(missing)
    move_campaign(campaign, CampaignState.CLOSING)
    verdicts = without_strays(verdicts_of(campaign), campaign.suite) if makes_verdicts(campaign) else []
    written = record_verdicts(verdicts, source=f"campaign:{campaign.key}")
    move_campaign(campaign, CampaignState.CLOSED, closed_at=timezone.now())
    audit.record(by, Action.CAMPAIGN_CLOSED, campaign, verdicts=written, missing=missing)
    request_measurement(campaign)
    return written


def refuse_incomplete(missing: int) -> None:
    """Labels that are missing stand in the way of closing."""
    if missing:
        raise Incomplete(
            f"{missing} labels are missing. Wait, or close anyway: cases without all labels then get no verdict.",
            missing=missing,
        )


def why_too_few_labels(campaign: Campaign) -> str:
    """What its labels can say where they are fewer than the suite needs; "" where they are enough or decide nothing."""
    return why_too_few(campaign.suite, campaign.raters) if makes_verdicts(campaign) else ""


def makes_verdicts(campaign: Campaign) -> bool:
    """Whether its labels say what a case is. Whether a text does what it should is decided case by case instead, and
    own answers speak about gold only where gold is among them: unanimous anger must not validate a hateful case."""
    if campaign.question == Question.CHOICE:
        return not set(campaign.suite.labels).isdisjoint(campaign.labels)
    return campaign.question != Question.CONSISTENCY


def verdicts_of(campaign: Campaign) -> Iterator[VerdictValue]:
    """The verdict on every case with k labels, held against its gold label."""
    labels: defaultdict[int, list[str]] = defaultdict(list)
    rows = Assignment.objects.of(campaign).counted().done().order_by("item_id", "slot")
    for item, label in rows.values_list("item_id", "label").iterator(chunk_size=5000):
        labels[item].append(counted_label(campaign, label or ""))
    flags = _flags(campaign)
    items = campaign.items.filter(role=Role.LABEL).values_list("id", "case_id", "case__functionality__gold_label")
    for item, case, gold in items.iterator(chunk_size=5000):
        given = labels.get(item, [])
        if case is None or len(given) < campaign.raters:
            continue
        if campaign.question == Question.CHOICE and gold not in campaign.labels:
            continue
        yield verdict_of(case, given, gold, flagged=flags[item])


def _flags(campaign: Campaign) -> Counter[int]:
    """How many people called a case unrealistic, by what they said last."""
    later = Annotation.objects.filter(assignment=OuterRef("assignment"), revision__gt=OuterRef("revision"))
    flagged = (
        Annotation.objects.filter(
            ~Exists(later),
            assignment__campaign=campaign,
            assignment__state=SlotState.DONE,
            kind=Kind.LABEL,
            is_unrealistic=True,
        )
        .values_list("assignment__item")
        .annotate(people=Count("id"))
    )
    return Counter(dict(flagged))
