"""The options of importing a suite; page, API and command line are made from them."""

from core.options import API, COMMAND, PAGE, File, Options, option
from core.text import _
from curation.bundles.options import BUNDLE, CONFLICTS, REFUSE
from curation.catalogue.options import LONGEST_LABEL
from curation.formats.registry import FORMATS


class ImportOptions(Options):
    """Import a suite: everything or nothing, and a second import of the same file changes nothing."""

    verb = "import_suite"

    file: File = option(
        None,
        help="A table (CSV, TSV, XLSX, JSON Lines, Parquet), or a zip archive of the folder of a published suite.",
        needed=(PAGE, API), without={COMMAND: "path names it"},
    )  # fmt: skip
    suite: str = option(help="Key of the suite. A new one is created.", positional=True)
    format: str = option(
        help="The layout of the file or folder.",
        choices={BUNDLE: _("Suite bundle"), **{one.name: one.title for one in FORMATS.values()}},
        aliases=("format_name",),
    )  # fmt: skip
    path: File = option(
        None, help="The folder or file.", metavar="DIR_OR_FILE", needed=(COMMAND,),
        without=dict.fromkeys((PAGE, API), "a file is uploaded"),
    )  # fmt: skip
    language: str = option(
        "", help="Code of the language of a table, or of the one language to read from a folder of several.",
        unless_given="en for a table without a language column; all languages of a folder", longest=20,
        metavar="CODE",
    )  # fmt: skip
    sheet: str = option(
        "", help="Name of the sheet to read from an Excel workbook.", unless_given="the first sheet", longest=31,
        metavar="NAME",
    )  # fmt: skip
    labels: tuple[str, ...] = option(
        (), help="Labels of a new suite, the positive one first.", unless_given="hateful and non-hateful",
        longest=LONGEST_LABEL, rows=3, metavar="LABEL",
    )  # fmt: skip
    on_conflict: str = option(
        REFUSE, label=_("Conflicts"), choices=CONFLICTS,
        help=_("For a bundle: what to do where a row is here already and differs."),
    )  # fmt: skip
    templates_only: bool = option(False, help="Read templates and word forms, not the texts of cases.")
    dry_run: bool = option(False, label="Dry run", help="Show what would change, and change nothing.")
