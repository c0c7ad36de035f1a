"""Texts of cells: values of other programs as text, and what a spreadsheet would run as a formula defused.

A cell is dangerous if it starts with one of = + - @ (also full-width), a tab or a line break, and has more. It gets an
apostrophe in front. So does a cell that already starts with apostrophes before such a character, or restoring would
take one too many. A single "-" is harmless and stays. Restoring takes one apostrophe from any cell that has
apostrophes before a dangerous start.
"""

import json
import re
from datetime import datetime, time
from typing import Any

SUSPICIOUS = frozenset("'=+-@＝＋－＠\t\r\n")  # no other first character needs a closer look
DANGEROUS = re.compile(r"'*[=+\-@＝＋－＠\t\r\n].", re.DOTALL)
DEFUSED = re.compile(r"'+[=+\-@＝＋－＠\t\r\n].", re.DOTALL)


def defuse(cell: str) -> str:
    """Return the cell as it may stand in a CSV file."""
    return "'" + cell if DANGEROUS.match(cell) else cell


def csv_cell(cell: str) -> str:
    """Return the cell as it is written: defused, and quoted only where needed."""
    if cell[:1] in SUSPICIOUS:
        cell = defuse(cell)
    if '"' in cell:
        return '"' + cell.replace('"', '""') + '"'
    return f'"{cell}"' if "," in cell or "\n" in cell or "\r" in cell else cell


def restore(cell: str) -> str:
    """Return what `defuse` was given."""
    return cell[1:] if DEFUSED.match(cell) else cell


def as_text(value: Any) -> str:
    """Return a value of JSON, Parquet or a workbook as the text that a spreadsheet shows.

    Nothing and what is not a number are empty, whole numbers have no decimals, lists and objects are JSON.
    """
    if isinstance(value, str):
        return value
    if value is None or value != value:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else str(value)
    if isinstance(value, datetime):
        return str(value.date() if value.time() == time.min and value.tzinfo is None else value)
    return json.dumps(value, ensure_ascii=False, default=str) if isinstance(value, list | dict) else str(value)
