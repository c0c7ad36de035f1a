"""Argilla: records and settings out; records in, as 2.x and 1.x write them, nested, flattened or from its server."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotation.labels.tools.base import (
    CASE_ID,
    DRAFT,
    UNANSWERED,
    AnnotationTool,
    Fault,
    FoundLabel,
    LabellingTask,
    Record,
    Records,
    bad_time,
    case_of,
    json_bytes,
    no_case,
    several_labels,
)
from annotation.labels.tools.times import read_time
from core.tables.cells import as_text
from core.tables.recognising import ARGILLA, TITLES

LABEL = "label"
UNFINISHED = {"draft": DRAFT, "discarded": UNANSWERED}


def write_argilla(task: LabellingTask) -> dict[str, bytes]:
    """Return the records, for `records.from_json`, and the settings of the data set, for `Settings.from_json`."""
    records = [
        {"id": case.key, "fields": {"text": case.text}, "metadata": {CASE_ID: case.key, "language": case.language},
         "suggestions": {}, "responses": {}, "vectors": {}}
        for case in task.cases
    ]  # fmt: skip
    options = [{"value": label, "text": label, "description": None} for label in task.labels]
    settings = {
        "guidelines": task.guideline or task.prompt,
        "questions": [
            {"name": LABEL, "title": task.prompt, "description": None, "required": True,
             "settings": {"type": "label_selection", "options": options, "visible_options": None}}
        ],
        "fields": [
            {"name": "text", "title": "text", "required": True, "settings": {"type": "text", "use_markdown": False}}
        ],
        "metadata": [
            {"name": name, "title": name, "settings": {"type": "terms", "values": None},
             "visible_for_annotators": False}
            for name in (CASE_ID, "language")
        ],
        "vectors": [],
        "allow_extra_metadata": True,
    }  # fmt: skip
    return {"records.json": json_bytes(records), "settings.json": json_bytes(settings)}


def read_argilla(source: str, records: Records, labels: Sequence[str]) -> Iterator[FoundLabel | Fault]:
    """Yield the responses that were submitted to the question `label`, or to the only one with the suite's labels."""
    for row, record in records:
        case = case_of(record, record.get("metadata")) or as_text(record.get("external_id") or record.get("id"))
        for answer in _answers(record, labels):
            yield from _label(row, case, answer)


def _label(row: int, case: str, answer: Record) -> Iterator[FoundLabel | Fault]:
    told = answer.get("updated_at") or answer.get("inserted_at")
    try:
        time = read_time(told)
    except ValueError:
        yield bad_time(row, "responses", told)
        return
    value, status = answer["value"], as_text(answer.get("status")).lower().rpartition(".")[2]
    who = as_text(answer.get("user_id"))
    if isinstance(value, list):
        if len(value) > 1:
            yield several_labels(row, "responses", value)
            return
        value = value[0] if value else None
    if status in UNFINISHED or value is None:
        yield FoundLabel(
            row, "responses", case, who, "", time=time, reason_to_skip=UNFINISHED.get(status, UNANSWERED)
        )  # fmt: skip
    elif not case:
        yield no_case(row, "metadata")
    else:
        yield FoundLabel(row, "responses", case, who, as_text(value), time=time)


def _answers(record: Record, labels: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield value, person, status and time of each answer to the question about the label."""
    responses = record.get("responses")
    if isinstance(responses, list):  # by person: 1.x and the server
        for response in responses:
            values = response.get("values") if isinstance(response, Mapping) else None
            values = values if isinstance(values, Mapping) else {}
            question = _question({name: [_value(one)] for name, one in values.items()}, labels)
            yield {**response, "value": _value(values.get(question))}
        return
    if isinstance(responses, Mapping):  # by question: 2.x
        by_name = {name: given for name, given in responses.items() if isinstance(given, list)}
        question = _question({name: [_value(one) for one in given] for name, given in by_name.items()}, labels)
        for one in by_name.get(question, []):
            yield {**(one if isinstance(one, Mapping) else {}), "value": _value(one)}
        return
    flat = {
        name.removesuffix(".responses"): given
        for name, given in record.items()
        if name.endswith(".responses") and isinstance(given, list)
    }
    question = _question(flat, labels)
    people = record.get(f"{question}.responses.users") or []
    states = record.get(f"{question}.responses.status") or []
    for place, value in enumerate(flat.get(question, [])):
        yield {"value": value, "user_id": _at(people, place), "status": _at(states, place)}


def _question(answers: Mapping[str, Sequence[Any]], labels: Sequence[str]) -> str:
    """Return the question about the label, among several the one that was answered with labels of the suite."""
    if LABEL in answers or not answers:
        return LABEL
    fitting = [name for name, given in answers.items() if any(one in labels for one in given if isinstance(one, str))]
    return fitting[0] if fitting else next(iter(answers))


def _value(answer: Any) -> Any:
    return answer.get("value") if isinstance(answer, Mapping) else answer


def _at(values: Any, place: int) -> Any:
    return values[place] if isinstance(values, list) and place < len(values) else ""


TOOL = AnnotationTool(ARGILLA, TITLES[ARGILLA], write_argilla, read_argilla)
