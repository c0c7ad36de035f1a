"""The options of verbs about participants of a crowd; pages, API and command lines are made from them."""

from decimal import Decimal

from core.options import COMMAND, File, Options, only, option
from core.text import _

IN_THE_ADDRESS = only(COMMAND, "the address says it")


class PaymentOptions(Options):
    """How the list of payments names people."""

    verb = "export_payments"

    campaign: str = option(
        "", help=_("Key of the campaign."), positional=True, needed=(COMMAND,), without=IN_THE_ADDRESS
    )
    with_names: bool = option(
        False,
        label=_("With names"),
        help=_("Names and addresses of accounts instead of pseudonyms, to pay the members of a team."),
    )
    out: File = option(
        None,
        help=_("The file to write."),
        needed=(COMMAND,),
        metavar="FILE.csv",
        without=only(COMMAND, "it is downloaded"),
    )


class ReconcileOptions(Options):
    """Which list of submissions is compared with the work done in a campaign."""

    verb = "reconcile"

    campaign: str = option(
        "", help=_("Key of the campaign."), positional=True, needed=(COMMAND,), without=IN_THE_ADDRESS
    )
    file: File = option(
        label=_("File"),
        help=_("The list of submissions from Prolific, or the results of a batch from Mechanical Turk, as CSV."),
        flag="--path",
        metavar="FILE",
    )


class BonusOptions(Options):
    """What the platform has paid already, so that only the rest becomes a bonus."""

    verb = "export_bonuses"

    campaign: str = option(
        "", help=_("Key of the campaign."), positional=True, needed=(COMMAND,), without=IN_THE_ADDRESS
    )
    reward: Decimal = option(
        Decimal(0),
        label=_("Reward per submission"),
        help=_("What Prolific pays for each approved submission, for example 1.50. Only the rest becomes a bonus."),
        least=0,
    )
    out: File = option(
        None,
        help=_("The file to write."),
        needed=(COMMAND,),
        metavar="FILE.csv",
        without=only(COMMAND, "it is downloaded"),
    )
