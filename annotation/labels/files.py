"""Reading labels made elsewhere: HateCheck's columns, Multilingual HateCheck's lists, or one row per label.

Our own exports and those of annotation tools are read too. Every fault is located (file, row, column) and none is
fatal to the reading; the service that stores the labels refuses faults.
"""

import ast
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Literal

from django.utils import timezone
from django.utils.dateparse import parse_date, parse_datetime

from annotation.labels.tool_files import read_tool_file
from annotation.labels.tools.base import FoundLabel
from annotation.labels.tools.registry import READ
from core.tables.cells import restore
from core.tables.problems import Problem
from core.tables.reading import Table, read_table
from core.tables.recognising import PROLIFIC, recognise
from core.text import _

Layout = Literal["wide", "lists", "long", "label_studio", "doccano", "argilla", "prodigy", "mturk"]
CASE_COLUMNS = ("case_id", "mhc_case_id")
LISTS = "label_annotated"
EXPECTED = ("annotator", "label", "comment", "time", LISTS, "label_1", *CASE_COLUMNS)
# Columns that only our own exports of labels have. Those hold more than labels: what they leave out is counted.
OURS = ("campaign", "is_unrealistic")
EARLIER, CHECK, NO_SUCH_CASE, OTHER_ANSWER = "earlier", "checks", "no_such_case", "other_answers"
ALREADY_HERE = "already_here"


@dataclass(frozen=True, slots=True)
class GivenLabel:
    """One label of one person. `annotator` is what the file calls them and never leaves the import.

    In a list it is the place of the label, which does not identify a person.
    The text of the first five fields tells whether a file was imported before, so the others stay out of it.
    """

    case: str
    annotator: str
    label: str
    comment: str = ""
    time: datetime | None = None
    is_identified: bool = field(default=True, repr=False)
    campaign: str = field(default="", repr=False)
    is_unrealistic: bool = field(default=False, repr=False)
    unrealistic_because: str = field(default="", repr=False)
    reason_to_skip: str = field(default="", repr=False)


@dataclass(slots=True)
class LabelFile:
    """What a file holds, and how many rows were skipped for which reason. Nothing may be stored with an error."""

    layout: Layout | None = None
    labels: list[GivenLabel] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)


def read_label_file(
    path: Path, *, cases: Collection[str], labels: Collection[str], layout: Layout | None = None, name: str = ""
) -> LabelFile:
    """Read labels in any of the layouts, told apart by their columns unless `layout` says which.

    Names every row with an unknown case, an unknown label, a second label of one person on one case, or a bad time.
    In our own exports, as CSV or JSONL, rows that are no label that counts now are skipped and counted: earlier
    revisions, checks, answers to other questions, and labels of cases that the suite no longer has.
    """
    tool = recognise(path) if layout is None else layout
    if tool in READ:
        return _read_tool(path, tool, cases, labels, name=name)
    table = read_table(path, required=(), optional=EXPECTED, name=name or None)
    found = LabelFile()
    if table.readable and tool == PROLIFIC:
        problem = _("this looks like Prolific's list of submissions, which holds no labels")
        table.add(None, None, problem, _("compare it with the payments on the page of the campaign"))
    elif table.readable:
        found.layout = layout or _layout_of(table)
        case_column = next((column for column in CASE_COLUMNS if table.has(column)), None)
        if case_column is None:
            table.add(1, "case_id", _("there is no column 'case_id'"), _("name the column of case ids 'case_id'"))
        elif found.layout is None or not _has_columns(table, found.layout):
            table.add(
                1,
                None,
                _("the file has neither 'annotator' and 'label', nor 'label_1', 'label_2', ..., nor 'label_annotated'"),
                _("use one row per label (case_id, annotator, label), or one of the published layouts"),
            )
        else:
            rows = {"wide": _wide, "lists": _lists}.get(found.layout, _long)(table, case_column)
            _check(table, found, rows, case_column, cases, labels, is_ours=set(OURS) <= set(table.header))
    found.problems = table.problems
    return found


def _read_tool(path: Path, tool: str, cases: Collection[str], labels: Collection[str], *, name: str) -> LabelFile:
    """Read the export of an annotation tool. Labels without an annotator get the place they have on their case."""
    table, given = read_tool_file(path, tool, list(labels), name=name)
    found = LabelFile(layout=tool)  # type: ignore[arg-type]
    _check(table, found, _from_tool(given), "case_id", cases, labels, is_ours=False)
    found.problems = table.problems
    return found


def _from_tool(given: Iterable[FoundLabel]) -> Iterator[tuple[int, str, GivenLabel]]:
    places: Counter[str] = Counter()
    for one in given:
        places[one.case] += not one.annotator and not one.reason_to_skip
        who = one.annotator or str(places[one.case])
        label = GivenLabel(
            one.case,
            who,
            one.label,
            one.comment,
            one.time,
            is_identified=bool(one.annotator),
            is_unrealistic=one.is_unrealistic,
            reason_to_skip=one.reason_to_skip,
        )
        yield one.row, one.field, label


def _layout_of(table: Table) -> Layout | None:
    return next((layout for layout in ("long", "lists", "wide") if _has_columns(table, layout)), None)


def _has_columns(table: Table, layout: Layout) -> bool:
    if layout == "long":
        return table.has("annotator") and table.has("label")
    return table.has(LISTS) if layout == "lists" else bool(_wide_columns(table))


def _wide_columns(table: Table) -> list[str]:
    return [name for name in table.header if name.startswith("label_") and name[6:].isdigit()]


def _check(
    table: Table,
    found: LabelFile,
    rows: Iterable[tuple[int, str, GivenLabel]],
    case_column: str,
    cases: Collection[str],
    labels: Collection[str],
    *,
    is_ours: bool,
) -> None:
    seen: dict[tuple[str, str, str], int] = {}
    unknown: dict[str, int] = {}
    places: Counter[tuple[str, str]] = Counter()
    for row, column, given in rows:
        if is_ours and not given.annotator and not given.reason_to_skip:
            # Our own exports leave annotators empty whom their source did not identify.
            places[given.campaign, given.case] += 1
            given = replace(given, annotator=str(places[given.campaign, given.case]), is_identified=False)
        place = (given.campaign, given.case, given.annotator)
        if given.reason_to_skip:
            found.skipped[given.reason_to_skip] += 1
        elif given.case not in cases:
            if is_ours:
                found.skipped[NO_SUCH_CASE] += 1
            elif given.case not in unknown:
                _report_unknown(table, row, case_column, given.case)
            unknown.setdefault(given.case, row)
        elif given.label not in labels and is_ours:
            found.skipped[OTHER_ANSWER] += 1
        elif given.label not in labels:
            problem = _("'%(label)s' is not a label of the suite", label=given.label[:60])
            table.add(row, column, problem, _("use one of: %(labels)s", labels=list(labels)))
        elif not given.annotator:
            fix = _(
                "name an annotator in every row; if they are unknown, list each case's labels in '%(column)s' instead",
                column=LISTS,
            )
            table.add(row, "annotator", _("no annotator is named"), fix)
        elif (first := seen.setdefault(place, row)) != row:
            problem = _(
                "'%(annotator)s' has already labelled this case in row %(row)s",
                annotator=given.annotator[:60],
                row=first,
            )
            table.add(row, column, problem, _("keep one of the rows"))
        else:
            found.labels.append(given)
    if is_ours and unknown and not found.labels:  # the file of another suite
        for case, row in unknown.items():
            _report_unknown(table, row, case_column, case)


def _report_unknown(table: Table, row: int, column: str, case: str) -> None:
    table.add(row, column, _("the suite has no case '%(case)s'", case=case[:80]), _("remove the row or correct the id"))


def _wide(table: Table, case_column: str) -> Iterator[tuple[int, str, GivenLabel]]:
    columns = _wide_columns(table)
    for row, cells in table.records():
        for column in columns:
            if label := cells[column].strip():
                yield row, column, GivenLabel(_case(cells[case_column]), column, label)


def _lists(table: Table, case_column: str) -> Iterator[tuple[int, str, GivenLabel]]:
    for row, cells in table.records():
        cell = cells[LISTS].strip()
        if not cell:
            continue
        try:
            labels = ast.literal_eval(cell)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            labels = None
        if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
            fix = _("write a list such as %(example)s", example="['hateful', 'non-hateful', 'hateful']")
            table.add(row, LISTS, _("'%(cell)s' is not a list of labels", cell=cell[:60]), fix)
            continue
        for place, label in enumerate(labels, 1):
            yield row, LISTS, GivenLabel(_case(cells[case_column]), str(place), label, is_identified=False)


def _long(table: Table, case_column: str) -> Iterator[tuple[int, str, GivenLabel]]:
    for row, cells in table.records():
        told = cells.get("time", "").strip()
        time = _time(told)
        if told and time is None:
            problem = _("'%(time)s' is not a time", time=told[:40])
            table.add(row, "time", problem, _("write it as 2026-01-31T14:30:00 or leave it empty"))
            continue
        typed = {name: cells.get(name, "").strip() for name in ("comment", "unrealistic_because")}
        if not table.is_exact:  # what was defused for spreadsheets is restored
            typed = {name: restore(text) for name, text in typed.items()}
        yield (
            row,
            "label",
            GivenLabel(
                _case(cells[case_column]),
                cells["annotator"].strip(),
                cells["label"].strip(),
                typed["comment"],
                time,
                campaign=cells.get("campaign", "").strip(),
                is_unrealistic=_is_true(cells.get("is_unrealistic", "")),
                unrealistic_because=typed["unrealistic_because"],
                reason_to_skip=_reason_to_skip(cells),
            ),
        )


def _reason_to_skip(cells: dict[str, str]) -> str:
    """Why a row of our own export is no label that counts now; "" where it is one."""
    if not {*OURS, "counts", "role"} <= set(cells) or _is_true(cells["counts"]):
        return ""
    return EARLIER if cells["role"] == "label" else CHECK


def _is_true(cell: str) -> bool:
    return cell.strip().lower() in ("true", "1", "yes")


def _case(cell: str) -> str:
    """Spreadsheets turn ids into 17.0."""
    cell = cell.strip()
    return cell[:-2] if cell.endswith(".0") and cell[:-2].isdigit() else cell


def _time(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
        if found is None and (day := parse_date(text)) is not None:
            found = datetime(day.year, day.month, day.day)
    except ValueError:
        return None
    return timezone.make_aware(found) if found is not None and timezone.is_naive(found) else found
