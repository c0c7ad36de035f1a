"""The options of labels in and cases out; pages, API and command lines are made from them."""

from typing import Literal

from annotation.labels.files import Layout
from annotation.labels.tools.registry import READ, TOOLS
from core.options import COMMAND, PAGE, File, Options, only, option
from core.text import _

LabelFileKind = Literal["csv", "jsonl"]


class LabelFileOptions(Options):
    """Which file of labels is imported, and how it is read."""

    verb = "import_labels"

    suite: str = option(
        "",
        help=_("Key of the suite."),
        positional=True,
        needed=(COMMAND,),
        without=only(COMMAND, "the address says it"),
    )
    file: File = option(
        label=_("File"),
        help=_(
            "A table with one row per label (case_id, annotator, label), an export of Touchstone, Label Studio, "
            "doccano, Argilla, Prodigy or Mechanical Turk, or a file in the layout of HateCheck or Multilingual "
            "HateCheck."
        ),
        flag="--path", metavar="FILE",
    )  # fmt: skip
    layout: Layout | None = option(
        None, label=_("Layout"), help=_("How the file holds the labels, for example one row per label."),
        choices={
            "long": _("One row per label"),
            "lists": _("Lists of labels (Multilingual HateCheck)"),
            "wide": _("One column per annotator (HateCheck)"),
            **{name: tool.title for name, tool in READ.items()},
        },
        unless_given=_("detect from the content"),
    )  # fmt: skip
    title: str = option(
        "",
        label=_("Title"),
        help=_("Title of the campaign that holds the labels, such as Pilot of May."),
        longest=120,
    )
    dry_run: bool = option(False, label=_("Check only"), help=_("Check the file and change nothing."))


class ToolExportOptions(Options):
    """Which cases are sent to which annotation tool."""

    verb = "export_tasks"

    suite: str = option(
        "",
        help=_("Key of the suite."),
        positional=True,
        needed=(COMMAND,),
        without=only(COMMAND, "the address says it"),
    )
    tool: str = option(
        label=_("Tool"),
        help=_("The annotation tool or platform, for example Label Studio."),
        choices={name: tool.title for name, tool in TOOLS.items()},
        flag="--format",
    )
    campaign: str = option(
        "",
        label=_("Campaign"),
        help=_("Only the cases of this campaign, with its question and guideline."),
        unless_given=_("all cases that can be labelled"),
    )
    language: str | None = option(
        None, label=_("Language"), help=_("Only cases in this language, for example de."), unless_given=_("all")
    )
    only_unlabelled: bool = option(
        False, label=_("Only cases without a verdict"), help=_("Leave out cases that have been labelled before.")
    )
    out: File = option(
        None,
        help=_("A folder for the files, or one archive where the name ends in .zip."),
        needed=(COMMAND,),
        metavar="DIR|FILE.zip",
        without=only(COMMAND, "it is downloaded as one archive"),
    )


class TakeBackOptions(Options):
    """Which import of labels is taken back, and why."""

    verb = "take_back_labels"

    campaign: str = option(
        "",
        help=_("Key of the campaign that holds the imported labels."),
        positional=True,
        needed=(COMMAND,),
        without=only(COMMAND, "the address says it"),
    )
    reason: str = option(
        "",
        label=_("Reason"),
        help=_("Why the labels no longer count, for example: labelled with the wrong guideline. It is kept."),
        needed=(PAGE,),
        longest=500,
        rows=2,
    )
    dry_run: bool = option(
        False,
        label=_("Check only"),
        help=_("Say what it would do, and change nothing."),
        without={PAGE: "the page says it before anything is done"},
    )


class LabelExportOptions(Options):
    """Which labels are exported, and how."""

    verb = "export_labels"

    suite: str = option(
        "",
        help=_("Key of the suite."),
        positional=True,
        needed=(COMMAND,),
        without=only(COMMAND, "the address says it"),
    )
    campaign: str = option(
        "", label=_("Campaign"), help=_("Only the labels of this campaign."), unless_given=_("all campaigns")
    )
    with_text: bool = option(
        False, label=_("With the texts"), help=_("Add a column with the text of each case."), aliases=("texts",)
    )
    kind: LabelFileKind = option(
        "csv",
        label=_("File"),
        help=_("A table, or one JSON object per line."),
        choices={"csv": _("CSV"), "jsonl": _("JSON Lines")},
        aliases=("as",),
        without={COMMAND: "the ending of the file says it"},
    )
    out: File = option(
        None,
        help=_("The file to write; JSON Lines where the name ends in .jsonl."),
        needed=(COMMAND,),
        metavar="FILE.csv|FILE.jsonl",
        without=only(COMMAND, "it is downloaded"),
    )
