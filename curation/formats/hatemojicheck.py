"""HatemojiCheck: one table of cases whose functionalities have both labels, read and written.

Each group of cases (`test_group_id`) is a contrast set: an original and its perturbations, which `set` names.
"""

from collections.abc import Sequence
from pathlib import Path

from core.tables.reading import Table
from core.tables.writing import csv_bytes
from core.text import _, ngettext
from curation.formats.base import ReadOptions, SuiteFormat
from curation.formats.columns import check_filled, check_unique, read_suite_table, shortened, whole_number
from curation.formats.values import CaseValue, SuiteValues, TemplateValue

LABELS = {"1": "hateful", "0": "non-hateful"}
NUMBERS = {label: number for number, label in LABELS.items()}
INCLUDED = "included_in_test_suite"
KEPT = ("unrealistic_flags", INCLUDED)
COLUMNS = ("case_id", "templ_id", "test_group_id", "text", "target", "functionality", "set", "label_gold", *KEPT)
REQUIRED = ("case_id", "text", "functionality", "label_gold")
NOT_INCLUDED = {"0", "false", "no"}
NO_TARGET = {"", "none", "-", "n/a"}
TABLES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")


def read_hatemojicheck(path: Path, *, sheet: str | None = None, templates_only: bool = False) -> SuiteValues:
    """Read the cases of the published table. Cases that its authors left out of their test suite are not read."""
    values = SuiteValues()
    table = read_suite_table(_table_in(path), required=REQUIRED, optional=COLUMNS, sheet=sheet)
    if table.readable:
        _read_rows(table, values)
    values.problems.extend(table.problems)
    if templates_only:
        values.cases.clear()
    return values


def _table_in(path: Path) -> Path:
    found = [child for child in sorted(path.iterdir()) if child.suffix.lower() in TABLES] if path.is_dir() else []
    return found[0] if len(found) == 1 else path


def _read_rows(table: Table, values: SuiteValues) -> None:
    seen: dict[str, int] = {}
    templates: dict[str, TemplateValue] = {}
    left_out = 0
    for row, cells in table.records():
        key, number = whole_number(cells["case_id"]), whole_number(cells["label_gold"]).strip()
        if cells.get(INCLUDED, "").strip().lower() in NOT_INCLUDED:
            left_out += 1
            continue
        sound = check_filled(table, row, "case_id", key, "identifier") and check_unique(
            table, row, "case_id", key, seen
        )
        sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
        sound &= check_filled(table, row, "text", cells["text"], "text")
        if number not in LABELS:
            problem = _("the label '%(label)s' is not known", label=shortened(cells["label_gold"]))
            table.add(row, "label_gold", problem, _("write 1 for hateful or 0 for non-hateful"))
        elif sound:
            case = _case(key, LABELS[number], cells)
            values.cases.append(case)
            values.case_places[key] = (table.file, row)
            if case.template and case.template not in templates:
                templates[case.template] = _template(case, len(templates))
                values.template_places["en", case.template] = (table.file, row)
    values.templates.extend(templates.values())
    if left_out:
        problem = ngettext(
            "%(count)s case is not part of the published test suite and is left out",
            "%(count)s cases are not part of the published test suite and are left out",
            left_out,
        )
        table.warn(None, INCLUDED, problem, _("nothing to do"))


def _case(key: str, label: str, cells: dict[str, str]) -> CaseValue:
    target = cells.get("target", "").strip()
    return CaseValue(
        key=key,
        language="en",
        functionality=cells["functionality"].strip(),
        text=cells["text"],
        label=label,
        target="" if target.lower() in NO_TARGET else target,
        template=whole_number(cells.get("templ_id", "")) or None,
        extra=tuple((name, cells[name]) for name in KEPT if name in cells),
        contrast_set=whole_number(cells.get("test_group_id", "")),
        perturbation_set=cells.get("set", "").strip(),
    )


def _template(case: CaseValue, position: int) -> TemplateValue:
    """Return the template that a case names; the file does not tell its text."""
    assert case.template is not None
    return TemplateValue(case.template, "en", case.functionality, (), case.label, position, tells_features=False)


def write_hatemojicheck(cases: Sequence[CaseValue]) -> bytes:
    """Write the table. Raises ValueError for labels and languages that it cannot hold."""
    for case in cases:
        if case.label not in NUMBERS or case.language != "en":
            raise ValueError(
                _("case %(case)s: HatemojiCheck holds English cases that are hateful or non-hateful", case=case.key)
            )
    return csv_bytes([COLUMNS, *map(_row, cases)])


def _row(case: CaseValue) -> tuple[str, ...]:
    extra = dict(case.extra)
    cells = {
        "case_id": case.key,
        "templ_id": case.template or "",
        "test_group_id": case.contrast_set,
        "text": case.text,
        "target": case.target,
        "functionality": case.functionality,
        "set": case.perturbation_set,
        "label_gold": NUMBERS[case.label],
        "unrealistic_flags": extra.get("unrealistic_flags", ""),
        INCLUDED: extra.get(INCLUDED, "1"),
    }
    return tuple(cells[name] for name in COLUMNS)


def _read(path: Path, options: ReadOptions) -> SuiteValues:
    return read_hatemojicheck(path, sheet=options.sheet, templates_only=options.templates_only)


HATEMOJICHECK = SuiteFormat(
    name="hatemojicheck",
    title="HatemojiCheck",
    read=_read,
    write=lambda values, suite: {f"{suite}.csv": write_hatemojicheck(values.cases)},
    has_sheets=True,
    defaults={"raters": 3, "threshold": 2},
    case_key=lambda language: "{number}",
)
