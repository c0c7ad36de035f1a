"""Pausing, ending and cancelling a campaign; closing turns its labels into verdicts on the cases."""

from collections import Counter, defaultdict
from collections.abc import Iterator

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from annotation.agreement.campaign_report import request_measurement
from annotation.agreement.verdicts import source_of, verdict_of, why_too_few, without_strays
from annotation.campaigns.models import CampaignState, Role
from annotation.campaigns.opening import OPENS_AT_ONCE, discard_rows, request_campaign_job
from annotation.errors import Incomplete, NotInThisState
from annotation.labelling.models import Kind, SlotState
from annotation.models import Annotation, Assignment, Campaign
from annotation.notifications import tell_of_closing
from annotation.permissions import require_manager
from annotation.questions import question_of
from annotation.states import CAMPAIGN_MOVES, move_campaign
from core.models import Job
from core.text import _, ngettext
from curation.cases.verdicts import VerdictValue, record_verdicts
from curation.releases.following import follow_decision

CLOSING = "annotation.close_campaign"


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
        raise NotInThisState(_("Only a paused campaign can be resumed."), now=campaign.state, wanted=CampaignState.OPEN)
    move_campaign(campaign, CampaignState.OPEN)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, state=campaign.state)


def cancel_campaign(campaign: Campaign, *, reason: str, by: User) -> None:
    """Cancel it. Labels that were given are kept and never become verdicts.

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
    verdicts = without_strays(verdicts_of(campaign), campaign.suite) if question_of(campaign).makes_verdicts else []
    written = record_verdicts(verdicts, source=source_of(campaign))
    move_campaign(campaign, CampaignState.CLOSED, closed_at=timezone.now())
    audit.record(by, Action.CAMPAIGN_CLOSED, campaign, verdicts=written, missing=missing)
    tell_of_closing(campaign, by=by)
    follow_decision(campaign.suite, by=by)
    request_measurement(campaign)
    return written


def close_now_or_soon(campaign: Campaign, *, by: User, leave_out_incomplete: bool = False) -> tuple[int, Job | None]:
    """Close it and return the number of verdicts; a job when there are many labels to count."""
    require_manager(by)
    if campaign.items.count() * campaign.raters <= OPENS_AT_ONCE:
        return close_campaign(campaign, by=by, leave_out_incomplete=leave_out_incomplete), None
    if CampaignState.CLOSING not in CAMPAIGN_MOVES.get(CampaignState(campaign.state), ()):
        raise NotInThisState(
            _("Only an open or paused campaign can be closed."), now=campaign.state, wanted=CampaignState.CLOSING
        )
    if not leave_out_incomplete:
        refuse_incomplete(missing_labels(campaign))
    title = _("Close the campaign “%(campaign)s”", campaign=campaign.title)
    return 0, request_campaign_job(CLOSING, title, campaign, by=by, leave_out_incomplete=leave_out_incomplete)


def refuse_incomplete(missing: int) -> None:
    """Labels that are missing stand in the way of closing."""
    if missing:
        raise Incomplete(
            ngettext(
                "%(count)s label is missing. Wait, or close anyway: a case without all its labels gets no verdict.",
                "%(count)s labels are missing. Wait, or close anyway: cases without all their labels get no verdict.",
                missing,
            ),
            missing=missing,
        )


def why_too_few_labels(campaign: Campaign) -> str:
    """What its labels can say where they are fewer than the suite needs; "" where they are enough or decide nothing."""
    return why_too_few(campaign.suite, campaign.raters) if question_of(campaign).makes_verdicts else ""


def verdicts_of(campaign: Campaign) -> Iterator[VerdictValue]:
    """The verdict on every case with k labels, held against its gold label."""
    question = question_of(campaign)
    labels: defaultdict[int, list[str]] = defaultdict(list)
    rows = Assignment.objects.of(campaign).counted().done().order_by("item_id", "slot")
    for item, label in rows.values_list("item_id", "label").iterator(chunk_size=5000):
        labels[item].append(question.counted(label or ""))
    flags = _flags(campaign)
    items = campaign.items.filter(role=Role.LABEL).values_list("id", "case_id", "case__gold_label")
    for item, case, gold in items.iterator(chunk_size=5000):
        given = labels.get(item, [])
        if case is not None and len(given) >= campaign.raters and question.judges(gold):
            yield verdict_of(case, given, gold, flagged=flags[item])


def _flags(campaign: Campaign) -> Counter[int]:
    """How many people called a case unrealistic, by what they said last."""
    flagged = (
        Annotation.objects.newest()
        .filter(assignment__campaign=campaign, assignment__state=SlotState.DONE, kind=Kind.LABEL, is_unrealistic=True)
        .values_list("assignment__item")
        .annotate(people=Count("id"))
    )
    return Counter(dict(flagged))
