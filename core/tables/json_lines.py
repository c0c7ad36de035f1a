"""From JSON to rows of cells: one object per line, or one list of objects. The fields of an object are the columns."""

import json
import re
from typing import Any

from core.tables.cells import as_text
from core.text import _

LOOKS_LIKE_JSON = ("{", "[{", "[ {", "[\n", "[\r")
BEFORE_JSON = "\ufeff \t\r\n"
HALF = re.compile("[\ud800-\udfff]")  # a surrogate without its other half, which no database and no file can hold
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
ONE_PER_LINE = _("write one JSON object per line (JSONL), or save the table as CSV")

Fault = tuple[int, str | None, str, str]  # row, field, what is wrong, what to do


def is_json(text: str) -> bool:
    """Tell JSON from CSV by how the text begins; no header of a table begins with a brace."""
    return text.lstrip(BEFORE_JSON).startswith(LOOKS_LIKE_JSON)


def read_objects(text: str) -> tuple[list[str], list[list[str] | None], list[Fault]]:
    """Return the names of all fields, the cells of each line (None where there are none), and what is wrong.

    Lines keep their number, so that a fault can be found: the first line is row 1, as is the first object of a list.
    Missing fields are empty cells.
    """
    objects, faults = _read(text)
    names = dict.fromkeys(name for found in objects if found is not None for name in found)
    rows: list[list[str] | None] = []
    for row, values in enumerate(objects, 1):
        cells = {} if values is None else {name: as_text(values.get(name)) for name in names}
        broken = [name for name, cell in cells.items() if HALF.search(cell)]
        if broken:
            fix = _("write the text as UTF-8 again")
            faults.append((row, broken[0], _("the field holds half a character"), fix))
        rows.append(list(cells.values()) if cells and not broken else None)
    return list(names), rows, faults


def read_records(text: str) -> tuple[list[tuple[int, dict[str, Any]]], list[Fault]]:
    """Return the objects as they are, each with the number of its line, and what is wrong."""
    objects, faults = _read(text)
    return [(row, found) for row, found in enumerate(objects, 1) if found is not None], faults


def _read(text: str) -> tuple[list[dict[str, Any] | None], list[Fault]]:
    """Return one object per line, None where there is none, and what is wrong."""
    objects: list[dict[str, Any] | None] = []
    faults: list[Fault] = []
    is_first = True
    for row, line in enumerate(_entries(text), 1):
        if isinstance(line, str) and not line.strip():
            objects.append(None)
            continue
        found, problem = _object(line)
        objects.append(found)
        if found is None:
            faults.append((row, None, problem, ONE_PER_LINE))
            if is_first:
                break  # an object over many lines, or no JSON at all: one fault says it
        is_first = is_first and not found
    return objects, faults


def _entries(text: str) -> list[Any]:
    """Return the lines of the text, or the parsed entries where it is one list."""
    if text.lstrip(BEFORE_JSON).startswith("["):
        try:
            found = json.loads(text.lstrip("\ufeff"))
        except (ValueError, RecursionError):
            return [text]
        if isinstance(found, list):
            return found
    return text.lstrip("\ufeff").split("\n")


def _object(entry: Any) -> tuple[dict[str, Any] | None, str]:
    if isinstance(entry, str):
        try:
            entry = json.loads(entry)
        except (ValueError, RecursionError) as error:
            if isinstance(error, json.JSONDecodeError):
                return None, _("the line is not a JSON object; see character %(position)s", position=error.pos + 1)
            return None, _("the line is not a JSON object")
    return (entry, "") if isinstance(entry, dict) else (None, _("the line is JSON, but not an object"))
