"""Compare a platform's list of submissions with a campaign."""

from typing import Any

from annotation.models import Campaign
from annotation.people.options import ReconcileOptions
from annotation.people.reconciling import as_json, reconcile, summary_in_words
from core.commands import DomainCommand
from core.errors import Missing


class Command(DomainCommand):
    help = "Compare Prolific's list of submissions, or results of Mechanical Turk, with the work done in a campaign."

    options = ReconcileOptions

    def perform(self, options: ReconcileOptions) -> dict[str, Any]:
        campaign = Campaign.objects.filter(key=options.campaign).first()
        if campaign is None:
            raise Missing(f"There is no campaign '{options.campaign}'. List them: campaign list")
        rows = reconcile(campaign, options.file, by=None)
        return {"campaign": campaign.key, "summary": str(summary_in_words(rows)), "participants": as_json(rows)}

    def describe(self, result: dict[str, Any]) -> str:
        odd = [f"{row['participant']}: {row['remark']}" for row in result["participants"] if row["remark"]]
        return "\n".join([*odd, result["summary"]])
