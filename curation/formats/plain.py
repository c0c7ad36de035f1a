"""Plain tables: finished cases in the columns that `export_cases` writes, in any order, read and written."""

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from core.tables.cells import restore
from core.tables.json_lines import UNSTORABLE
from core.tables.reading import Table
from core.tables.writing import csv_bytes
from core.text import _, ngettext
from curation.fields import EXPORTED, IMPORTED, RELEASE_ONLY, TARGET_SEPARATOR, details_of
from curation.formats.base import ReadOptions, SuiteFormat
from curation.formats.columns import (
    LABELS,
    case_of_cells,
    check_cases,
    check_filled,
    check_label,
    check_templates,
    check_unique,
    read_suite_table,
    shortened,
    whole_number,
)
from curation.formats.template_findings import warn_of_findings
from curation.formats.values import CaseValue, SuiteValues, TemplateValue, VariantValue
from curation.morphology.realised import TARGETS_JOINED_BY

COLUMNS = tuple(field.column for field in EXPORTED)
REQUIRED = ("functionality", "test_case", "label_gold")
OPTIONAL = tuple(field.column for field in IMPORTED if field.column not in REQUIRED)
TABLES = (".csv", ".tsv", ".jsonl", ".xlsx", ".parquet")
USUAL_LANGUAGE = "en"
VARIANT = "Variant"  # the feature that tells texts of one template apart where the file does not say what each is for
LANGUAGE_CODE_LENGTH = 35  # the longest that BCP 47 asks programs to hold


def read_plain(
    path: Path, *, language: str | None = None, labels: Collection[str] = LABELS, sheet: str | None = None
) -> SuiteValues:
    """Return the cases of one CSV or JSONL file. Never raises: faults are in `problems`.

    `language` is that of rows without a cell in the optional column `language`, English where none is given; `labels`
    are those of the suite. Columns that are not known are kept with the case and written back on export. In the file
    of cases of a release, what was defused for spreadsheets is restored, and a case may refer to one that was left
    out; so it may in a file that `export_cases` wrote.
    """
    values = SuiteValues()
    table = read_suite_table(path, required=REQUIRED, optional=OPTIONAL, sheet=sheet)
    if table.readable:
        _read_rows(table, values, language, labels, is_release=set(RELEASE_ONLY) <= set(table.header))
    values.problems.extend(table.problems)
    return values


def _read_rows(
    table: Table, values: SuiteValues, language: str | None, labels: Collection[str], *, is_release: bool
) -> None:
    is_ours = is_release or tuple(table.header[: len(COLUMNS)]) == COLUMNS
    if is_ours and language is None and not table.has("language"):
        problem = _("the file does not name its language; its rows are read as '%(code)s'", code=USUAL_LANGUAGE)
        table.warn(1, "language", problem, _("if it is another language, name it when you import"))
    known = (*REQUIRED, *OPTIONAL, *(RELEASE_ONLY if is_release else ()))
    more = [name for name in table.header if name not in known]
    if kept := [name for name in more if name]:
        problem = ngettext(
            "%(count)s column is not known: %(columns)s",
            "%(count)s columns are not known: %(columns)s",
            len(kept),
            columns=[f"'{name}'" for name in kept[:10]],
        )
        table.warn(1, kept[0], problem, _("nothing to do: they are kept and written back, but not used"))
    numbered = table.has("case_id")
    seen: dict[str, int] = {}
    rows: list[tuple[int, CaseValue]] = []
    for place, (row, cells) in enumerate(table.records(), 1):
        extra = [(name, cells[name]) for name in more]
        if is_release:
            if not table.is_exact:
                cells = {name: restore(cell) for name, cell in cells.items()}
            extra += _extra_of_release(cells["extra"])
            if "target_ident" in cells:
                cells["target_ident"] = cells["target_ident"].replace(TARGET_SEPARATOR, TARGETS_JOINED_BY)
        key = whole_number(cells["case_id"]) if numbered else str(place)
        sound = check_filled(table, row, "case_id", key, "identifier")
        sound = sound and check_unique(table, row, "case_id", key, seen)
        sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
        sound &= check_filled(table, row, "test_case", cells["test_case"], "text")
        sound &= check_label(table, row, "label_gold", cells["label_gold"], labels, may_be_new=True)
        own = cells.get("language", "").strip() or language or USUAL_LANGUAGE
        if len(own) > LANGUAGE_CODE_LENGTH or not own.replace("-", "").isalnum():
            fix = _("write a code such as en, de or pt-BR")
            table.add(row, "language", _("'%(code)s' is not a language code", code=shortened(own)), fix)
            sound = False
        if sound:
            rows.append((row, case_of_cells(cells, key=key, language=own, extra=extra)))
    values.case_places.update((case.key, (table.file, row)) for row, case in rows)
    values.template_places.update(
        ((case.language, case.template), (table.file, row)) for row, case in reversed(rows) if case.template
    )
    values.templates.extend(_templates(table, rows))
    if not is_ours:
        references = ((row, case.refers_to) for row, case in rows)
        check_cases(table, "ref_case_id", references, seen)
        templates = {template.key for template in values.templates}
        named = ((row, case.refers_to_template) for row, case in rows)
        check_templates(table, "ref_templ_id", named, templates)
    values.cases.extend(case for row, case in rows)


def _extra_of_release(cell: str) -> list[tuple[str, str]]:
    """Return the columns that came with an earlier import, as a release keeps them; nothing where it is no object."""
    try:
        found = json.loads(cell)
    except (ValueError, RecursionError):
        return []
    pairs = [(str(name), str(value)) for name, value in found.items()] if isinstance(found, dict) else []
    return [] if any(UNSTORABLE.search(text) for pair in pairs for text in pair) else pairs


@dataclass(slots=True)
class _Named:
    """A template as its rows tell it: the first row that names it, and its texts with the first row of each."""

    row: int
    case: CaseValue
    texts: dict[str, int] = field(default_factory=dict)


def _templates(table: Table, rows: list[tuple[int, CaseValue]]) -> list[TemplateValue]:
    """Return the templates that the cases name, each once; without a variant where the file does not tell the text."""
    found: dict[tuple[str, str], _Named] = {}
    for row, case in rows:
        if case.template is None:
            if case.template_text.strip():
                problem = _("there is a template text but no templ_id")
                table.add(row, "templ_id", problem, _("give each template an identifier, or empty case_templ"))
            continue
        named = found.setdefault((case.language, case.template), _Named(row, case))
        if named.case.functionality != case.functionality:
            problem = _(
                "template %(template)s has another functionality than in row %(row)s",
                template=shortened(case.template),
                row=named.row,
            )
            fix = _("make all rows of a template agree, or give them different templ_id")
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
            **details_of(named.case),
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
        problem = ngettext(
            "template %(template)s has %(count)s text; each case keeps its own",
            "template %(template)s has %(count)s texts; each case keeps its own",
            len(named.texts),
            template=key,
        )
        fix = _(
            "before you generate new cases, open the template and replace %(feature)s=1, %(feature)s=2 by what each "
            "text is for, such as Gender=Masc and Gender=Fem",
            feature=VARIANT,
        )
        table.warn(row, "case_templ", problem, fix)


def plain_row(case: CaseValue) -> tuple[str, ...]:
    """Return one case in the order of `COLUMNS`."""
    return tuple(getattr(case, field.value) or "" for field in EXPORTED)


def write_plain(cases: Sequence[CaseValue]) -> bytes:
    """Return one CSV file with all cases; a column `language` only where there is more than one."""
    mixed = len({case.language for case in cases}) > 1
    kept = list(dict.fromkeys(name for case in cases for name, cell in case.extra if name not in COLUMNS))
    header = (*COLUMNS, *(("language",) if mixed else ()), *kept)
    return csv_bytes(_with_header(header, cases, kept, mixed=mixed))


def _with_header(
    header: tuple[str, ...], cases: Iterable[CaseValue], kept: list[str], *, mixed: bool
) -> Iterator[tuple[str, ...]]:
    yield header
    for case in cases:
        extra = dict(case.extra)
        language = (case.language,) if mixed else ()
        yield (*plain_row(case), *language, *(extra.get(name, "") for name in kept))


def _read(path: Path, options: ReadOptions) -> SuiteValues:
    values = read_plain(_only_table(path), language=options.language, labels=options.labels, sheet=options.sheet)
    if options.templates_only:
        values.cases.clear()
    return values


def _only_table(path: Path) -> Path:
    """Return the one table in a folder, as an archive of ours holds it; any other path stays."""
    tables = [child for child in path.iterdir() if child.suffix.lower() in TABLES] if path.is_dir() else []
    return tables[0] if len(tables) == 1 else path


PLAIN = SuiteFormat(
    name="csv",
    title=_("Table, one case per row"),
    read=_read,
    has_sheets=True,
    write=lambda values, suite: {f"{suite}.csv": write_plain(values.cases)},
)
