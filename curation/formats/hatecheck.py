"""Reader of HateCheck's released files: all_cases.csv, template_placeholders.csv and all_annotations.csv."""

from collections.abc import Collection
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import Table
from core.text import _
from curation.fields import EXPORTED, details_of
from curation.formats.base import SuiteFormat
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
from curation.formats.hatecheck_words import NUMBER_COLUMN, WordLists, read_words
from curation.formats.template_findings import warn_of_findings
from curation.formats.values import CaseValue, LabelValue, SuiteValues, TemplateValue, VariantValue
from curation.formats.writing_hatecheck import CASE_HEADER, write_hatecheck

CASE_FILES = ("all_cases.csv", "test_suite_cases.csv")
ANNOTATION_FILES = ("all_annotations.csv", "test_suite_annotations.csv")
PLACEHOLDER_FILE = "template_placeholders.csv"
LANGUAGE = "en"
REQUIRED = ("functionality", "case_id", "test_case", "label_gold", "templ_id", "case_templ")
OPTIONAL = (NUMBER_COLUMN, *(field.column for field in EXPORTED if field.column not in REQUIRED))


def read_hatecheck(folder_or_file: Path, *, templates_only: bool = False) -> SuiteValues:
    """Everything in a folder of HateCheck's files, or in its file of cases. Never raises: faults are in `problems`.

    With `templates_only` the texts of the cases and the annotations are not read.
    """
    values = SuiteValues()
    case_file, folder = _locate(folder_or_file)
    if case_file is None:
        values.problems.append(
            Problem(
                folder_or_file.name,
                None,
                None,
                _("the folder holds no all_cases.csv")
                if folder_or_file.is_dir()
                else _("there is no such file or folder"),
                _("name the folder that holds all_cases.csv, or that file"),
            )
        )
        return values
    required = tuple(name for name in REQUIRED if not (templates_only and name == "test_case"))
    table = read_suite_table(case_file, required=required, optional=(*OPTIONAL, "test_case"))
    if not table.readable:
        values.problems.extend(table.problems)
        return values
    known: dict[str, int] = {}
    rows = _case_rows(table, known, with_text=not templates_only)
    values.templates.extend(_templates(table, rows))
    values.case_places.update((case.key, (table.file, row)) for row, case in rows)
    values.template_places.update(
        ((case.language, case.template), (table.file, row)) for row, case in reversed(rows) if case.template
    )
    check_cases(table, "ref_case_id", ((row, case.refers_to) for row, case in rows), known)
    values.problems.extend(table.problems)
    words = read_words(folder / PLACEHOLDER_FILE, rows, use_texts=not templates_only)
    values.entries.extend(words.entries)
    values.forms.extend(words.forms)
    values.problems.extend(words.problems)
    values.problems.extend(_unknown_tokens(table, values.templates, words))
    if not templates_only:
        values.cases.extend(case for row, case in rows)
        _read_annotations(folder, values, known)
    return values


def _locate(path: Path) -> tuple[Path | None, Path]:
    if path.is_dir():
        return next((path / name for name in CASE_FILES if (path / name).exists()), None), path
    return (path if path.exists() else None), path.parent


def _case_rows(table: Table, seen: dict[str, int], *, with_text: bool) -> list[tuple[int, CaseValue]]:
    rows: list[tuple[int, CaseValue]] = []
    for row, cells in table.records():
        key = whole_number(cells["case_id"])
        sound = check_filled(table, row, "case_id", key, "identifier")
        sound = sound and check_unique(table, row, "case_id", key, seen)
        sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
        sound &= check_label(table, row, "label_gold", cells["label_gold"], LABELS)
        sound &= check_filled(table, row, "case_templ", cells["case_templ"], "template text")
        sound &= check_filled(table, row, "templ_id", cells["templ_id"], "template")
        if with_text:
            sound &= check_filled(table, row, "test_case", cells["test_case"], "text")
        if not sound:
            continue
        extra = ((NUMBER_COLUMN, cells[NUMBER_COLUMN]),) if NUMBER_COLUMN in cells else ()
        text = cells["test_case"] if with_text else ""
        case = case_of_cells(cells, language=LANGUAGE, key=key, text=text, extra=extra)
        rows.append((row, case))
    return rows


OF_A_TEMPLATE = ("functionality", "label", "template_text", "refers_to_template")
SHARED_BY_A_TEMPLATE = tuple(
    (field.value, field.column) for field in EXPORTED if field.is_detail or field.value in OF_A_TEMPLATE
)


def _templates(table: Table, rows: list[tuple[int, CaseValue]]) -> list[TemplateValue]:
    first_rows: dict[str, tuple[int, CaseValue]] = {}
    for row, case in rows:
        assert case.template is not None
        first_row, first = first_rows.setdefault(case.template, (row, case))
        for attribute, column in SHARED_BY_A_TEMPLATE:
            if (mine := getattr(case, attribute)) != (theirs := getattr(first, attribute)):
                table.add(
                    row,
                    column,
                    _(
                        "template %(template)s has '%(here)s' here and '%(there)s' in row %(row)s",
                        template=case.template,
                        here=shortened(str(mine or "")),
                        there=shortened(str(theirs or "")),
                        row=first_row,
                    ),
                    _("make all rows of a template agree, or give them different templ_id"),
                )
    references = ((row, case.refers_to_template) for row, case in first_rows.values())
    check_templates(table, "ref_templ_id", references, first_rows)
    for row, case in first_rows.values():
        warn_of_findings(table, row, {"case_templ": VariantValue("", case.template_text)})
    return [
        TemplateValue(
            key=key,
            language=LANGUAGE,
            functionality=case.functionality,
            variants=(VariantValue("", case.template_text),),
            label=case.label,
            position=position,
            refers_to=case.refers_to_template,
            **details_of(case),
            target="" if "[" in case.template_text else case.target,
        )
        for position, (key, (row, case)) in enumerate(first_rows.items())
    ]


def _unknown_tokens(table: Table, templates: list[TemplateValue], words: WordLists) -> list[Problem]:
    wanted = {token for template in templates for token in words.tokens_in(template.variants[0].text)}
    if words.is_missing and wanted:
        fix = _(
            "put %(words)s beside %(cases)s if new cases shall be made from the templates",
            words=PLACEHOLDER_FILE,
            cases=table.file,
        )
        problem = _("there is no such file, so the templates have no words to be filled with")
        return [Problem(PLACEHOLDER_FILE, None, None, problem, fix, "warning")]
    known = sorted(words.tokens)
    return [
        Problem(
            table.file,
            None,
            "case_templ",
            _(
                "template %(template)s uses %(token)s, which %(file)s does not list; known: %(known)s",
                template=template.key,
                token=token,
                file=PLACEHOLDER_FILE,
                known=known,
            ),
            _("add %(token)s to %(file)s or correct the template", token=token, file=PLACEHOLDER_FILE),
        )
        for template in templates
        for token in words.tokens_in(template.variants[0].text)
        if token not in words.tokens and not words.is_missing and words.tokens
    ]


def _read_annotations(folder: Path, values: SuiteValues, known: Collection[str]) -> None:
    path = next((folder / name for name in ANNOTATION_FILES if (folder / name).exists()), None)
    if path is None:
        problem = _("there is no such file, so the cases come without labels by annotators")
        fix = _("put it beside the file of cases if you want the labels")
        values.problems.append(Problem(ANNOTATION_FILES[0], None, None, problem, fix, "warning"))
        return
    table = read_suite_table(path, required=("case_id",))
    columns = [name for name in table.header if name.startswith("label_") and name[6:].isdigit()]
    if table.readable and not columns:
        fix = _("keep one column of labels per annotator")
        table.add(1, None, _("there is no column label_1, label_2, ..."), fix)
    seen: dict[str, int] = {}
    for row, cells in table.records() if table.readable else ():
        key = whole_number(cells["case_id"])
        if not check_unique(table, row, "case_id", key, seen):
            continue
        if key not in known:
            problem = _("there is no case '%(key)s'", key=shortened(key))
            table.add(row, "case_id", problem, _("remove the row or add that case"))
            continue
        for column in columns:
            label = cells[column]
            if label and check_label(table, row, column, label, LABELS):
                values.labels.append(LabelValue(key, column, label))
    values.problems.extend(table.problems)


HATECHECK = SuiteFormat(
    name="hatecheck",
    title="HateCheck",
    read=lambda path, options: read_hatecheck(path, templates_only=options.templates_only),
    write=lambda values, suite: write_hatecheck(values),
    defaults={"raters": 5, "threshold": 4, "policy": "exclude"},
    case_key=lambda language: "{number}",
    release_columns=CASE_HEADER,
    release_meaning=_("The columns of HateCheck, for scripts that expect them"),
)
