"""Write what annotators did and are owed."""

from typing import Any

from annotation.models import Campaign
from annotation.people.options import PaymentOptions
from annotation.people.payment_files import payment_table
from core.commands import DomainCommand
from core.errors import Missing
from core.tables.cells import defuse
from core.tables.writing import csv_bytes


class Command(DomainCommand):
    help = "Write what each annotator of a campaign did and is owed; with --with-names, by the names of accounts."

    options = PaymentOptions

    def perform(self, options: PaymentOptions) -> dict[str, Any]:
        campaign = Campaign.objects.filter(key=options.campaign).first()
        if campaign is None:
            raise Missing(f"There is no campaign '{options.campaign}'. List them: campaign list")
        columns, found = payment_table(campaign, options, by=None)
        rows = [[defuse(cell) for cell in row] for row in found]
        options.out.write_bytes(csv_bytes([columns, *rows]))
        return {"campaign": campaign.key, "payments": len(rows), "out": str(options.out)}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['out']}: {result['payments']} payment{'s' * (result['payments'] != 1)}"
