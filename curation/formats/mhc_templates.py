"""MHC's templates.csv: one template per row, in one text or in a masculine and a feminine one."""

from dataclasses import dataclass, field
from pathlib import Path

from core.tables.problems import Problem
from core.tables.reading import Table
from core.text import _
from curation.formats.columns import (
    LABELS,
    check_filled,
    check_label,
    check_templates,
    check_unique,
    read_suite_table,
    whole_number,
)
from curation.formats.mhc_template_checks import NO_TEXT, NO_VARIANT, check_texts
from curation.formats.mhc_words import CASE_COLUMNS, MhcWords
from curation.formats.tokens import TOKEN_LIKE
from curation.formats.values import Place, TemplateValue, VariantValue

REQUIRED = ("functionality", "templ_id", "case_templ", "trans_manual")
OPTIONAL = (
    "ref_templ_id",
    "focus_lemma",
    "label_gold",
    "trans_deepl",
    "trans_google",
    "number",
    "case",
    "gender_male",
    "gender_female",
)
GENDERED = (("gender_male", "Gender=Masc"), ("gender_female", "Gender=Fem"))
LABEL_BY_SUFFIX = (("_nh", "non-hateful"), ("_h", "hateful"))


@dataclass(slots=True)
class MhcTemplates:
    """The templates of a language; `known` holds every identifier, also those of rows that are refused."""

    templates: list[TemplateValue] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    known: dict[str, int] = field(default_factory=dict)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)
    is_readable: bool = True


def read_templates(path: Path, words: MhcWords, *, language: str) -> MhcTemplates:
    """Return all templates of a language, with every fault located."""
    result = MhcTemplates()
    table = read_suite_table(path, required=REQUIRED, optional=OPTIONAL)
    result.is_readable = table.readable
    rows: list[tuple[int, TemplateValue]] = []
    for row, cells in table.records() if table.readable else ():
        if (template := _template(table, row, cells, words, result.known, language)) is not None:
            rows.append((row, template))
    check_templates(table, "ref_templ_id", ((row, template.refers_to) for row, template in rows), result.known)
    result.templates.extend(template for row, template in rows)
    result.places.update(((language, template.key), (table.file, row)) for row, template in rows)
    result.problems.extend(table.problems)
    return result


def _template(
    table: Table, row: int, cells: dict[str, str], words: MhcWords, seen: dict[str, int], language: str
) -> TemplateValue | None:
    key = whole_number(cells["templ_id"])
    sound = check_filled(table, row, "templ_id", key, "identifier")
    sound = sound and check_unique(table, row, "templ_id", key, seen)
    sound &= check_filled(table, row, "functionality", cells["functionality"], "functionality")
    label = cells.get("label_gold", "") or _label_by_suffix(cells["functionality"])
    sound &= check_label(table, row, "label_gold", label, LABELS)
    variants = _variants(cells, words)
    if not variants:
        fix = _("write the text in trans_manual, or in gender_male and gender_female")
        table.add(row, "trans_manual", _("the template has no text"), fix)
        sound = False
    else:
        check_texts(table, row, cells, words.tokens)
    defaults = _defaults(table, row, cells, language)
    if not sound or defaults is None:
        return None
    return TemplateValue(
        key=key,
        language=language,
        functionality=cells["functionality"],
        variants=variants,
        label=label,
        position=len(seen) - 1,
        refers_to=whole_number(cells.get("ref_templ_id", "")) or None,
        defaults=defaults,
        focus_lemma=cells.get("focus_lemma", ""),
        source_text=cells["case_templ"],
        drafts=tuple((name, cells[f"trans_{name}"]) for name in ("deepl", "google") if f"trans_{name}" in cells),
        extra=tuple(
            (name, cells[name])
            for name in ("label_gold", "number", "case", "trans_manual", "gender_male", "gender_female")
            if name in cells
        ),
    )


def _label_by_suffix(functionality: str) -> str:
    return next((label for suffix, label in LABEL_BY_SUFFIX if functionality.endswith(suffix)), "")


def _variants(cells: dict[str, str], words: MhcWords) -> tuple[VariantValue, ...]:
    """Return the texts in the order in which they are filled: by token in file order, then male before female."""
    if cells["trans_manual"].strip() not in NO_TEXT:
        return (VariantValue("", cells["trans_manual"]),)
    texts = [
        (features, cells[column]) for column, features in GENDERED if cells.get(column, "").strip() not in NO_VARIANT
    ]
    ordered = sorted(texts, key=lambda pair: _token_order(pair[1], words))  # stable: male stays before female
    return tuple(VariantValue(features, text, position) for position, (features, text) in enumerate(ordered))


def _token_order(text: str, words: MhcWords) -> int:
    found = [words.tokens.index(token) for token in TOKEN_LIKE.findall(text) if token in words.tokens]
    return min(found, default=len(words.tokens))


def _defaults(table: Table, row: int, cells: dict[str, str], language: str) -> str | None:
    column = cells.get("case", "")
    if not column:
        return ""
    known = CASE_COLUMNS.get(language, {})
    if column not in known:
        problem = _("'%(column)s' is not a grammatical case of this language", column=column)
        fix = (
            _("use one of %(known)s", known=list(known))
            if known
            else _("empty the cell: cases are known for German and Polish only")
        )
        table.add(row, "case", problem, fix)
        return None
    return known[column]
