"""What the formats of annotation tools have in common: the cases to be labelled, and the labels that come back."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from core.tables.cells import as_text
from core.text import _

Fault = tuple[int, str | None, str, str]  # row, field, what is wrong, what to do
Record = Mapping[str, Any]
Records = Iterable[tuple[int, Record]]

CASE_ID = "case_id"
REJECTED, UNANSWERED, REPLACED, DRAFT = "rejected", "unanswered", "earlier", "unfinished"


@dataclass(frozen=True, slots=True)
class CaseToLabel:
    """What an annotator may see of a case, and the key by which its labels find it again. Never its gold label."""

    key: str
    text: str
    language: str = ""


@dataclass(frozen=True, slots=True)
class LabellingTask:
    """The cases to be labelled, the question as annotators read it, its answers, and the guideline in Markdown."""

    title: str
    prompt: str
    labels: tuple[str, ...]
    cases: Sequence[CaseToLabel]
    guideline: str = ""


@dataclass(frozen=True, slots=True)
class FoundLabel:
    """One label in a file of a tool, with its place. Without an annotator, the file does not say who gave it."""

    row: int
    field: str
    case: str
    annotator: str
    label: str
    comment: str = ""
    time: datetime | None = None
    is_unrealistic: bool = False
    reason_to_skip: str = ""


# Reads the records of one file; `source` is its name without the ending, `labels` are those of the suite.
Reader = Callable[[str, Records, Sequence[str]], Iterator[FoundLabel | Fault]]


@dataclass(frozen=True, slots=True)
class AnnotationTool:
    """One tool. `write` returns files by name; without `read` no labels come back. `reads_csv`: also as CSV."""

    name: str
    title: str
    write: Callable[[LabellingTask], dict[str, bytes]]
    read: Reader | None = None
    reads_csv: bool = False


def case_of(*places: Any) -> str:
    """Return the case id from the first of these objects that has one; "" where none has."""
    found = (place[CASE_ID] for place in places if isinstance(place, Mapping) and place.get(CASE_ID) is not None)
    return next((as_text(value).strip() for value in found), "")


def no_case(row: int, field: str) -> Fault:
    fix = _("keep the field case_id, which export_tasks adds to every case")
    return row, field, _("the label does not say which case it is about: there is no case_id"), fix


def several_labels(row: int, field: str, labels: Sequence[str]) -> Fault:
    shown = [str(label)[:60] for label in labels]
    return row, field, _("the case has several labels here: %(labels)s", labels=shown), _("keep one of them")


def bad_time(row: int, field: str, value: Any) -> Fault:
    return (
        row,
        field,
        _("'%(time)s' is not a time", time=str(value)[:40]),
        _("export the file again, or leave it empty"),
    )


def json_bytes(value: Any) -> bytes:
    """Return JSON for people and programs to read."""
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_lines(values: Iterable[Any]) -> bytes:
    """Return one object per line."""
    return "".join(json.dumps(value, ensure_ascii=False) + "\n" for value in values).encode()
