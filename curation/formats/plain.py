"""Reader of plain CSV: finished cases in the columns that `export_cases` writes, in any order."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from curation.formats.columns import (
    LABELS,
    check_filled,
    check_label,
    check_references,
    check_unique,
    shortened,
    whole_number,
)
from curation.formats.tables import Table, read_table
from curation.formats.template_findings import warn_of_findings
from curation.formats.values import CaseValue, SuiteValues, TemplateValue, VariantValue

REQUIRED = ("functionality", "test_case", "label_gold")
OPTIONAL = (
    "case_id",
    "target_ident",
    "direction",
    "focus_words",
    "focus_lemma",
    "ref_case_id",
    "ref_templ_id",
    "templ_id",
    "case_templ",
    "language",
)
LANGUAGE_CODE_LENGTH = 35  # the longest that BCP 47 asks programs to hold


def read_plain(path: Path, *, language: str, labels: Collection[str] = LABELS) -> SuiteValues:
    """The cases of one CSV file. Never raises: faults are in `problems`.

    `language` is that of rows without a cell in the optional column `language`; `labels` are those of the suite.
    Columns that are not known are kept with the case and written back on export.
    """
    values = SuiteValues()
    table = read_table(path, required=REQUIRED, optional=OPTIONAL)
    if table.readable:
        _read_rows(table, values, language, labels)
    values.problems.extend(table.problems)
    return values


def _read_rows(table: Table, values: SuiteValues, language: str, labels: Collection[str]) -> None:
    more = [name for name in table.header if name not in REQUIRED and name not in OPTIONAL]
    if kept := [name for name in more if name]:
        listed = ", ".join(f"'{name}'" for name in kept[:10])
        problem = f"{len(kept)} columns are not known ({listed})" if len(kept) > 1 else f"column {listed} is not known"
        table.warn(1, kept[0], problem, "nothing to do: they are kept and written back, but not used")
    numbered = table.has("case_id")
    seen: dict[str, int] = {}
    rows: list[tuple[int, CaseValue]] = []
    for place, (row, cells) in enumerate(table.records(), 1):
        key = whole_number(cells["case_id"]) if numbered else str(place)
        sound = check_filled(table, row, "case_id", key, "identifier")
        sound = sound and check_unique(table, row, "case_id", key, seen)
        sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
        sound &= check_filled(table, row, "test_case", cells["test_case"], "text")
        sound &= check_label(table, row, "label_gold", cells["label_gold"], labels)
        own = cells.get("language", "").strip() or language
        if len(own) > LANGUAGE_CODE_LENGTH or not own.replace("-", "").isalnum():
            fix = "write a code such as en, de or pt-BR"
            table.add(row, "language", f"'{shortened(own)}' is not a language code", fix)
            sound = False
        if sound:
            rows.append((row, _case(key, own, cells, more)))
    references = ((row, case.refers_to) for row, case in rows)
    check_references(table, "ref_case_id", references, seen, "case")
    values.cases.extend(case for _, case in rows)
    values.templates.extend(_templates(table, rows))


def _case(key: str, language: str, cells: dict[str, str], more: list[str]) -> CaseValue:
    return CaseValue(
        key=key,
        language=language,
        functionality=cells["functionality"],
        text=cells["test_case"],
        label=cells["label_gold"],
        target=cells.get("target_ident", ""),
        template=whole_number(cells.get("templ_id", "")) or None,
        refers_to=whole_number(cells.get("ref_case_id", "")) or None,
        refers_to_template=whole_number(cells.get("ref_templ_id", "")) or None,
        direction=cells.get("direction", ""),
        focus_words=cells.get("focus_words", ""),
        focus_lemma=cells.get("focus_lemma", ""),
        template_text=cells.get("case_templ", ""),
        extra=tuple((name, cells[name]) for name in more),
    )


def _templates(table: Table, rows: list[tuple[int, CaseValue]]) -> list[TemplateValue]:
    """The templates that the cases name, each once; without a variant where the file does not tell the text."""
    found: dict[tuple[str, str], tuple[int, CaseValue]] = {}
    for row, case in rows:
        if case.template is None:
            if case.template_text.strip():
                problem = "there is a template text but no templ_id"
                table.add(row, "templ_id", problem, "give each template an identifier, or empty case_templ")
            continue
        first_row, first = found.setdefault((case.language, case.template), (row, case))
        for attribute, column in (("functionality", "functionality"), ("template_text", "case_templ")):
            if getattr(first, attribute) != getattr(case, attribute):
                problem = f"template {shortened(case.template)} has another {column} than in row {first_row}"
                table.add(row, column, problem, "make all rows of a template agree, or give them different templ_id")
    for row, case in found.values():
        warn_of_findings(table, row, {"case_templ": VariantValue("", case.template_text)})
    known = {key for _, key in found}
    check_references(table, "ref_templ_id", ((row, case.refers_to_template) for row, case in rows), known, "template")
    return [
        TemplateValue(
            key=key,
            language=language,
            functionality=case.functionality,
            variants=(VariantValue("", case.template_text),) if case.template_text.strip() else (),
            label=case.label,
            position=position,
            refers_to=case.refers_to_template,
            direction=case.direction,
            focus_words=case.focus_words,
            focus_lemma=case.focus_lemma,
            target="" if "[" in case.template_text else case.target,
        )
        for position, ((language, key), (_, case)) in enumerate(found.items())
    ]
