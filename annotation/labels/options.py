"""The options of importing labels; page, API and command line are made from them."""

from annotation.labels.files import Layout
from core.options import COMMAND, File, Options, only, option


class LabelFileOptions(Options):
    """Which file of labels is imported, and how it is read."""

    verb = "import_labels"

    suite: str = option(
        "", help="Key of the suite.", positional=True, needed=(COMMAND,), without=only(COMMAND, "the address says it")
    )
    file: File = option(
        help="A table: one row per label (case_id, annotator, label), our own export, or a published layout.",
        flag="--path", metavar="FILE",
    )  # fmt: skip
    layout: Layout | None = option(None, help="How the labels stand in the file.", unless_given="told by its columns")
    title: str = option("", help="Of the campaign that holds the labels.", longest=120)
    dry_run: bool = option(False, label="Check only", help="Check the file and change nothing.")
