"""Doccano: JSON lines out; JSON lines in, one file per person in a zip archive, or one file without names."""

from collections.abc import Iterator, Mapping, Sequence

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
    json_lines,
    no_case,
    several_labels,
)
from annotation.labels.tools.times import read_time
from core.tables.cells import as_text
from core.tables.recognising import DOCCANO, TITLES
from core.text import _

# Files that hold the labels of everybody, or of nobody known.
NOT_A_PERSON = ("all", "unknown")
COLOURS = ("#b91c1c", "#1d4ed8", "#15803d", "#a16207", "#7e22ce", "#0f766e", "#be185d", "#4338ca", "#525252")


def write_doccano(task: LabellingTask) -> dict[str, bytes]:
    """Return the data set and the labels to import into a project for text classification."""
    cases = ({"text": case.text, CASE_ID: case.key, "language": case.language} for case in task.cases)
    labels = [
        {"text": label, "suffix_key": str(number) if number < 10 else None, "background_color": colour,
         "text_color": "#ffffff"}
        for number, (label, colour) in enumerate(zip(task.labels, COLOURS * len(task.labels), strict=False), 1)
    ]  # fmt: skip
    return {"cases.jsonl": json_lines(cases), "labels.json": json_bytes(labels)}


def read_doccano(source: str, records: Records, labels: Sequence[str]) -> Iterator[FoundLabel | Fault]:
    """Yield the labels. Whose they are says the name of the file, in versions before 1.5 each annotation itself."""
    who = "" if source.lower() in NOT_A_PERSON else source
    for row, record in records:
        case = case_of(record, record.get("meta"), record.get("metadata"))
        if isinstance(record.get("annotations"), list):
            yield from _annotations(row, record, case)
            continue
        field = "label" if "label" in record else "labels"
        found = record.get(field)
        given = [as_text(one) for one in (found if isinstance(found, list) else [found]) if one not in (None, "")]
        if not given:
            yield FoundLabel(row, field, case, who, "", reason_to_skip=UNANSWERED)
        elif len(given) > 1:
            yield several_labels(row, field, given)
        elif not case:
            yield no_case(row, CASE_ID)
        else:
            yield FoundLabel(row, field, case, who, given[0], _comments(record))


def _annotations(row: int, record: Record, case: str) -> Iterator[FoundLabel | Fault]:
    for annotation in record["annotations"]:
        if not isinstance(annotation, Mapping):
            continue
        label, told = annotation.get("label"), annotation.get("created_at")
        if isinstance(label, int):
            fix = _("export the project again as JSONL with the texts of the labels")
            yield row, "annotations", _("the label is the number %(number)s, not its text", number=label), fix
            continue
        try:
            time = read_time(told)
        except ValueError:
            yield bad_time(row, "created_at", told)
            continue
        if not case:
            yield no_case(row, "meta")
        else:
            yield FoundLabel(row, "annotations", case, as_text(annotation.get("user")), as_text(label), time=time)


def _comments(record: Record) -> str:
    found = record.get("Comments", record.get("comments"))
    texts = found if isinstance(found, list) else []
    return " ".join(as_text(one.get("text") if isinstance(one, Mapping) else one) for one in texts)


TOOL = AnnotationTool(DOCCANO, TITLES[DOCCANO], write_doccano, read_doccano)
