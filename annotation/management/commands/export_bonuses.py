"""Write the file that Prolific pays bonuses from."""

from typing import Any

from annotation.models import Campaign
from annotation.people.bonuses import bonus_file
from annotation.people.options import BonusOptions
from core.commands import DomainCommand
from core.errors import Missing


class Command(DomainCommand):
    help = "Write participant,amount of everyone who is owed more than the reward: the file Prolific pays bonuses from."

    options = BonusOptions

    def perform(self, options: BonusOptions) -> dict[str, Any]:
        campaign = Campaign.objects.filter(key=options.campaign).first()
        if campaign is None:
            raise Missing(f"There is no campaign '{options.campaign}'. List them: campaign list")
        content = bonus_file(campaign, by=None, reward=options.reward)
        options.out.write_bytes(content)
        return {"campaign": campaign.key, "bonuses": content.count(b"\n"), "out": str(options.out)}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['out']}: {result['bonuses']} bonus{'es' * (result['bonuses'] != 1)}"
