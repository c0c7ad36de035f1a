"""The options of hypotheses, their published wording, and validation studies."""

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, option
from core.text import _

MOST_STUDIED = 5_000


class CheckOptions(Options):
    """How the messages of a functionality are checked: hypotheses, and a rule that combines them."""

    verb = "hypotheses"
    without = {COMMAND: "experts write hypotheses in a browser or by a program"}

    language: str = option(
        "", label=_("Language"), help=_("Choose the language that the hypotheses are for."),
        unless_given=_("every language without hypotheses of its own"),
    )  # fmt: skip
    hypotheses: tuple[str, ...] = option(
        label=_("Hypotheses"),
        help=_(
            "Write one per line: name | part of the message | hypothesis. {group} stands for the group. "
            "Example: about_group | message | This message is about {group}."
        ),
        rows=8, longest=500,
    )  # fmt: skip
    rule: str = option(
        label=_("Rule"),
        help=_(
            "Join names of hypotheses and built-in tests with and, or, not and brackets. "
            "Example: about_group and not hate_speech."
        ),
        rows=2, longest=2_000,
    )  # fmt: skip
    note: str = option(
        label=_("Change note"), help=_("Say what changed and why. The list of versions shows it."), longest=300
    )


class PublishedWordingOptions(Options):
    """Your copy of the hypotheses of GPT-HateCheck (table 13 of the paper, or the notebook of its authors)."""

    verb = "published hypotheses"

    file: File = option(
        label=_("File"),
        help=_("Choose a table with the columns “column” and “hypothesis”, in which [X] stands for the group."),
        positional=True, metavar="FILE",
    )  # fmt: skip


class StudyOptions(Options):
    """Which checked candidates people label, kept and rejected alike."""

    verb = "validation study"
    without = {COMMAND: "a study leads to a campaign, which is set up in a browser or by a program"}

    size: int = option(
        100, label=_("Number of candidates"),
        help=_("This number of candidates is drawn at random, kept and rejected alike."), least=1, most=MOST_STUDIED,
    )  # fmt: skip
    seed: int = option(
        0, label=_("Seed"), help=_("The same seed draws the same candidates."), least=0, most=LARGEST_SEED
    )


class LabelFileOptions(Options):
    """Verdicts of a validator and labels of people in files, such as those that GPT-HateCheck released."""

    verb = "validator_quality"
    without = {PAGE: "shows the quality from labels given here", API: "shows the quality from labels given here"}

    verdicts: File = option(help="A table with the verdict on each message.", metavar="FILE")
    labels: File = option(help="A table with one label per row.", metavar="FILE")
    id_column: str = option("case_id", help="Column that names the message, in all files.")
    verdict_column: str = option("nli_pass_test", help="Column of the verdict.")
    keep: str = option("1", help="The verdict of a message that the validator keeps.")
    label_column: str = option("consistent", help="Column of the label.")
    valid: str = option("yes", help="The label of a valid message. Several labels count as their majority.")
    gold: File = option(None, help="A table with gold labels; the labels are then scores.", metavar="FILE")
    gold_column: str = option("hate_label", help="Column of the gold label.")
    positive: str = option("1", help="The gold label of messages that should score high.")
    above: float = option(3.0, help="A mean score above this is high.")
