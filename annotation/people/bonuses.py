"""What is still owed to a platform's participants, in the file that Prolific pays bonuses from."""

from decimal import Decimal

from accounts.models import User
from annotation.campaigns.models import CrowdPlatform
from annotation.models import Campaign
from annotation.people.crowd import payments
from core.errors import BadInput
from core.tables.writing import csv_bytes
from core.text import _


def bonus_lines(campaign: Campaign, *, by: User | None, reward: Decimal = Decimal(0)) -> list[tuple[str, Decimal]]:
    """Return participant and amount of each who is owed more than `reward`, which the platform pays for a submission.

    Refuses campaigns without participants of Prolific or without pay.
    """
    if campaign.platform != CrowdPlatform.PROLIFIC:
        raise BadInput(_("Only campaigns with participants of Prolific have a file of bonuses."))
    if not campaign.pay_unit or campaign.pay_amount is None:
        raise BadInput(_("This campaign says nothing about pay. Set the pay in its settings."))
    owed = ((row.participant, (row.amount or Decimal(0)) - reward) for row in payments(campaign, by=by))
    return [(participant, amount) for participant, amount in owed if participant and amount > 0]


def bonus_file(campaign: Campaign, *, by: User | None, reward: Decimal = Decimal(0)) -> bytes:
    """Return the lines as Prolific reads them: participant,amount, without a header."""
    return csv_bytes((participant, f"{amount:.2f}") for participant, amount in bonus_lines(
        campaign, by=by, reward=reward
    ))  # fmt: skip
