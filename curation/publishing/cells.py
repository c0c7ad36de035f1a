"""Texts in spreadsheets: a cell that a spreadsheet would run as a formula is defused, and can be restored exactly.

A cell is dangerous if it starts with one of = + - @ (also full-width), a tab or a line break, and goes on. It gets an
apostrophe in front. So does a cell that already starts with apostrophes before such a character, or restoring would
take one too many. A single "-" is harmless and stays. Restoring takes one apostrophe from any cell that has
apostrophes before a dangerous start.
"""

from __future__ import annotations

import re

SUSPICIOUS = frozenset("'=+-@＝＋－＠\t\r\n")  # no other first character needs a closer look
DANGEROUS = re.compile(r"'*[=+\-@＝＋－＠\t\r\n].", re.DOTALL)
DEFUSED = re.compile(r"'+[=+\-@＝＋－＠\t\r\n].", re.DOTALL)


def defuse(cell: str) -> str:
    """The cell as it may stand in a CSV file."""
    return "'" + cell if DANGEROUS.match(cell) else cell


def csv_cell(cell: str) -> str:
    """The cell as it is written: defused, and quoted only where needed."""
    if cell[:1] in SUSPICIOUS:
        cell = defuse(cell)
    if '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return f'"{cell}"' if "," in cell or "\n" in cell or "\r" in cell else cell


def restore(cell: str) -> str:
    """What `defuse` was given."""
    return cell[1:] if DEFUSED.match(cell) else cell
