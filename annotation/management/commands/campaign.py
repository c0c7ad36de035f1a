"""Make, open, close and list campaigns."""

from typing import Any

from annotation.campaigns.closing import close_campaign
from annotation.campaigns.guidelines import load_guidelines
from annotation.campaigns.opening import open_campaign
from annotation.campaigns.options import (
    CloseOptions,
    ListCampaignsOptions,
    NewCampaignOptions,
    OpenCampaignOptions,
)
from annotation.campaigns.progress import count_labels
from annotation.campaigns.services import create_campaign, estimate
from annotation.models import Campaign
from core.commands import DomainCommand
from core.errors import Missing
from core.options import Options
from curation.finding import find_suite


class Command(DomainCommand):
    help = "Campaigns: create a draft, open and close it, and list what there is."
    steps = {
        "create": NewCampaignOptions, "open": OpenCampaignOptions, "close": CloseOptions, "list": ListCampaignsOptions,
    }  # fmt: skip

    def perform(self, options: Options) -> dict[str, Any]:
        match options:
            case NewCampaignOptions():
                load_guidelines()
                settings = options.model_dump(exclude={"suite"})
                made = create_campaign(find_suite(options.suite), by=None, **settings)
                return _facts(made) | {"cases": estimate(made).cases}
            case OpenCampaignOptions():
                found = open_campaign(_find(options.campaign), by=None, report=self.show_progress)
                return _facts(found) | {"cases": found.cases_fixed}
            case CloseOptions():
                found = _find(options.campaign)
                verdicts = close_campaign(found, by=None, leave_out_incomplete=options.leave_out_incomplete)
                return _facts(found) | {"verdicts": verdicts}
            case ListCampaignsOptions():
                rows = Campaign.objects.select_related("suite", "language").order_by("created_at", "id")
                rows = rows.filter(suite=find_suite(options.suite)) if options.suite else rows
                listed = list(rows.filter(state=options.state) if options.state else rows)
                counts = count_labels(listed)
                return {"campaigns": [_facts(one) | _progress(*counts.get(one.pk, (0, 0))) for one in listed]}
        raise NotImplementedError

    def describe(self, result: dict[str, Any]) -> str:
        if "campaigns" not in result:
            counted = ", ".join(f"{result[name]:,} {name}" for name in ("cases", "verdicts") if name in result)
            return f"{result['campaign']} ({result['state']}): {counted}"
        lines = [
            f"{one['campaign']} ({one['state']}): {one['labels']:,} of {one['labels_wanted']:,} labels, {one['title']}"
            for one in result["campaigns"]
        ]
        return "\n".join(lines) or "There are no campaigns."


def _find(key: str) -> Campaign:
    found = Campaign.objects.select_related("suite", "language", "guideline").filter(key=key).first()
    if found is None:
        known = ", ".join(Campaign.objects.order_by("key").values_list("key", flat=True)[:20]) or "none yet"
        raise Missing(f"There is no campaign '{key}'. Known: {known}.")
    return found


def _facts(campaign: Campaign) -> dict[str, Any]:
    return {
        "campaign": campaign.key,
        "suite": campaign.suite.key,
        "language": campaign.language.code if campaign.language else None,
        "title": campaign.title,
        "state": campaign.state,
    }


def _progress(done: int, total: int) -> dict[str, int]:
    return {"labels": done, "labels_wanted": total}
