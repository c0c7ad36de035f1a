"""What is wrong with an MHC template although it can be imported: faults that make groups unequal or texts empty."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

from curation.formats.tables import Table
from curation.formats.tokens import TOKEN_LIKE, parse_token

NO_TEXT = ("", "N/A", "NA")  # "see the texts per gender"
NO_VARIANT = ("", "-")
GENDERS = {"gender_male": "Gender=Masc", "gender_female": "Gender=Fem"}


def check_texts(table: Table, row: int, cells: dict[str, str], tokens: Sequence[str]) -> None:
    """Warn of every fault in the texts of one template; the row is imported all the same, so that what was released is
    reproduced."""
    whole = cells["trans_manual"].strip()
    gendered = {column: cells[column] for column in GENDERS if cells.get(column, "").strip()}
    if whole not in NO_TEXT:
        _check_whole(table, row, whole, gendered)
        _check_tokens(table, row, "trans_manual", whole, tokens)
        return
    for column, text in gendered.items():
        if text.strip() in NO_VARIANT:
            problem = "the text for this gender is '-', so groups of this gender get no case"
            table.warn(row, column, problem, "write the text for this gender")
        else:
            _check_tokens(table, row, column, text, tokens)
            _check_gender(table, row, column, text)
    _check_agreement(table, row, gendered)
    for column in GENDERS:
        if column in cells and column not in gendered:
            table.warn(row, column, "there is a text for the other gender only", "write the text for this gender")


def _check_whole(table: Table, row: int, whole: str, gendered: dict[str, str]) -> None:
    if not any(character.isalnum() for character in whole):
        problem = f"the whole text is '{whole}'" + (", which hides the texts per gender" if gendered else "")
        fix = "write N/A here so that the texts per gender count" if gendered else "write the template"
        table.warn(row, "trans_manual", problem, fix)
    elif gendered:
        problem = "there is a text here and a text per gender; only this one counts"
        table.warn(row, "trans_manual", problem, "write N/A here, or empty the texts per gender")


def _check_tokens(table: Table, row: int, column: str, text: str, tokens: Sequence[str]) -> None:
    for found in TOKEN_LIKE.findall(text):
        if found not in tokens:
            close = get_close_matches(found, tokens, n=1, cutoff=0.6)
            fix = f"write {close[0]}" if close else f"use one of {', '.join(sorted(tokens)[:20])}"
            table.warn(row, column, f"'{found}' is not a placeholder of this language, so nothing is filled in", fix)
    rest = TOKEN_LIKE.sub("", text)
    if stray := [character for character in "[]{}" if character in rest]:
        table.warn(row, column, f"the bracket '{stray[0]}' stands alone", "close it, or remove it")


def _check_gender(table: Table, row: int, column: str, text: str) -> None:
    other = next(gender for name, gender in GENDERS.items() if name != column)
    for found in TOKEN_LIKE.findall(text):
        token = parse_token(found)
        if token is not None and other in token.features.split("|"):
            problem = f"{found} is of the other gender than this text, so its groups get two cases or none"
            table.warn(row, column, problem, f"write {_other_gender(found)}")


def _other_gender(token: str) -> str:
    return token.replace("[female_", "[male_") if token.startswith("[female_") else token.replace("[male_", "[female_")


def _check_agreement(table: Table, row: int, gendered: dict[str, str]) -> None:
    """Both texts of a template must ask for the same kind of word."""
    if any(parse_token(found) is None for text in gendered.values() for found in TOKEN_LIKE.findall(text)):
        return  # reported already
    kinds = {
        column: tuple(token.kind for found in TOKEN_LIKE.findall(text) if (token := parse_token(found)) is not None)
        for column, text in gendered.items()
        if text.strip() not in NO_VARIANT
    }
    if len(set(kinds.values())) > 1:
        listed = "; ".join(f"{column}: {', '.join(found) or 'no placeholder'}" for column, found in kinds.items())
        problem = f"the texts per gender ask for different words ({listed})"
        table.warn(row, "gender_female", problem, "use the same kind of placeholder in both texts")
