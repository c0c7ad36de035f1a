"""Mechanical Turk: a batch and the page of its task out; the results of the batch in."""

import json
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any

from annotation.labels.tools.base import (
    CASE_ID,
    REJECTED,
    UNANSWERED,
    AnnotationTool,
    Fault,
    FoundLabel,
    LabellingTask,
    Record,
    Records,
    bad_time,
    no_case,
    several_labels,
)
from annotation.labels.tools.times import read_time
from core.tables.cells import as_text
from core.tables.recognising import MTURK, TITLES
from core.tables.writing import csv_bytes

INPUT, ANSWER, TASK_ANSWERS = "Input.", "Answer.", "Answer.taskAnswers"
LABEL, COMMENT = "label", "comment"
BEYOND_BMP = 0xFFFF  # a batch may hold no letter beyond the first plane of Unicode, so emoji are written as entities


def write_mturk(task: LabellingTask) -> dict[str, bytes]:
    """Return the batch to upload and the HTML of the task, into which the platform puts each text as it stands."""
    rows = [(case.key, _for_html(case.text)) for case in task.cases]
    return {"batch.csv": csv_bytes([(CASE_ID, "text"), *rows]), "task.html": _page(task).encode()}


def _for_html(text: str) -> str:
    return "".join(f"&#{ord(letter)};" if ord(letter) > BEYOND_BMP else letter for letter in escape(text))


def _page(task: LabellingTask) -> str:
    categories = escape(json.dumps(list(task.labels), ensure_ascii=False))
    guideline = f"<pre>{escape(task.guideline)}</pre>" if task.guideline else escape(task.prompt)
    return (
        '<script src="https://assets.crowd.aws/crowd-html-elements.js"></script>\n'
        "<crowd-form>\n"
        f'  <crowd-classifier name="{LABEL}" categories="{categories}" header="{escape(task.prompt)}">\n'
        "    <classification-target>${text}</classification-target>\n"
        f'    <full-instructions header="{escape(task.title)}">{guideline}</full-instructions>\n'
        f"    <short-instructions>{escape(task.prompt)}</short-instructions>\n"
        "  </crowd-classifier>\n"
        f'  <crowd-text-area name="{COMMENT}" label="{COMMENT}" rows="2"></crowd-text-area>\n'
        "</crowd-form>\n"
    )


def read_mturk(source: str, records: Records, labels: Sequence[str]) -> Iterator[FoundLabel | Fault]:
    """Yield the answers of assignments; those that were rejected are named as such."""
    for row, record in records:
        told = record.get("SubmitTime")
        try:
            time = read_time(told)
        except ValueError:
            yield bad_time(row, "SubmitTime", told)
            continue
        case, who = as_text(record.get(INPUT + CASE_ID)).strip(), as_text(record.get("WorkerId")).strip()
        field, answers, comment = _answer(record, labels)
        if as_text(record.get("AssignmentStatus")).lower() == "rejected":
            yield FoundLabel(row, field, case, who, "", time=time, reason_to_skip=REJECTED)
        elif not answers:
            yield FoundLabel(row, field, case, who, "", time=time, reason_to_skip=UNANSWERED)
        elif len(answers) > 1:
            yield several_labels(row, field, answers)
        elif not case:
            yield no_case(row, INPUT + CASE_ID)
        else:
            yield FoundLabel(row, field, case, who, answers[0], comment, time)


def _answer(record: Record, labels: Sequence[str]) -> tuple[str, list[str], str]:
    """Return the field, the labels in it, and the comment."""
    packed = _packed(record.get(TASK_ANSWERS))
    if packed is not None:
        comment = as_text(packed.pop(COMMENT, ""))
        chosen = packed[LABEL] if LABEL in packed else next(iter(packed.values()), None)
        return TASK_ANSWERS, _chosen(chosen), comment
    answers = {name: as_text(value).strip() for name, value in record.items() if name.startswith(ANSWER)}
    comment = answers.pop(ANSWER + COMMENT, "")
    ticked = [
        label for label in labels if any(name.endswith(f".{label}") and _is_true(answers[name]) for name in answers)
    ]
    if ticked:
        return ANSWER + LABEL, ticked, comment
    for name in (f"{ANSWER}{LABEL}.{LABEL}", ANSWER + LABEL, *answers):
        if answers.get(name) and answers[name].lower() != "false":
            return name, [answers[name]], comment
    return ANSWER + LABEL, [], comment


def _packed(cell: Any) -> dict[str, Any] | None:
    """Return the answers of a task page that packs them into one cell of JSON."""
    try:
        found = json.loads(cell) if cell else None
    except (ValueError, RecursionError):
        return None
    found = found[0] if isinstance(found, list) and found else found
    return dict(found) if isinstance(found, Mapping) else None


def _chosen(value: Any) -> list[str]:
    """Return the labels in {"label": "hateful"}, {"hateful": true, "non-hateful": false} or "hateful"."""
    if not isinstance(value, Mapping):
        return [as_text(value)] if value else []
    if isinstance(value.get(LABEL), str):
        return [value[LABEL]]
    return [name for name, is_chosen in value.items() if is_chosen is True]


def _is_true(cell: str) -> bool:
    return cell.lower() == "true"


TOOL = AnnotationTool(MTURK, TITLES[MTURK], write_mturk, read_mturk, reads_csv=True)
