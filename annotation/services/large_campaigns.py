"""Opening and closing, whatever the size: small campaigns at once, large ones as a job that can be watched."""

from __future__ import annotations

from django.db import transaction
from django.urls import reverse

from accounts.models import Action, User
from accounts.services import audit
from annotation.errors import NotReady
from annotation.models import Campaign
from annotation.models.campaigns import CampaignState
from annotation.permissions import require_manager
from annotation.services.closing import close_campaign, missing_labels, refuse_incomplete
from annotation.services.opening import OPENS_AT_ONCE, begin_opening, open_campaign, opens_at_once, undo_opening
from annotation.states import CAMPAIGN_MOVES, lock_campaign
from curation.errors import WrongState
from curation.models import Job
from curation.models.jobs import FINISHED
from curation.services.jobs import request_job

OPENING = "annotation.open_campaign"


def open_now_or_soon(campaign: Campaign, *, by: User) -> Job | None:
    """Open it; a job when there are many cases to deal. Refuses at once what can never be opened.

    Idempotent while it is being opened: returns the job at work, or a new one that continues where the last stopped.
    """
    require_manager(by)
    with transaction.atomic():
        lock_campaign(campaign)  # of two maintainers at once, the second gets the job of the first
        if job := opening_job(campaign):
            return job
        if not opens_at_once(campaign):
            if campaign.state != CampaignState.OPENING:
                begin_opening(campaign)
            return _request("open", campaign, {}, by=by)
    open_campaign(campaign, by=by)
    return None


def return_to_draft(campaign: Campaign, *, by: User) -> None:
    """Make a draft of a campaign whose opening was interrupted. Refuses while a job opens it: stop that job instead."""
    require_manager(by)
    if campaign.state != CampaignState.OPENING:
        raise WrongState(campaign, now=campaign.state, wanted=CampaignState.DRAFT)
    if opening_job(campaign):
        raise NotReady("A job is opening this campaign. Stop the job; the campaign is then a draft again.")
    undo_opening(campaign)
    audit.record(by, Action.CAMPAIGN_CHANGED, campaign, state=campaign.state)


def opening_job(campaign: Campaign) -> Job | None:
    """The job that opens a campaign at this moment or soon; None where nothing does."""
    if campaign.state != CampaignState.OPENING:
        return None
    jobs = Job.objects.filter(kind=OPENING, payload__campaign=campaign.key).exclude(state__in=FINISHED)
    return jobs.order_by("-created_at").first()


def close_now_or_soon(campaign: Campaign, *, by: User, leave_out_incomplete: bool = False) -> tuple[int, Job | None]:
    """Close it and return the number of verdicts; a job when there are many labels to count."""
    require_manager(by)
    if campaign.items.count() * campaign.raters <= OPENS_AT_ONCE:
        return close_campaign(campaign, by=by, leave_out_incomplete=leave_out_incomplete), None
    _require_move(campaign, CampaignState.CLOSING)
    if not leave_out_incomplete:
        refuse_incomplete(missing_labels(campaign))
    return 0, _request("close", campaign, {"leave_out_incomplete": leave_out_incomplete}, by=by)


def _require_move(campaign: Campaign, to: CampaignState) -> None:
    if to not in CAMPAIGN_MOVES.get(CampaignState(campaign.state), ()):
        raise WrongState(campaign, now=campaign.state, wanted=to)


def _request(verb: str, campaign: Campaign, facts: dict[str, bool], *, by: User) -> Job:
    return request_job(
        f"annotation.{verb}_campaign", {"campaign": campaign.key, **facts}, title=f"{verb.title()} {campaign.title}",
        by=by, result_url=reverse("annotation:campaign_setup", args=[campaign.key]),
    )  # fmt: skip
