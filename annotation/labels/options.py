"""The options of importing labels; page, API and command line are made from them."""

from annotation.labels.files import Layout
from annotation.labels.tools.registry import READ
from core.options import COMMAND, File, Options, only, option
from core.text import _


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
