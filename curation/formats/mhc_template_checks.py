"""What is wrong with an MHC template although it can be imported: faults that make groups unequal or texts empty."""

from collections.abc import Sequence
from difflib import get_close_matches

from core.tables.reading import Table
from core.text import _
from curation.formats.template_findings import warn_of_findings
from curation.formats.tokens import TOKEN_LIKE, parse_token
from curation.formats.values import VariantValue

NO_TEXT = ("", "N/A", "NA")  # "see the texts per gender"
NO_VARIANT = ("", "-")
WRITE_IT = _("write the text for this gender")
GENDERS = {"gender_male": "Gender=Masc", "gender_female": "Gender=Fem"}


def check_texts(table: Table, row: int, cells: dict[str, str], tokens: Sequence[str]) -> None:
    """Warn of every fault in the texts of one template.

    The row is imported all the same, so that what was released is reproduced.
    """
    whole = cells["trans_manual"].strip()
    gendered = {column: cells[column] for column in GENDERS if cells.get(column, "").strip()}
    if whole not in NO_TEXT:
        _check_whole(table, row, whole, gendered)
        texts = {"trans_manual": VariantValue("", cells["trans_manual"])} if whole not in NO_VARIANT else {}
    else:
        _check_missing_genders(table, row, cells, gendered)
        texts = {
            column: VariantValue(GENDERS[column], text, place)
            for place, (column, text) in enumerate(gendered.items())
            if text.strip() not in NO_VARIANT
        }
    warn_of_findings(table, row, texts)
    for column, variant in texts.items():
        _check_tokens(table, row, column, variant.text, tokens)


def _check_whole(table: Table, row: int, whole: str, gendered: dict[str, str]) -> None:
    if not any(character.isalnum() for character in whole):
        problem, fix = (
            (
                _("the whole text is '%(text)s', which hides the texts per gender", text=whole),
                _("write N/A here so that the texts per gender count"),
            )
            if gendered
            else (_("the whole text is '%(text)s'", text=whole), _("write the template"))
        )
        table.warn(row, "trans_manual", problem, fix)
    elif gendered:
        problem = _("there is a text here and a text per gender; only this one counts")
        table.warn(row, "trans_manual", problem, _("write N/A here, or empty the texts per gender"))


def _check_missing_genders(table: Table, row: int, cells: dict[str, str], gendered: dict[str, str]) -> None:
    for column in GENDERS:
        if column in gendered and gendered[column].strip() in NO_VARIANT:
            problem = _("the text for this gender is '-', so groups of this gender get no cases")
            table.warn(row, column, problem, WRITE_IT)
        elif column in cells and column not in gendered:
            table.warn(row, column, _("there is a text for the other gender only"), WRITE_IT)


def _check_tokens(table: Table, row: int, column: str, text: str, tokens: Sequence[str]) -> None:
    """Tokens that are well-formed, but for which this language has no column of words."""
    for found in TOKEN_LIKE.findall(text):
        if found not in tokens and parse_token(found) is not None:
            close = get_close_matches(found, tokens, n=1, cutoff=0.6)
            fix = (
                _("add a column of words for it, or write %(close)s", close=close[0])
                if close
                else _("add a column of words for it")
            )
            problem = _("there are no words for %(placeholder)s, so nothing is filled in", placeholder=found)
            table.warn(row, column, problem, fix)
