"""From JSON Lines to rows of cells: one object per line, its fields are the columns."""

from __future__ import annotations

import json
import re
from typing import Any

LOOKS_LIKE_JSON = ("{", "[{", "[ {", "[\n", "[\r")
HALF = re.compile("[\ud800-\udfff]")  # a surrogate without its other half, which no database and no file can hold
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
ONE_PER_LINE = "write one JSON object per line (JSONL), or save the table as CSV"

Fault = tuple[int, str | None, str, str]  # row, field, what is wrong, what to do


def is_json(text: str) -> bool:
    """Tell JSON from CSV by how the text begins; no header of a table begins with a brace."""
    return text.lstrip("\ufeff \t\r\n").startswith(LOOKS_LIKE_JSON)


def read_lines(text: str) -> tuple[list[str], list[list[str] | None], list[Fault]]:
    """The names of all fields, then the cells of each line (None where there are none), then what is wrong.

    Lines keep their number, so that a fault can be found: the first line is row 1. Missing fields are empty cells.
    """
    if not text.lstrip("\ufeff \t\r\n").startswith("{"):
        return [], [], [(1, None, "the file is one JSON list, not one object per line", ONE_PER_LINE)]
    objects: list[dict[str, Any] | None] = []
    faults: list[Fault] = []
    names: dict[str, None] = {}
    for row, line in enumerate(text.lstrip("\ufeff").split("\n"), 1):
        if not line.strip():
            objects.append(None)
            continue
        found, problem = _object(line)
        objects.append(found)
        if found is None:
            faults.append((row, None, problem, ONE_PER_LINE))
            if not names:
                break  # an object over many lines, or no JSON at all: one fault says it
        else:
            names.update(dict.fromkeys(found))
    rows: list[list[str] | None] = []
    for row, values in enumerate(objects, 1):
        cells = {} if values is None else {name: cell_of(values.get(name)) for name in names}
        broken = [name for name, cell in cells.items() if HALF.search(cell)]
        if broken:
            faults.append((row, broken[0], "the field holds half a character", "write the text as UTF-8 again"))
        rows.append(list(cells.values()) if cells and not broken else None)
    return list(names), rows, faults


def cell_of(value: Any) -> str:
    """A value as the cell of a table: nothing is empty, a list or an object is JSON."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)


def _object(line: str) -> tuple[dict[str, Any] | None, str]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError) as error:
        where = f"; see character {error.pos + 1}" if isinstance(error, json.JSONDecodeError) else ""
        return None, f"the line is not a JSON object{where}"
    return (found, "") if isinstance(found, dict) else (None, "the line is JSON, but not an object")
