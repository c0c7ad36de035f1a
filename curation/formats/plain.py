"""Reader of plain CSV: finished cases in the columns that `export_cases` writes, in any order."""

from __future__ import annotations

import json
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
from curation.publishing.cells import restore

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
OTHER_LABELS = ", or give a new suite labels of its own"
# Further columns of a release's cases.csv: known, and not part of a case that is brought in.
RELEASE = (
    "functionality_class",
    "origin",
    "label_annotated",
    "label_annotated_maj",
    "disagreement_in_case",
    "disagreement_in_template",
    "provenance",
    "extra",
    "sha256",
)
LANGUAGE_CODE_LENGTH = 35  # the longest that BCP 47 asks programs to hold


def read_plain(path: Path, *, language: str, labels: Collection[str] = LABELS) -> SuiteValues:
    """The cases of one CSV file. Never raises: faults are in `problems`.

    `language` is that of rows without a cell in the optional column `language`; `labels` are those of the suite.
    Columns that are not known are kept with the case and written back on export. In the file of cases of a release,
    what was defused for spreadsheets is restored, and a case may refer to one that was left out.
    """
    values = SuiteValues()
    table = read_table(path, required=REQUIRED, optional=OPTIONAL)
    if table.readable:
        _read_rows(table, values, language, labels, is_release=set(RELEASE) <= set(table.header))
    values.problems.extend(table.problems)
    return values


def _read_rows(table: Table, values: SuiteValues, language: str, labels: Collection[str], *, is_release: bool) -> None:
    known = (*REQUIRED, *OPTIONAL, *(RELEASE if is_release else ()))
    more = [name for name in table.header if name not in known]
    if kept := [name for name in more if name]:
        listed = ", ".join(f"'{name}'" for name in kept[:10])
        problem = f"{len(kept)} columns are not known ({listed})" if len(kept) > 1 else f"column {listed} is not known"
        table.warn(1, kept[0], problem, "nothing to do: they are kept and written back, but not used")
    numbered = table.has("case_id")
    seen: dict[str, int] = {}
    rows: list[tuple[int, CaseValue]] = []
    for place, (row, cells) in enumerate(table.records(), 1):
        extra = [(name, cells[name]) for name in more]
        if is_release:
            cells = {name: restore(cell) for name, cell in cells.items()}
            extra += _extra_of_release(cells["extra"])
        key = whole_number(cells["case_id"]) if numbered else str(place)
        sound = check_filled(table, row, "case_id", key, "identifier")
        sound = sound and check_unique(table, row, "case_id", key, seen)
        sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
        sound &= check_filled(table, row, "test_case", cells["test_case"], "text")
        sound &= check_label(table, row, "label_gold", cells["label_gold"], labels, otherwise=OTHER_LABELS)
        own = cells.get("language", "").strip() or language
        if len(own) > LANGUAGE_CODE_LENGTH or not own.replace("-", "").isalnum():
            fix = "write a code such as en, de or pt-BR"
            table.add(row, "language", f"'{shortened(own)}' is not a language code", fix)
            sound = False
        if sound:
            rows.append((row, _case(key, own, cells, extra)))
    values.case_places.update((case.key, (table.file, row)) for row, case in rows)
    values.template_places.update(
        ((case.language, case.template), (table.file, row)) for row, case in reversed(rows) if case.template
    )
    values.templates.extend(_templates(table, rows))
    if not is_release:
        references = ((row, case.refers_to) for row, case in rows)
        check_references(table, "ref_case_id", references, seen, "case")
        templates = {template.key for template in values.templates}
        named = ((row, case.refers_to_template) for row, case in rows)
        check_references(table, "ref_templ_id", named, templates, "template")
    values.cases.extend(case for _, case in rows)


def _extra_of_release(cell: str) -> list[tuple[str, str]]:
    """The columns that came with an earlier import, as a release keeps them; nothing where the cell is no object."""
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return []
    return [(str(name), str(value)) for name, value in found.items()] if isinstance(found, dict) else []


def _case(key: str, language: str, cells: dict[str, str], extra: list[tuple[str, str]]) -> CaseValue:
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
        extra=tuple(extra),
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
