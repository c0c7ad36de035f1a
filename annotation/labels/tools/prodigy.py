"""Prodigy: a stream for the interface `choice` out; what `db-out` prints in, from `choice` and `textcat` recipes."""

from collections.abc import Iterator, Sequence

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
    json_lines,
    no_case,
    several_labels,
)
from annotation.labels.tools.times import read_time
from core.tables.cells import as_text
from core.tables.recognising import PRODIGY, TITLES
from core.text import _


def write_prodigy(task: LabellingTask) -> dict[str, bytes]:
    """Return the stream. The case id stands beside the text, because annotators are shown what stands in `meta`."""
    options = [{"id": label, "text": label} for label in task.labels]
    cases = (
        {"text": case.text, "options": options, CASE_ID: case.key, "language": case.language} for case in task.cases
    )
    return {"cases.jsonl": json_lines(cases)}


def read_prodigy(source: str, records: Records, labels: Sequence[str]) -> Iterator[FoundLabel | Fault]:
    """Yield the labels. An ignored text is no answer; with two labels, to reject one is to choose the other."""
    for row, record in records:
        try:
            time = read_time(record.get("_timestamp"))
        except ValueError:
            yield bad_time(row, "_timestamp", record.get("_timestamp"))
            continue
        case, who = (
            case_of(record, record.get("meta")),
            as_text(record.get("_annotator_id") or record.get("_session_id")),
        )
        given = _labels(record, labels)
        if given is None:
            fix = _("ask with the interface choice, which asks for one of the labels")
            yield row, "answer", _("a label was rejected, which does not say which other one is right"), fix
        elif not given:
            yield FoundLabel(row, "answer", case, who, "", time=time, reason_to_skip=UNANSWERED)
        elif len(given) > 1:
            yield several_labels(row, "accept", given)
        elif not case:
            yield no_case(row, CASE_ID)
        else:
            comment = as_text(record.get("comment") or record.get("user_input"))
            yield FoundLabel(row, "accept", case, who, given[0], comment, time)


def _labels(record: Record, labels: Sequence[str]) -> list[str] | None:
    """Return what was chosen, nothing where the text was ignored; None where the answer says no label."""
    answer, accepted = record.get("answer"), record.get("accept")
    if answer == "ignore":
        return []
    if isinstance(accepted, list):  # choice and textcat.manual
        return [as_text(one) for one in accepted] if answer != "reject" else []
    label = as_text(record.get("label"))
    if not label or answer == "accept":
        return [label] if label else []
    others = [other for other in labels if other != label]
    return others if len(others) == 1 else None


TOOL = AnnotationTool(PRODIGY, TITLES[PRODIGY], write_prodigy, read_prodigy)
