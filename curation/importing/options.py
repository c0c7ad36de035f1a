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
        None, label=_("File"),
        help=_("A table (CSV, TSV, XLSX, JSON Lines, Parquet), or a zip archive of the folder of a published suite."),
        needed=(PAGE, API), without={COMMAND: "path names it"},
    )  # fmt: skip
    suite: str = option(
        label=_("Suite (key)"), help=_("Key of the suite, for example czech. A new suite is created."), positional=True
    )
    format: str = option(
        label=_("Format"), help=_("The layout of the file or folder."),
        choices={BUNDLE: _("Suite bundle"), **{one.name: one.title for one in FORMATS.values()}},
        aliases=("format_name",),
    )  # fmt: skip
    path: File = option(
        None, help=_("The folder or file."), metavar="DIR_OR_FILE", needed=(COMMAND,),
        without=dict.fromkeys((PAGE, API), "a file is uploaded"),
    )  # fmt: skip
    language: str = option(
        "", label=_("Language code"),
        help=_("The language of a table, or the one language to read from a folder with several. Example: de."),
        unless_given=_("en for a table without a language column; all languages of a folder"), longest=20,
        metavar="CODE",
    )  # fmt: skip
    sheet: str = option(
        "", label=_("Sheet"), help=_("Name of the sheet to read from an Excel workbook."),
        unless_given=_("the first sheet"), longest=31, metavar="NAME",
    )  # fmt: skip
    labels: tuple[str, ...] = option(
        (), label=_("Labels"), help=_("Labels of a new suite, one per line, the positive one first."),
        unless_given=_("hateful and non-hateful"), longest=LONGEST_LABEL, rows=3, metavar="LABEL",
    )  # fmt: skip
    on_conflict: str = option(
        REFUSE, label=_("Conflicts"), choices=CONFLICTS,
        help=_("For a bundle: what to do with rows that exist here and differ."),
    )  # fmt: skip
    templates_only: bool = option(
        False, label=_("Templates only"), help=_("Read templates and word forms, but not the texts of cases.")
    )
    dry_run: bool = option(False, label=_("Dry run"), help=_("Show what would be imported, without changing anything."))
