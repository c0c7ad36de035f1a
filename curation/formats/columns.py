"""What files of every format share: how long cells may be, and checks of identifiers, labels and references."""

from collections.abc import Collection, Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path

from core.tables.reading import Table, read_table
from core.text import _
from curation.fields import IMPORTED, LONGEST, Kind
from curation.formats.values import CaseValue, case_value

LABELS = ("hateful", "non-hateful")
# What is wrong with a cell that must not be empty, and what to do, by what it should hold.
EMPTY = {
    "identifier": (_("the identifier is empty"), _("write the identifier or remove the row")),
    "template": (_("the template's identifier is empty"), _("write the template's identifier or remove the row")),
    "functionality": (_("the functionality is empty"), _("write the functionality or remove the row")),
    "template text": (_("the template text is empty"), _("write the template text or remove the row")),
    "text": (_("the text is empty"), _("write the text or remove the row")),
    "message": (_("the message is empty"), _("write the message or remove the row")),
}
# What the database holds of each; a test compares.
LIMITS = {**LONGEST, "mhc_case_id": LONGEST["case_id"], "TARGET": LONGEST["target_ident"]}


def read_suite_table(
    path: Path,
    *,
    required: Collection[str],
    optional: Collection[str] = (),
    name: str | None = None,
    sheet: str | None = None,
) -> Table:
    """Return the rows of a file of a suite; cells that the database cannot hold are problems."""
    return read_table(path, required=required, optional=optional, name=name, sheet=sheet, longest=LIMITS)


def whole_number(cell: str) -> str:
    """An identifier as typed, without the `.0` that spreadsheet programs and pandas add to whole numbers."""
    return cell[:-2] if cell.endswith(".0") and cell[:-2].isdigit() else cell


def case_of_cells(
    cells: Mapping[str, str], *, language: str, extra: Iterable[tuple[str, str]] = (), **known: str | None
) -> CaseValue:
    """Return the case that a row holds in the columns of `curation.fields`; `known` replaces what its cells say."""
    texts: dict[str, str | None] = {field.value: cells.get(field.column, "") for field in IMPORTED}
    keys = {field.value: whole_number(cells.get(field.column, "")) for field in IMPORTED if field.kind is Kind.KEY}
    return case_value({**texts, **keys, "language": language, **known}, extra=extra)


def check_label(
    table: Table, row: int, column: str, label: str, labels: Collection[str], *, may_be_new: bool = False
) -> bool:
    """Report a label that the suite does not know; `may_be_new` where a new suite can have labels of its own."""
    if label in labels:
        return True
    known = [f"'{name}'" for name in labels]
    fix = (
        _("write one of %(labels)s, or give a new suite labels of its own", labels=known)
        if may_be_new
        else _("write one of %(labels)s", labels=known)
    )
    if not label.strip():
        table.add(row, column, _("the label is empty"), fix)
        return False
    close = get_close_matches(label.strip().lower()[:60], [name.lower() for name in labels], n=1, cutoff=0.6)
    if wanted := next((name for name in labels if close and name.lower() == close[0]), None):
        fix = _("write '%(label)s'", label=wanted)
    table.add(row, column, _("the label '%(label)s' is not known", label=shortened(label)), fix)
    return False


def check_filled(table: Table, row: int, column: str, cell: str, what: str) -> bool:
    """Report a cell that must not be empty; `what` is one of `EMPTY`."""
    if cell.strip():
        return True
    table.add(row, column, *EMPTY[what])
    return False


def check_unique(table: Table, row: int, column: str, key: str, seen: dict[str, int]) -> bool:
    """Report an identifier that an earlier row has."""
    if key in seen:
        problem = _("'%(key)s' is also in row %(row)s", key=shortened(key), row=seen[key])
        table.add(row, column, problem, _("give each row an identifier of its own"))
        return False
    seen[key] = row
    return True


def check_cases(
    table: Table, column: str, references: Iterable[tuple[int, str | None]], known: Collection[str]
) -> None:
    """Report references to cases that the file does not hold."""
    for row, key in references:
        if key is not None and key not in known:
            problem = _("there is no case '%(key)s'", key=shortened(key))
            table.add(row, column, problem, _("correct it, empty the cell, or add that case"))


def check_templates(
    table: Table, column: str, references: Iterable[tuple[int, str | None]], known: Collection[str]
) -> None:
    """Report references to templates that the file does not hold."""
    for row, key in references:
        if key is not None and key not in known:
            problem = _("there is no template '%(key)s'", key=shortened(key))
            table.add(row, column, problem, _("correct it, empty the cell, or add that template"))


def shortened(text: str, length: int = 60) -> str:
    """A text short enough for a message."""
    return text if len(text) <= length else text[: length - 1] + "…"
