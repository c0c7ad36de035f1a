"""Reading the files of annotation tools: each label with its place, told apart from what is no label."""

import zipfile
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from annotation.labels.tools.base import CASE_ID, REPLACED, FoundLabel, Record
from annotation.labels.tools.registry import READ
from core.tables.binary import ZIP
from core.tables.decoding import MAX_FILE_BYTES, Unreadable, decode, read_bytes
from core.tables.json_lines import UNSTORABLE, is_json, read_records
from core.tables.reading import Table, read_table
from core.text import _

MOST_MEMBERS = 1_000
BEGINNING = datetime.min.replace(tzinfo=UTC)


class ToolFile(NamedTuple):
    """The labels of a file, those that a person replaced marked as such, and the table that collects its problems."""

    table: Table
    labels: list[FoundLabel]


def read_tool_file(path: Path, tool: str, labels: Sequence[str], *, name: str = "") -> ToolFile:
    """Read the labels in a file of a tool. What is wrong is in the table's problems; nothing is raised.

    A person's newest answer on a case counts. Annotators are told apart by tool: person 1 of one is not person 1 of
    another.
    """
    table = Table(name or path.name, is_exact=True)
    read = READ[tool].read
    assert read is not None
    found: list[FoundLabel] = []
    for member, records in _sources(path, table, reads_csv=READ[tool].reads_csv):
        source, place = PurePosixPath(member or table.file).stem, f"{member}: " if member else ""
        for one in read(source, records, labels):
            if not isinstance(one, FoundLabel):
                row, field, problem, fix = one
                table.add(row, f"{place}{field}", problem, fix)
            elif UNSTORABLE.search(f"{one.case}{one.annotator}{one.label}{one.comment}"):
                problem = _("the label holds a NUL character or half a character")
                table.add(one.row, f"{place}{one.field}", problem, _("correct the text and export the file again"))
            else:
                who = one.annotator and f"{tool}:{one.annotator}"
                found.append(replace(one, annotator=who, field=f"{place}{one.field}"))
    return ToolFile(table, _with_replaced(found))


def _with_replaced(found: Sequence[FoundLabel]) -> list[FoundLabel]:
    """Mark all but the newest answer of each person to each case; of two at the same time, the later one counts."""
    newest: dict[tuple[str, str], tuple[datetime, int]] = {}
    for place, one in enumerate(found):
        key, age = (one.case, one.annotator), (one.time or BEGINNING, place)
        if one.annotator and not one.reason_to_skip and age > newest.get(key, (BEGINNING, -1)):
            newest[key] = age
    return [
        one
        if one.reason_to_skip or not one.annotator or newest[one.case, one.annotator][1] == place
        else replace(one, reason_to_skip=REPLACED)
        for place, one in enumerate(found)
    ]


def _sources(path: Path, table: Table, *, reads_csv: bool) -> Iterator[tuple[str, list[tuple[int, Record]]]]:
    """Yield the records of the file, or those of each file in an archive with its name."""
    try:
        data = read_bytes(path)
        if data.startswith(ZIP):
            for member, content in _members(path):
                yield member, _records(decode(content), table)
            return
        text = decode(data)
    except Unreadable as error:
        table.problems.append(error.located(table.file))
        return
    if is_json(text) or not reads_csv:
        yield "", _records(text, table)
        return
    found = read_table(path, optional=(CASE_ID, f"Input.{CASE_ID}"), name=table.file)
    table.problems.extend(found.problems)
    if found.readable:
        yield "", list(found.records())


def _records(text: str, table: Table) -> list[tuple[int, Record]]:
    records, faults = read_records(text)
    for fault in faults:
        table.add(*fault)
    return [(row, record) for row, record in records]


def _members(path: Path) -> Iterator[tuple[str, bytes]]:
    """Yield the files of an archive. Refuses damaged and enormous ones."""
    try:
        with zipfile.ZipFile(path) as archive:
            members = [one for one in archive.infolist() if one.filename.endswith((".jsonl", ".json"))]
            if len(members) > MOST_MEMBERS or sum(one.file_size for one in members) > MAX_FILE_BYTES:
                problem = _("the archive holds more than %(most)s bytes, or too many files", most=MAX_FILE_BYTES)
                raise Unreadable(problem, _("split it into several files"))
            for one in members:
                yield one.filename, archive.read(one)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, EOFError) as error:
        fix = _("unpack it and choose the files one by one")
        raise Unreadable(_("this archive cannot be unpacked"), fix) from error
