"""Writer of MHC's word files, as they were laid out, or in one table per kind where no layout is known."""

from collections import defaultdict

from core.tables.writing import csv_bytes
from curation.formats.mhc_words import CASE_COLUMNS, TARGET
from curation.formats.tokens import parse_token, repair_token
from curation.formats.values import EntryValue, FormValue, LayoutValue, SuiteValues

FILES = {"identity": "placeholders/IDENT.csv", "slur": "placeholders/SLR.csv"}
NO_FORM = "-"


def write_words(values: SuiteValues, *, language: str) -> dict[str, bytes]:
    """The word files of one language, by path. Forms without a token are left out: the format has no place for them."""
    entries = {entry.key: entry for entry in values.entries if entry.language == language}
    forms = [form for form in values.forms if form.language == language and form.entry in entries and form.token]
    layouts = [layout for layout in values.layouts if layout.language == language]
    return {
        layout.file: _write(layout, entries, forms) for layout in layouts or _default_layouts(entries, forms, language)
    }


def _write(layout: LayoutValue, entries: dict[str, EntryValue], forms: list[FormValue]) -> bytes:
    stem = layout.file.removeprefix("placeholders/").removesuffix(".csv")
    one_token = stem.startswith("[")
    rows: dict[int, dict[str, str]] = defaultdict(dict)
    for position, column, cell in layout.blanks:
        rows[position][column] = cell
    for form in forms:
        entry = entries[form.entry]
        if one_token and form.token == stem:
            column = _case_column(form, entry.language)
        elif not one_token and FILES.get(entry.kind) == layout.file and form.token in layout.columns:
            column = form.token
        else:
            continue
        rows[form.position].update({TARGET: entry.target, column: form.text})
    table = [[rows[position].get(name, NO_FORM) for name in layout.columns] for position in sorted(rows)]
    return csv_bytes((layout.columns, *table), newline=layout.newline, ends_with_newline=layout.ends_with_newline)


def _case_column(form: FormValue, language: str) -> str:
    parts = form.features.split("|")
    return next((column for column, feature in CASE_COLUMNS.get(language, {}).items() if feature in parts), TARGET)


def _default_layouts(entries: dict[str, EntryValue], forms: list[FormValue], language: str) -> list[LayoutValue]:
    tokens = sorted({form.token for form in forms}, key=_column_order)
    if columns := CASE_COLUMNS.get(language):
        return [LayoutValue(f"placeholders/{token}.csv", language, (TARGET, *columns)) for token in tokens]
    kinds = {form.token: entries[form.entry].kind for form in forms}
    return [
        LayoutValue(file, language, (TARGET, *(token for token in tokens if kinds[token] == kind)))
        for kind, file in FILES.items()
        if kind in kinds.values()
    ]


def _column_order(token: str) -> tuple[str, str, str]:
    parsed = parse_token(repair_token(token))
    return (parsed.perturbation, parsed.features, token) if parsed else ("", "", token)
