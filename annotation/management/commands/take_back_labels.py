"""Take an import of labels back."""

from typing import Any

from annotation.labels.options import TakeBackOptions
from annotation.labels.reversing import as_json, effect_in_words, take_import_back
from annotation.models import Campaign
from core.commands import DomainCommand
from core.errors import Missing


class Command(DomainCommand):
    help = "Take an import of labels back: they stay stored and no longer count. With --dry-run, say what it would do."

    options = TakeBackOptions

    def perform(self, options: TakeBackOptions) -> dict[str, Any]:
        campaign = Campaign.objects.filter(key=options.campaign).first()
        if campaign is None:
            raise Missing(f"There is no campaign '{options.campaign}'. List them: campaign list")
        effect = take_import_back(campaign, by=None, reason=options.reason, dry_run=options.dry_run)
        return as_json(effect) | {"in_words": [str(sentence) for sentence in effect_in_words(effect)]}

    def describe(self, result: dict[str, Any]) -> str:
        done = "Nothing was changed." if result["dry_run"] else "Taken back."
        return "\n".join([*result["in_words"], done])
