"""The one reader of tables: CSV, JSON Lines, Parquet and XLSX become rows, with every fault located and none fatal."""

import csv
import io
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from core.tables.binary import PARQUET, is_workbook, read_parquet, read_workbook
from core.tables.decoding import Unreadable, decode, read_bytes, unpack
from core.tables.json_lines import UNSTORABLE, is_json, read_objects
from core.tables.problems import Problem
from core.text import Text, _, ngettext, recall_text

MAX_CELL_CHARACTERS = 100_000
MAX_NAME_CHARACTERS = 200
SEPARATORS = ",;\t|"

# The limit of the csv module is one number for the process. Ours is checked per cell, with a row and a column to show.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


@dataclass(slots=True)
class Table:
    """A file as rows of cells. `rows` holds (number as a spreadsheet shows it, cells), each as long as the header.

    Rows of JSON Lines count from the first line, as they have no header.
    """

    file: str
    header: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    readable: bool = True
    separator: str = ","
    newline: str = "\n"
    ends_with_newline: bool = True
    is_exact: bool = False  # JSON and Parquet: no cell was ever defused for a spreadsheet

    def has(self, name: str) -> bool:
        return name in self.header

    def cells(self, name: str) -> list[str]:
        """Return the cells of a column, the first one of that name."""
        place = self.header.index(name)
        return [cells[place] for _, cells in self.rows]

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        for number, cells in self.rows:
            yield number, dict(zip(self.header, cells, strict=True))

    def add(self, row: int | None, column: str | None, problem: str, fix: str) -> None:
        self.problems.append(Problem(self.file, row, column and _storable(column), _storable(problem), fix))

    def warn(self, row: int | None, column: str | None, problem: str, fix: str) -> None:
        self.problems.append(Problem(self.file, row, column and _storable(column), _storable(problem), fix, "warning"))


def _storable(text: str) -> str:
    """Return what a file says as it can be printed and stored with the job; a text stays one."""
    if not UNSTORABLE.search(text):
        return text
    if isinstance(text, Text):
        return recall_text(_without_unstorable(text.facts()))
    return UNSTORABLE.sub("\ufffd", text)


def _without_unstorable(value: Any) -> Any:
    if isinstance(value, str):
        return _storable(value)
    if isinstance(value, dict):
        return {name: _without_unstorable(inner) for name, inner in value.items()}
    return [_without_unstorable(inner) for inner in value] if isinstance(value, list) else value


def read_table(
    source: Path | bytes,
    *,
    required: Collection[str] = (),
    optional: Collection[str] = (),
    name: str | None = None,
    sheet: str | None = None,
    longest: Mapping[str, int] | None = None,
    longest_cell: int = MAX_CELL_CHARACTERS,
    repeated_names: bool = False,
    quoted: bool = True,
) -> Table:
    """Return the rows of a file, whose kind its content tells. What is wrong is in `problems`; nothing is raised.

    CSV with any usual separator, JSON Lines or a list of objects, Parquet, and the first or the named sheet of a
    workbook are read, text also packed by gzip. `longest` limits columns by name, `longest_cell` all others.
    `repeated_names` allows several columns of one name; without `quoted`, quotation marks are ordinary letters.
    """
    table = Table(name or (source.name if isinstance(source, Path) else "file"))
    try:
        data = read_bytes(source) if isinstance(source, Path) else unpack(source)
        records, header_row = _records(data, table, {*required, *optional}, sheet=sheet, quoted=quoted)
    except Unreadable as error:
        table.readable = False
        table.problems.append(error.located(table.file))
        return table
    header = records[0] if records else []
    if header is None or not any(cell.strip() for cell in header):
        table.readable = False
        if header is not None:
            table.add(None, None, _("the file has no header"), _("begin it with a row of column names"))
        return table
    table.header = [cell.strip()[:MAX_NAME_CHARACTERS] for cell in header]
    _check_header(table, required, optional, repeated_names=repeated_names)
    _keep_rows(table, records, header_row, longest or {}, longest_cell)
    return table


Records = list[list[str] | None]


def _records(
    data: bytes, table: Table, expected: Collection[str], *, sheet: str | None, quoted: bool
) -> tuple[Records, int]:
    """Return the header and all rows, None for those that are not well-formed, and the row of the header."""
    if is_workbook(data):
        return _workbook_records(data, table, sheet), 1
    if sheet is not None:
        problem = _("the file is not a workbook, so it has no sheet '%(sheet)s'", sheet=sheet)
        raise Unreadable(problem, _("leave the sheet out"))
    if data.startswith(PARQUET):
        table.is_exact = True
        return [*read_parquet(data)], 1
    text = decode(data)
    if not is_json(text):
        return _csv_records(text, table, expected, quoted=quoted)
    table.is_exact = True
    names, rows, faults = read_objects(text)
    for fault in faults:
        table.add(*fault)
    return [names if names or not faults else None, *rows], 0


def _workbook_records(data: bytes, table: Table, sheet: str | None) -> Records:
    rows, others = read_workbook(data, sheet=sheet)
    if others and sheet is None:
        problem = _("only the first sheet is read, not %(others)s", others=[f"'{title[:40]}'" for title in others[:10]])
        table.warn(None, None, problem, _("move the sheet you mean to the front, or name it"))
    if not rows:
        return []
    header = rows[0]
    while header and not header[-1].strip():
        header.pop()
    # A sheet has no cells behind the last that is filled in a row.
    return [row + [""] * (len(header) - len(row)) for row in rows]


def _csv_records(text: str, table: Table, expected: Collection[str], *, quoted: bool) -> tuple[Records, int]:
    table.newline = "\r\n" if "\r\n" in text else "\n"
    table.ends_with_newline = text.endswith(("\n", "\r"))
    header_row, separator = 1, ""
    if text[:4].lower() == "sep=":  # the first line with which Excel announces its separator
        announcement, _, text = text.partition("\n")
        separator = announcement[4:5] if announcement[4:5] in tuple(SEPARATORS) else ""
        header_row = 2
    table.separator = separator or guess_separator(text, expected)
    return _split(text, table, header_row, quoted=quoted), header_row


def guess_separator(text: str, expected: Collection[str]) -> str:
    """Return the separator that makes the most expected columns out of the first line, or else the most columns."""
    line = text[:100_000].split("\n", 1)[0].rstrip("\r")

    def score(separator: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            cells = line.split(separator)
        return sum(cell.strip() in expected for cell in cells), len(cells)

    return max(SEPARATORS, key=score)


def _split(text: str, table: Table, header_row: int, *, quoted: bool) -> Records:
    """Return all records, None for those that are not well-formed; the line after a bad one is read again."""
    reader = csv.reader(
        io.StringIO(text, newline=""),
        delimiter=table.separator,
        strict=True,
        quoting=csv.QUOTE_MINIMAL if quoted else csv.QUOTE_NONE,
    )
    records: Records = []
    while True:
        try:
            records.extend(reader)
            return records
        except csv.Error as error:
            records.append(None)
            unclosed = "unexpected end" in str(error)
            table.add(
                header_row - 1 + len(records),
                None,
                _("a quotation mark is opened and never closed")
                if unclosed
                else _("the row is not CSV (%(error)s)", error=str(error)),
                _('put the whole cell in quotation marks and write each quotation mark inside it twice ("")'),
            )


def _check_header(table: Table, required: Collection[str], optional: Collection[str], *, repeated_names: bool) -> None:
    known = {*required, *optional}
    seen: set[str] = set()
    for number, name in enumerate(table.header, 1):
        if UNSTORABLE.search(name):
            table.readable = False
            problem = _("the name of column %(number)s holds a NUL character or half a character", number=number)
            table.add(1, None, problem, _("write the name again"))
        if name in seen and not repeated_names:
            table.readable = False
            problem = _("the column '%(name)s' occurs twice", name=name)
            table.add(1, name, problem, _("rename or remove one of them"))
        seen.add(name)
    unknown = [name for name in table.header if name and name not in known]
    for name in required:
        if name not in seen:
            table.readable = False
            close = _closest(name, unknown)
            listed = [f"'{column}'" for column in table.header[:20]]
            problem = (
                _(
                    "the column '%(name)s' is missing; '%(close)s' looks like it; the file has %(columns)s",
                    name=name,
                    close=close,
                    columns=listed,
                )
                if close
                else _("the column '%(name)s' is missing; the file has %(columns)s", name=name, columns=listed)
            )
            table.add(1, name, problem, _("name the column '%(name)s'", name=name))


def _closest(name: str, candidates: Sequence[str]) -> str | None:
    by_lower = {candidate.lower().replace(" ", "_"): candidate for candidate in candidates}
    matches = get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.6)
    return by_lower[matches[0]] if matches else None


def _keep_rows(table: Table, records: Records, header_row: int, longest: Mapping[str, int], longest_cell: int) -> None:
    width = len(table.header)
    limits = [(place, longest[name]) for place, name in enumerate(table.header) if name in longest]
    for number, cells in enumerate(records[1:], header_row + 1):
        if cells is None:
            continue
        if len(cells) != width:
            if not any(cells):
                continue  # a blank line
            while len(cells) > width and not cells[-1]:
                cells.pop()
            if len(cells) != width:
                _report_ragged(table, number, len(cells))
                continue
        elif not any(cells):
            continue
        if max(map(len, cells)) > longest_cell:
            _report_long(table, number, cells, longest_cell)
            continue
        if "\0" in "".join(cells):
            column = next(name for name, cell in zip(table.header, cells, strict=True) if "\0" in cell)
            fix = _("remove it: text never contains one")
            table.add(number, column, _("the cell holds a NUL character"), fix)
            continue
        for place, limit in limits:
            if len(cells[place]) > limit:
                problem = _(
                    "the cell has %(length)s characters, at most %(most)s are allowed here",
                    length=len(cells[place]),
                    most=limit,
                )
                table.add(number, table.header[place], problem, _("shorten it"))
        table.rows.append((number, cells))


def _report_ragged(table: Table, number: int, count: int) -> None:
    width = len(table.header)
    why = (
        _("put cells that contain a separator in quotation marks")
        if count > width
        else _("add the missing cells to the row")
    )
    problem = ngettext(
        "the row has %(count)s cell, the header has %(width)s",
        "the row has %(count)s cells, the header has %(width)s",
        count,
        width=width,
    )
    table.add(number, None, problem, why)


def _report_long(table: Table, number: int, cells: list[str], longest_cell: int) -> None:
    for name, cell in zip(table.header, cells, strict=True):
        if len(cell) > longest_cell:
            table.add(
                number,
                name,
                _(
                    "the cell has %(length)s characters; at most %(most)s are accepted",
                    length=len(cell),
                    most=longest_cell,
                ),
                _("shorten it; often a quotation mark was opened here and never closed"),
            )
