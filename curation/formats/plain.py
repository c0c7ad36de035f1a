"""Reader of plain CSV or JSONL: finished cases in the columns that `export_cases` writes, in any order."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass, field
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
from curation.formats.json_lines import UNSTORABLE
from curation.formats.tables import Table, read_table
from curation.formats.template_findings import warn_of_findings
from curation.formats.values import CaseValue, SuiteValues, TemplateValue, VariantValue
from curation.formats.writing_plain import COLUMNS
from curation.morphology.realised import TARGETS_JOINED_BY
from curation.publishing.blocks import TARGET_SEPARATOR
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
USUAL_LANGUAGE = "en"
VARIANT = "Variant"  # the feature that tells texts of one template apart where the file does not say what each is for
LANGUAGE_CODE_LENGTH = 35  # the longest that BCP 47 asks programs to hold


def read_plain(path: Path, *, language: str | None = None, labels: Collection[str] = LABELS) -> SuiteValues:
    """The cases of one CSV or JSONL file. Never raises: faults are in `problems`.

    `language` is that of rows without a cell in the optional column `language`, English where none is given; `labels`
    are those of the suite. Columns that are not known are kept with the case and written back on export. In the file
    of cases of a release, what was defused for spreadsheets is restored, and a case may refer to one that was left
    out; so it may in a file that `export_cases` wrote.
    """
    values = SuiteValues()
    table = read_table(path, required=REQUIRED, optional=OPTIONAL)
    if table.readable:
        _read_rows(table, values, language, labels, is_release=set(RELEASE) <= set(table.header))
    values.problems.extend(table.problems)
    return values


def _read_rows(
    table: Table, values: SuiteValues, language: str | None, labels: Collection[str], *, is_release: bool
) -> None:
    is_ours = is_release or tuple(table.header[: len(COLUMNS)]) == COLUMNS
    if is_ours and language is None and not table.has("language"):
        problem = f"the file does not say its language; its rows are read as '{USUAL_LANGUAGE}'"
        table.warn(1, "language", problem, "name the language when you import, if it is another one")
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
            if not table.is_json:
                cells = {name: restore(cell) for name, cell in cells.items()}
            extra += _extra_of_release(cells["extra"])
            if "target_ident" in cells:
                cells["target_ident"] = cells["target_ident"].replace(TARGET_SEPARATOR, TARGETS_JOINED_BY)
        key = whole_number(cells["case_id"]) if numbered else str(place)
        sound = check_filled(table, row, "case_id", key, "identifier")
        sound = sound and check_unique(table, row, "case_id", key, seen)
        sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
        sound &= check_filled(table, row, "test_case", cells["test_case"], "text")
        sound &= check_label(table, row, "label_gold", cells["label_gold"], labels, otherwise=OTHER_LABELS)
        own = cells.get("language", "").strip() or language or USUAL_LANGUAGE
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
    if not is_ours:
        references = ((row, case.refers_to) for row, case in rows)
        check_references(table, "ref_case_id", references, seen, "case")
        templates = {template.key for template in values.templates}
        named = ((row, case.refers_to_template) for row, case in rows)
        check_references(table, "ref_templ_id", named, templates, "template")
    values.cases.extend(case for _, case in rows)


def _extra_of_release(cell: str) -> list[tuple[str, str]]:
    """The columns that came with an earlier import, as a release keeps them; nothing where it is no object."""
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return []
    pairs = [(str(name), str(value)) for name, value in found.items()] if isinstance(found, dict) else []
    return [] if any(UNSTORABLE.search(text) for pair in pairs for text in pair) else pairs


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


@dataclass(slots=True)
class _Named:
    """A template as its rows tell it: the first row that names it, and its texts with the first row of each."""

    row: int
    case: CaseValue
    texts: dict[str, int] = field(default_factory=dict)


def _templates(table: Table, rows: list[tuple[int, CaseValue]]) -> list[TemplateValue]:
    """The templates that the cases name, each once; without a variant where the file does not tell the text."""
    found: dict[tuple[str, str], _Named] = {}
    for row, case in rows:
        if case.template is None:
            if case.template_text.strip():
                problem = "there is a template text but no templ_id"
                table.add(row, "templ_id", problem, "give each template an identifier, or empty case_templ")
            continue
        named = found.setdefault((case.language, case.template), _Named(row, case))
        if named.case.functionality != case.functionality:
            problem = f"template {shortened(case.template)} has another functionality than in row {named.row}"
            fix = "make all rows of a template agree, or give them different templ_id"
            table.add(row, "functionality", problem, fix)
        if case.template_text.strip():
            named.texts.setdefault(case.template_text, row)
    for named in found.values():
        _warn_of_texts(table, named)
    return [
        TemplateValue(
            key=key,
            language=language,
            functionality=named.case.functionality,
            variants=_variants(named),
            label=named.case.label,
            position=position,
            refers_to=named.case.refers_to_template,
            direction=named.case.direction,
            focus_words=named.case.focus_words,
            focus_lemma=named.case.focus_lemma,
            target="" if any("[" in text for text in named.texts) else named.case.target,
            tells_features=False,
        )
        for position, ((language, key), named) in enumerate(found.items())
    ]


def _variants(named: _Named) -> tuple[VariantValue, ...]:
    """The texts of a template. Several are told apart by a feature no word has, so that no word fills a wrong one."""
    if len(named.texts) == 1:
        return (VariantValue("", next(iter(named.texts))),)
    return tuple(VariantValue(f"{VARIANT}={place}", text, place - 1) for place, text in enumerate(named.texts, 1))


def _warn_of_texts(table: Table, named: _Named) -> None:
    for text, row in named.texts.items():
        warn_of_findings(table, row, {"case_templ": VariantValue("", text)})
    if len(named.texts) > 1:
        row, key = list(named.texts.values())[1], shortened(named.case.template or "")
        problem = f"template {key} has {len(named.texts)} texts; each case keeps its own"
        fix = (
            f"before you generate new cases, open the template and replace {VARIANT}=1, {VARIANT}=2 by what each "
            "text is for, such as Gender=Masc and Gender=Fem"
        )
        table.warn(row, "case_templ", problem, fix)
