"""Background work of annotation: opening, closing and measuring large campaigns."""

from typing import Any

from django.utils import timezone

from annotation.campaigns.models import NOT_YET, CampaignState
from annotation.models import Campaign
from core.errors import ChangedMeanwhile
from core.jobs.running import JobCancelled, RunningJob, light_work
from core.text import _


@light_work("annotation.open_campaign", title=_("Open a campaign"))
def open_large_campaign(job: RunningJob, *, campaign: str) -> dict[str, Any]:
    """Continue where an earlier attempt stopped; a job that comes twice finds the campaign open and does nothing.

    Stopping the job makes a draft of the campaign again. Calling the campaign off ends the job.
    """
    from annotation.campaigns.opening import open_campaign, undo_opening

    found = Campaign.objects.get(key=campaign)
    if found.state in NOT_YET:
        try:
            job.report(0, None, _("Choosing the cases …"))
            open_campaign(found, by=job.requested_by, report=job.report)
        except JobCancelled:
            found.refresh_from_db()
            if found.state == CampaignState.OPENING:
                undo_opening(found)
            raise
        except ChangedMeanwhile:
            found.refresh_from_db()
            if found.state != CampaignState.CANCELLED:
                raise
    return {"campaign": found.key, "state": found.state}


@light_work("annotation.close_campaign", title=_("Close a campaign"))
def close_large_campaign(job: RunningJob, *, campaign: str, leave_out_incomplete: bool = False) -> dict[str, Any]:
    from annotation.campaigns.closing import close_campaign

    found = Campaign.objects.get(key=campaign)
    verdicts = 0
    if found.state in (CampaignState.OPEN, CampaignState.PAUSED):
        job.report(0, 1, _("Counting the labels …"))
        verdicts = close_campaign(found, by=job.requested_by, leave_out_incomplete=leave_out_incomplete)
    job.report(1, 1)
    return {"campaign": found.key, "verdicts": verdicts}


@light_work("annotation.measure_campaign", title=_("Measure agreement"))
def measure_large_campaign(job: RunningJob, *, campaign: str) -> dict[str, Any]:
    from annotation.agreement.campaign_report import keep_measurement

    found = Campaign.objects.select_related("suite").get(key=campaign)
    job.report(0, 1, _("Measuring agreement …"))
    report = keep_measurement(found, now=timezone.now())
    job.report(1, 1)
    return {"campaign": found.key, "labels": report.labels}
