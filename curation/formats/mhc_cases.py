"""MHC's final_cases.csv: finished cases with three labels each, by annotators it does not identify."""

import ast
from collections.abc import Collection
from pathlib import Path

from core.tables.reading import Table
from core.text import _
from curation.formats.columns import (
    LABELS,
    case_of_cells,
    check_filled,
    check_label,
    check_templates,
    check_unique,
    read_suite_table,
    shortened,
    whole_number,
)
from curation.formats.values import CaseValue, LabelValue, SuiteValues

REQUIRED = ("mhc_case_id", "functionality", "test_case", "label_gold", "templ_id")
KEPT = ("gender_male", "gender_female", "label_annotated_maj", "disagreement_in_case", "disagreement_in_template")
OPTIONAL = ("target_ident", "ref_case_id", "ref_templ_id", "case_templ", "label_annotated", *KEPT)


def read_cases(path: Path, values: SuiteValues, *, known_templates: Collection[str], language: str) -> None:
    """Add the cases and labels of a file to `values`, with every fault located."""
    table = read_suite_table(path, required=REQUIRED, optional=OPTIONAL)
    rows: list[tuple[int, CaseValue]] = []
    seen: dict[str, int] = {}
    for row, cells in table.records() if table.readable else ():
        if (case := _case(table, row, cells, seen, language)) is not None:
            rows.append((row, case))
            values.labels.extend(_labels(table, row, case.key, cells.get("label_annotated", "")))
    check_templates(table, "templ_id", ((row, case.template) for row, case in rows), known_templates)
    references = ((row, case.refers_to_template) for row, case in rows)
    check_templates(table, "ref_templ_id", references, known_templates)
    _warn_of_lost_references(table, rows, seen)
    values.cases.extend(case for row, case in rows)
    values.case_places.update((case.key, (table.file, row)) for row, case in rows)
    values.problems.extend(table.problems)


def _case(table: Table, row: int, cells: dict[str, str], seen: dict[str, int], language: str) -> CaseValue | None:
    key = cells["mhc_case_id"]
    sound = check_filled(table, row, "mhc_case_id", key, "identifier")
    sound = sound and check_unique(table, row, "mhc_case_id", key, seen)
    sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
    sound &= check_label(table, row, "label_gold", cells["label_gold"], LABELS)
    sound &= check_filled(table, row, "test_case", cells["test_case"], "text")
    if not sound:
        return None
    if not any(character.isalnum() for character in cells["test_case"]):
        problem = _("the whole text is '%(text)s'", text=shortened(cells["test_case"].strip()))
        fix = _("a word is missing in the template or the lexicon: leave the case out")
        table.warn(row, "test_case", problem, fix)
    return case_of_cells(
        cells,
        key=key,
        language=language,
        refers_to=_reference(key, cells.get("ref_case_id", "")),
        extra=((name, cells[name]) for name in KEPT if name in cells),
    )


def _reference(key: str, cell: str) -> str | None:
    """Return the id that a reference stands for: the file refers to `spanish-1` as `1.0`."""
    number = whole_number(cell)
    if not number:
        return None
    prefix, dash, _old = key.rpartition("-")
    return f"{prefix}{dash}{number}" if number.isdigit() else number


def _labels(table: Table, row: int, key: str, cell: str) -> list[LabelValue]:
    if not cell.strip():
        return []
    try:
        labels = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        labels = None
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        fix = _("write a list such as ['hateful', 'non-hateful', 'hateful']")
        table.add(row, "label_annotated", _("'%(cell)s' is not a list of labels", cell=shortened(cell)), fix)
        return []
    return [
        LabelValue(key, str(place), label, is_identified=False)
        for place, label in enumerate(labels, 1)
        if check_label(table, row, "label_annotated", label, LABELS)
    ]


def _warn_of_lost_references(table: Table, rows: list[tuple[int, CaseValue]], known: Collection[str]) -> None:
    """Cases were removed after the references had been written, so a reference without its case is no fault."""
    for row, case in rows:
        if case.refers_to is not None and case.refers_to not in known:
            problem = _(
                "the case '%(case)s' that this one refers to is not in the file", case=shortened(case.refers_to)
            )
            fix = _("the reference is kept as text; add that case or empty the cell")
            table.warn(row, "ref_case_id", problem, fix)
