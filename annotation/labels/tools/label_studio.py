"""Label Studio: tasks and a labelling configuration out; JSON, JSON-MIN and CSV exports in, also those before 1.0."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import quoteattr

from annotation.labels.tools.base import (
    CASE_ID,
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
from core.tables.recognising import LABEL_STUDIO, TITLES

LABEL, COMMENT, UNREALISTIC = "label", "comment", "unrealistic"
CHOICES, TEXTAREA = "choices", "textarea"


def write_label_studio(task: LabellingTask) -> dict[str, bytes]:
    """Return the tasks to import and the configuration to paste into the settings of the project."""
    tasks = [{"data": {CASE_ID: case.key, "text": case.text, "language": case.language}} for case in task.cases]
    return {"tasks.json": json_bytes(tasks), "labeling_config.xml": _config(task).encode()}


def _config(task: LabellingTask) -> str:
    keys = [f' hotkey="{number}"' if number < 10 else "" for number in range(1, len(task.labels) + 1)]
    choices = "\n".join(
        f"    <Choice value={quoteattr(label)}{key}/>" for label, key in zip(task.labels, keys, strict=True)
    )
    return (
        "<View>\n"
        f"  <Header value={quoteattr(task.prompt)}/>\n"
        '  <Text name="text" value="$text"/>\n'
        f'  <Choices name="{LABEL}" toName="text" choice="single" required="true">\n{choices}\n  </Choices>\n'
        f'  <Choices name="{UNREALISTIC}" toName="text" choice="multiple">\n'
        f'    <Choice value="{UNREALISTIC}"/>\n  </Choices>\n'
        f'  <TextArea name="{COMMENT}" toName="text" rows="2" editable="true"/>\n'
        "</View>\n"
    )


def read_label_studio(source: str, records: Records, labels: Sequence[str]) -> Iterator[FoundLabel | Fault]:
    """Yield the labels of finished annotations; tasks that somebody skipped are named as such."""
    for row, record in records:
        if isinstance(record.get("data"), Mapping):
            for annotation in [*_list(record.get("annotations")), *_list(record.get("completions"))]:
                if isinstance(annotation, Mapping):
                    yield from _annotation(row, record["data"], annotation)
        else:
            yield from _flat(row, record, labels)


def _annotation(row: int, data: Record, annotation: Record) -> Iterator[FoundLabel | Fault]:
    try:
        time = read_time(annotation.get("created_at"))
    except ValueError:
        yield bad_time(row, "created_at", annotation.get("created_at"))
        return
    who, case = _person(annotation.get("completed_by")), case_of(data)
    if annotation.get("was_cancelled") or annotation.get("skipped"):
        yield FoundLabel(row, "annotations", case, who, "", time=time, reason_to_skip=UNANSWERED)
        return
    results = [one for one in _list(annotation.get("result")) if isinstance(one, Mapping)]
    chosen = {_name(one): _values(one, CHOICES) for one in results if one.get("type") == CHOICES}
    flagged = bool(chosen.pop(UNREALISTIC, []))
    answers = chosen[LABEL] if LABEL in chosen else [answer for values in chosen.values() for answer in values]
    comment = " ".join(text for one in results if one.get("type") == TEXTAREA for text in _values(one, "text"))
    if not answers:
        yield FoundLabel(row, "annotations", case, who, "", time=time, reason_to_skip=UNANSWERED)
    elif len(answers) > 1:
        yield several_labels(row, "annotations", answers)
    elif not case:
        yield no_case(row, "data")
    else:
        yield FoundLabel(row, "annotations", case, who, answers[0], comment, time, flagged)


def _flat(row: int, record: Record, labels: Sequence[str]) -> Iterator[FoundLabel | Fault]:
    """Yield the annotation of a row of JSON-MIN or CSV, which have one field per question."""
    answer = record.get(LABEL)
    if LABEL not in record:
        answer = next((value for value in record.values() if isinstance(value, str) and value in labels), "")
    if isinstance(answer, Mapping):
        answer = answer.get(CHOICES)
    if isinstance(answer, list):
        if len(answer) > 1:
            yield several_labels(row, LABEL, answer)
            return
        answer = answer[0] if answer else ""
    try:
        time = read_time(record.get("created_at"))
    except ValueError:
        yield bad_time(row, "created_at", record.get("created_at"))
        return
    case, who = case_of(record), _person(record.get("annotator"))
    if not as_text(answer):
        yield FoundLabel(row, LABEL, case, who, "", time=time, reason_to_skip=UNANSWERED)
    elif not case:
        yield no_case(row, CASE_ID)
    else:
        comment, flagged = as_text(record.get(COMMENT)), bool(as_text(record.get(UNREALISTIC)))
        yield FoundLabel(row, LABEL, case, who, as_text(answer), comment, time, flagged)


def _person(value: Any) -> str:
    """Return who answered: an id, or in newer versions an object with id and address."""
    return as_text(value.get("id") if isinstance(value, Mapping) else value).strip()


def _name(result: Record) -> str:
    return as_text(result.get("from_name"))


def _values(result: Record, kind: str) -> list[str]:
    value = result.get("value")
    found = value.get(kind) if isinstance(value, Mapping) else None
    return [as_text(one) for one in (found if isinstance(found, list) else [found]) if one]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


TOOL = AnnotationTool(LABEL_STUDIO, TITLES[LABEL_STUDIO], write_label_studio, read_label_studio, reads_csv=True)
