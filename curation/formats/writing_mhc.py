"""Writer of MHC's files for one language: the inverse of its reader."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

from core.tables.writing import csv_bytes
from core.text import _
from curation.formats.mhc_cases import KEPT
from curation.formats.mhc_template_checks import NO_TEXT, NO_VARIANT
from curation.formats.values import CaseValue, LabelValue, SuiteValues, TemplateValue
from curation.formats.writing_mhc_words import write_words

TEMPLATE_COLUMNS = (
    "functionality",
    "templ_id",
    "ref_templ_id",
    "focus_lemma",
    "case_templ",
    "label_gold",
    "trans_deepl",
    "trans_google",
    "trans_manual",
    "number",
    "case",
    "gender_male",
    "gender_female",
)
ALWAYS = ("functionality", "templ_id", "ref_templ_id", "focus_lemma", "case_templ", "trans_manual")
CASE_COLUMNS = (
    "mhc_case_id",
    "functionality",
    "test_case",
    "label_gold",
    "target_ident",
    "ref_case_id",
    "ref_templ_id",
    "templ_id",
    "case_templ",
    "gender_male",
    "gender_female",
    "label_annotated",
    "label_annotated_maj",
    "disagreement_in_case",
    "disagreement_in_template",
)
VARIANT_COLUMNS = {"": "trans_manual", "Gender=Masc": "gender_male", "Gender=Fem": "gender_female"}


def write_mhc(values: SuiteValues, *, language: str) -> dict[str, bytes]:
    """Return the files of one language of a suite in MHC's format, by path within its folder.

    Refuses (ValueError) a template with a text for other features than the two genders: there is no column for it.
    """
    files = write_words(values, language=language)
    templates = [template for template in values.templates if template.language == language]
    files["templates.csv"] = _templates(templates)
    if cases := [case for case in values.cases if case.language == language]:
        files["final_cases.csv"] = _cases(cases, values.labels)
    return files


def _templates(templates: Sequence[TemplateValue]) -> bytes:
    rows = [_template_cells(template) for template in templates]
    present = {name for row in rows for name in row} | set(ALWAYS)
    columns = [name for name in TEMPLATE_COLUMNS if name in present]
    table = [[row.get(name, "") for name in columns] for row in rows]
    return csv_bytes((columns, *table), newline="\r\n", ends_with_newline=False)


def _template_cells(template: TemplateValue) -> dict[str, str]:
    cells = {
        "functionality": template.functionality,
        "templ_id": template.key,
        "ref_templ_id": template.refers_to or "",
        "focus_lemma": template.focus_lemma,
        "case_templ": template.source_text,
        "label_gold": template.label,
        **{f"trans_{name}": text for name, text in template.drafts},
    }
    kept = dict(template.extra)
    if kept and "label_gold" not in kept:
        del cells["label_gold"]
    cells.update((name, kept[name]) for name in ("number", "case") if name in kept)
    for variant in template.variants:
        if variant.features not in VARIANT_COLUMNS:
            raise ValueError(
                _(
                    "template %(template)s has a text for %(features)s, but Multilingual HateCheck has columns "
                    "for Gender=Masc and Gender=Fem only",
                    template=template.key,
                    features=variant.features,
                )
            )
    texts = {VARIANT_COLUMNS[variant.features]: variant.text for variant in template.variants}
    for column in VARIANT_COLUMNS.values():
        before = kept.get(column)
        if column in texts:
            cells[column] = texts[column]
        elif before is not None and ("trans_manual" in texts or before.strip() in (*NO_TEXT, *NO_VARIANT)):
            cells[column] = before
        elif column == "trans_manual" or before is not None:
            cells[column] = "N/A" if column == "trans_manual" else ""
    return cells


def _cases(cases: Sequence[CaseValue], labels: Iterable[LabelValue]) -> bytes:
    given: dict[str, list[str]] = defaultdict(list)
    for label in labels:
        given[label.case].append(label.label)
    present = {name for case in cases for name, cell in case.extra}
    columns = [name for name in CASE_COLUMNS if name not in KEPT or name in present]
    cells = (_case_cells(case, given) for case in cases)
    # Cases that were generated beside imported ones have none of the columns that are kept as they came.
    return csv_bytes((columns, *([row.get(name, "") for name in columns] for row in cells)))


def _case_cells(case: CaseValue, given: dict[str, list[str]]) -> dict[str, str]:
    return {
        "mhc_case_id": case.key,
        "functionality": case.functionality,
        "test_case": case.text,
        "label_gold": case.label,
        "target_ident": case.target,
        "ref_case_id": _as_pandas_writes_it((case.refers_to or "").rpartition("-")[2]),
        "ref_templ_id": _as_pandas_writes_it(case.refers_to_template or ""),
        "templ_id": case.template or "",
        "case_templ": case.template_text,
        "gender_male": "",
        "gender_female": "",
        "label_annotated": repr(given[case.key]) if case.key in given else "",
        **dict(case.extra),
    }


def _as_pandas_writes_it(number: str) -> str:
    """MHC's files were written with missing numbers, so each whole number carries a `.0`."""
    return f"{number}.0" if number.isdigit() else number
