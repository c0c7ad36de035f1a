"""From text to rows: separators, headers and ragged lines, with every fault located and none of them fatal."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path

from curation.formats.decoding import Undecodable, decode, read_bytes
from curation.formats.json_lines import UNSTORABLE, is_json, read_lines
from curation.formats.values import Problem

MAX_CELL_CHARACTERS = 100_000
# What the database holds of each; a test compares.
LONGEST = {
    **dict.fromkeys(("case_id", "mhc_case_id", "ref_case_id", "functionality", "templ_id", "ref_templ_id"), 80),
    **dict.fromkeys(("target_ident", "TARGET"), 120),
    **dict.fromkeys(("focus_words", "focus_lemma"), 300),
    "direction": 20,
}
LONGEST_LEMMA, LONGEST_FORM = 200, 300
MAX_NAME_CHARACTERS = 200
SEPARATORS = ",;\t|"

# The limit of the csv module is one number for the process. Ours is checked per cell, with a row and a column to show.
csv.field_size_limit(min(sys.maxsize, 2**31 - 1))


@dataclass(slots=True)
class Table:
    """A file as rows of cells. `rows` holds (number as a spreadsheet shows it, cells), each as long as the header."""

    file: str
    header: list[str] = field(default_factory=list)
    rows: list[tuple[int, list[str]]] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    readable: bool = True
    newline: str = "\n"
    ends_with_newline: bool = True
    is_json: bool = False  # one JSON object per line: rows count from the first line, and no cell was ever defused

    def column(self, name: str) -> int | None:
        try:
            return self.header.index(name)
        except ValueError:
            return None

    def has(self, name: str) -> bool:
        return name in self.header

    def records(self) -> Iterator[tuple[int, dict[str, str]]]:
        for number, cells in self.rows:
            yield number, dict(zip(self.header, cells, strict=True))

    def add(self, row: int | None, column: str | None, problem: str, fix: str) -> None:
        self.problems.append(Problem(self.file, row, column and _told(column), _told(problem), fix))

    def warn(self, row: int | None, column: str | None, problem: str, fix: str) -> None:
        self.problems.append(Problem(self.file, row, column and _told(column), _told(problem), fix, "warning"))


def _told(text: str) -> str:
    """What a file says, as it can be printed and stored with the job."""
    return UNSTORABLE.sub("\ufffd", text)


def read_table(
    path: Path, *, required: Collection[str], optional: Collection[str] = (), name: str | None = None
) -> Table:
    """The rows of a CSV or JSONL file; what is wrong with it is in `problems`, and nothing is raised."""
    table = Table(name or path.name)
    try:
        text = decode(read_bytes(path))
    except Undecodable as error:
        table.readable = False
        table.add(error.row, None, error.problem, error.fix)
        return table
    if is_json(text):
        return _parse_json(text, table, required=required, optional=optional)
    return parse_table(text, table, required=required, optional=optional)


def _parse_json(text: str, table: Table, *, required: Collection[str], optional: Collection[str]) -> Table:
    """Fill `table` from JSON Lines: the fields are the columns."""
    table.is_json = True
    names, rows, faults = read_lines(text)
    for fault in faults:
        table.add(*fault)
    if not names:
        table.readable = False
        return table
    table.header = [name.strip()[:MAX_NAME_CHARACTERS] for name in names]
    _check_header(table, required, optional)
    _keep_rows(table, [table.header, *rows], 0)
    return table


def parse_table(text: str, table: Table, *, required: Collection[str], optional: Collection[str] = ()) -> Table:
    """Fill `table` from a text, guessing the separator by the columns that are expected."""
    table.newline = "\r\n" if "\r\n" in text else "\n"
    table.ends_with_newline = text.endswith(("\n", "\r"))
    first_line, separator = 1, None
    if text[:4].lower() == "sep=":  # the first line with which Excel announces its separator
        announcement, _, text = text.partition("\n")
        separator = announcement[4:5] if announcement[4:5] in tuple(SEPARATORS) else None
        first_line = 2
    separator = separator or guess_separator(text, {*required, *optional})
    records = _split(text, separator, table)
    header = records[0] if records else []
    if header is None or not any(cell.strip() for cell in header):
        table.readable = False
        if header is not None:
            table.add(None, None, "the file has no header", "begin it with a row of column names")
        return table
    table.header = [cell.strip()[:MAX_NAME_CHARACTERS] for cell in header]
    _check_header(table, required, optional)
    _keep_rows(table, records, first_line)
    return table


def guess_separator(text: str, expected: Collection[str]) -> str:
    """The separator that makes the most expected columns out of the first line, or else the most columns."""
    line = text[:100_000].split("\n", 1)[0].rstrip("\r")

    def score(separator: str) -> tuple[int, int]:
        try:
            cells = next(csv.reader([line], delimiter=separator), [])
        except csv.Error:
            cells = line.split(separator)
        return sum(cell.strip() in expected for cell in cells), len(cells)

    return max(SEPARATORS, key=score)


def _split(text: str, separator: str, table: Table) -> list[list[str] | None]:
    """All records, None for those that are not well-formed; the reader goes on with the line after a bad one."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    records: list[list[str] | None] = []
    while True:
        try:
            records.extend(reader)
            return records
        except csv.Error as error:
            records.append(None)
            unclosed = "unexpected end" in str(error)
            table.add(
                len(records),
                None,
                "a quotation mark is opened and never closed" if unclosed else f"the row is not CSV ({error})",
                'put the whole cell in quotation marks and write each quotation mark inside it twice ("")',
            )


def _check_header(table: Table, required: Collection[str], optional: Collection[str]) -> None:
    known = {*required, *optional}
    seen: set[str] = set()
    for number, name in enumerate(table.header, 1):
        if UNSTORABLE.search(name):
            table.readable = False
            problem = f"the name of column {number} holds a NUL character or half a character"
            table.add(1, None, problem, "write the name again")
        if name in seen:
            table.readable = False
            table.add(1, name, f"the column '{name}' occurs twice", "rename or remove one of them")
        seen.add(name)
    unknown = [name for name in table.header if name and name not in known]
    for name in required:
        if name not in seen:
            table.readable = False
            close = _closest(name, unknown)
            found = f"; '{close}' looks like it" if close else ""
            listed = ", ".join(f"'{column}'" for column in table.header[:20])
            table.add(
                1, name, f"the column '{name}' is missing{found}; the file has {listed}", f"name the column '{name}'"
            )


def _closest(name: str, candidates: Sequence[str]) -> str | None:
    by_lower = {candidate.lower().replace(" ", "_"): candidate for candidate in candidates}
    matches = get_close_matches(name.lower(), list(by_lower), n=1, cutoff=0.6)
    return by_lower[matches[0]] if matches else None


def _keep_rows(table: Table, records: list[list[str] | None], first_line: int) -> None:
    width = len(table.header)
    limits = [(place, LONGEST[name]) for place, name in enumerate(table.header) if name in LONGEST]
    for number, cells in enumerate(records[1:], first_line + 1):
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
        if max(map(len, cells)) > MAX_CELL_CHARACTERS:
            _report_long(table, number, cells)
            continue
        if "\0" in "".join(cells):
            column = next(name for name, cell in zip(table.header, cells, strict=True) if "\0" in cell)
            table.add(number, column, "the cell holds a NUL character", "remove it: text never contains one")
            continue
        for place, longest in limits:
            if len(cells[place]) > longest:
                problem = f"the cell has {len(cells[place]):,} characters, {longest} are the limit here"
                table.add(number, table.header[place], problem, "shorten it")
        table.rows.append((number, cells))


def _report_ragged(table: Table, number: int, count: int) -> None:
    width = len(table.header)
    why = "a cell with a separator in it must stand in quotation marks" if count > width else "fill the row up"
    table.add(number, None, f"the row has {count} cells, the header has {width}", why)


def _report_long(table: Table, number: int, cells: list[str]) -> None:
    for name, cell in zip(table.header, cells, strict=True):
        if len(cell) > MAX_CELL_CHARACTERS:
            table.add(
                number,
                name,
                f"the cell holds {len(cell):,} characters; the most that is accepted is {MAX_CELL_CHARACTERS:,}",
                "shorten it; often a quotation mark was opened here and never closed",
            )
