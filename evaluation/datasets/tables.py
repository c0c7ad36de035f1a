"""CSV, TSV, JSONL and Parquet as one thing: a header and rows of text, with located problems."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from curation.formats.values import Problem

# A post never has this many characters; a cell that does is the rest of the file behind an open quotation mark.
LONGEST_CELL = 1_000_000


@dataclass(slots=True)
class Table:
    """Rows as lists of text in header order; `row_numbers` counts from 1 with the header as row 1."""

    header: list[str] = field(default_factory=list)
    rows: list[list[str]] = field(default_factory=list)
    row_numbers: list[int] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_table(path: Path) -> Table:
    """The rows of a file, by its ending. An unknown ending, bad encoding or broken row is a located problem."""
    readers: dict[str, Callable[[Path], Table]] = {
        ".csv": lambda file: _delimited(file, ","),
        ".tsv": lambda file: _delimited(file, "\t"),
        ".tab": lambda file: _delimited(file, "\t"),
        ".jsonl": _json_lines,
        ".ndjson": _json_lines,
        ".parquet": _parquet,
    }
    if not path.exists():
        return _failed(path, None, "the file does not exist", "Check the path and the name.")
    reader = readers.get(path.suffix.lower())
    if reader is None:
        known = ", ".join(readers)
        return _failed(path, None, f"the ending '{path.suffix}' is not one we read", f"Save it as one of: {known}.")
    if not path.is_file():
        return _failed(path, None, "this is no file", "Check the path and the name.")
    return reader(path)


def _failed(path: Path, row: int | None, problem: str, fix: str) -> Table:
    return Table(problems=[Problem(path.name, row, None, problem, fix)])


def _decoded(path: Path) -> str | Table:
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        row = error.object[: error.start].count(b"\n") + 1
        return _failed(path, row, f"line {row} is not UTF-8 text", "Save the file as UTF-8.")


def _delimited(path: Path, delimiter: str) -> Table:
    text = _decoded(path)
    if isinstance(text, Table):
        return text
    table = Table()
    # The csv module has one limit for the whole process, and other readers need it high; ours is checked per cell.
    csv.field_size_limit(max(csv.field_size_limit(), 2**31 - 1))
    # newline="" keeps line breaks inside quoted posts exactly as they are.
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        for number, cells in enumerate(reader, start=1):
            if number == 1:
                table.header = [cell.strip() for cell in cells]
            elif any(len(cell) > LONGEST_CELL for cell in cells):
                problem = f"a cell has more than {LONGEST_CELL:,} characters"
                table.problems.append(Problem(path.name, number, None, problem, "Look for an unclosed quotation mark."))
            elif len(cells) == len(table.header):
                table.rows.append(cells)
                table.row_numbers.append(number)
            elif cells:
                table.problems.append(_wrong_width(path, number, len(cells), len(table.header)))
    except csv.Error as error:
        return _failed(path, reader.line_num, str(error), "Look for a quotation mark that is never closed.")
    if not table.header:
        return _failed(path, None, "the file is empty", "Give a header and at least one row.")
    return table


def _wrong_width(path: Path, number: int, found: int, wanted: int) -> Problem:
    problem = f"the row has {found} cells, the header {wanted}"
    return Problem(path.name, number, None, problem, "Put cells that hold the delimiter or a line break in quotes.")


def _json_lines(path: Path) -> Table:
    text = _decoded(path)
    if isinstance(text, Table):
        return text
    table = Table()
    records: list[tuple[int, dict[str, object]]] = []
    names: dict[str, None] = {}
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
        except json.JSONDecodeError as error:
            fix = "Write one JSON object per line."
            table.problems.append(Problem(path.name, number, None, f"not JSON: {error.msg}", fix))
            continue
        except RecursionError:
            fix = 'Write flat objects such as {"text": ..., "label": ...}.'
            table.problems.append(Problem(path.name, number, None, "the line is nested too deeply", fix))
            continue
        if not isinstance(record, dict):
            fix = 'Write objects such as {"text": ..., "label": ...}.'
            table.problems.append(Problem(path.name, number, None, "the line is not a JSON object", fix))
            continue
        records.append((number, record))
        names.update(dict.fromkeys(record))
    table.header = list(names)
    for number, record in records:
        table.rows.append([_as_text(record.get(name)) for name in table.header])
        table.row_numbers.append(number)
    return table


def _parquet(path: Path) -> Table:
    import pyarrow
    import pyarrow.parquet

    try:
        content = pyarrow.parquet.ParquetFile(path).read()
    except (pyarrow.ArrowException, OSError):
        return _failed(path, None, "it cannot be read as Parquet", "Write it again with a Parquet writer.")
    columns = [[_as_text(value) for value in column.to_pylist()] for column in content.columns]
    rows = [list(cells) for cells in zip(*columns, strict=True)]
    return Table(header=list(content.column_names), rows=rows, row_numbers=list(range(2, len(rows) + 2)))


def _as_text(value: object) -> str:
    if value is None or value != value:  # what is not a number equals nothing: a missing value of other programs
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value) if isinstance(value, int | float) else json.dumps(value, ensure_ascii=False, default=str)
