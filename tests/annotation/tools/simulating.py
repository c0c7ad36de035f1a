"""What each tool gives back after people have labelled what was sent to it, in the shape of its own export."""

import csv
import io
import json
import zipfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from html import unescape
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

Files = dict[str, bytes]
PACIFIC = timezone(timedelta(hours=-8))


@dataclass(frozen=True)
class Given:
    """One label as a person gave it."""

    case: str
    person: str
    label: str
    time: datetime
    comment: str = ""


def tasks_of(content: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in content.decode().splitlines()]


def by_case(given: Sequence[Given]) -> dict[str, list[Given]]:
    found: defaultdict[str, list[Given]] = defaultdict(list)
    for one in given:
        found[one.case].append(one)
    return found


def people(given: Sequence[Given]) -> dict[str, int]:
    """Numbers as tools give them to accounts."""
    return {name: number for number, name in enumerate(sorted({one.person for one in given}), 1)}


def label_studio(files: Files, given: Sequence[Given], folder: Path) -> Path:
    """The JSON export of 1.x: the task as it was imported, and an annotation per person."""
    config = ElementTree.fromstring(files["labeling_config.xml"].decode())
    [choices] = [one for one in config.iter("Choices") if one.get("required") == "true"]
    offered = {choice.get("value") for choice in choices.iter("Choice")}
    answers, numbers, tasks = by_case(given), people(given), []
    for number, task in enumerate(json.loads(files["tasks.json"]), 1):
        annotations = []
        for one in answers[task["data"]["case_id"]]:
            assert one.label in offered
            region = {"id": "Dx_aB9", "to_name": choices.get("toName"), "origin": "manual"}
            result = [
                {**region, "from_name": choices.get("name"), "type": "choices", "value": {"choices": [one.label]}}
            ]
            if one.comment:
                result.append({**region, "from_name": "comment", "type": "textarea", "value": {"text": [one.comment]}})
            time = one.time.isoformat().replace("+00:00", "Z")
            annotations.append(
                {"id": number * 100 + len(annotations), "completed_by": numbers[one.person], "result": result,
                 "was_cancelled": False, "ground_truth": False, "created_at": time, "updated_at": time,
                 "lead_time": 4.288, "task": number, "parent_prediction": None}
            )  # fmt: skip
        tasks.append(
            {"id": number, "annotations": annotations, "file_upload": "7f1-tasks.json", "drafts": [],
             "predictions": [], "data": task["data"], "meta": {}, "created_at": "2026-03-01T09:00:00.000000Z",
             "project": 1}
        )  # fmt: skip
    return saved(folder / "project-1-at-2026-03-02.json", json.dumps(tasks).encode())


def doccano(files: Files, given: Sequence[Given], folder: Path) -> Path:
    """The archive of a project that several people label by themselves: lines of JSON, one file per person."""
    assert {one["text"] for one in json.loads(files["labels.json"])} >= {one.label for one in given}
    tasks = tasks_of(files["cases.jsonl"])
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for person in sorted({one.person for one in given}):
            mine = {one.case: one for one in given if one.person == person}
            rows = []
            for number, task in enumerate(tasks, 1):
                one = mine.get(task["case_id"])
                comments = [one.comment] if one and one.comment else []
                rows.append({"id": number, **task, "label": [one.label] if one else [], "Comments": comments})
            archive.writestr(f"{person}.jsonl", "".join(json.dumps(row) + "\n" for row in rows))
    return saved(folder / "export.zip", out.getvalue())


def argilla(files: Files, given: Sequence[Given], folder: Path) -> Path:
    """What `dataset.records.to_json` writes in 2.x."""
    [question] = json.loads(files["settings.json"])["questions"]
    answers = by_case(given)
    records = [
        {**record, "status": "completed", "_server_id": "0b0c",
         "responses": {question["name"]: [{"value": one.label, "user_id": one.person} for one in answers[record["id"]]]}
         if answers[record["id"]] else {}}
        for record in json.loads(files["records.json"])
    ]  # fmt: skip
    return saved(folder / "records.json", json.dumps(records).encode())


def prodigy(files: Files, given: Sequence[Given], folder: Path) -> Path:
    """What `db-out` prints after the interface `choice`."""
    tasks = {task["case_id"]: task for task in tasks_of(files["cases.jsonl"])}
    rows = [
        {**tasks[one.case], "_input_hash": 49, "_task_hash": -20, "_view_id": "choice", "accept": [one.label],
         "config": {"choice_style": "single"}, "answer": "accept", "_timestamp": int(one.time.timestamp()),
         "_annotator_id": one.person, "_session_id": one.person, **({"comment": one.comment} if one.comment else {})}
        for one in given
    ]  # fmt: skip
    return saved(folder / "dataset.jsonl", "".join(json.dumps(row) + "\n" for row in rows).encode())


def mturk(files: Files, given: Sequence[Given], folder: Path) -> Path:
    """The results of a batch as the requester's site gives them out."""
    inputs = {row["case_id"]: row for row in csv.DictReader(io.StringIO(files["batch.csv"].decode(), newline=""))}
    out = io.StringIO(newline="")
    names = (
        "HITId", "HITTypeId", "Title", "Description", "Keywords", "Reward", "CreationTime", "MaxAssignments",
        "RequesterAnnotation", "AssignmentDurationInSeconds", "AutoApprovalDelayInSeconds", "Expiration",
        "NumberOfSimilarHITs", "LifetimeInSeconds", "AssignmentId", "WorkerId", "AssignmentStatus", "AcceptTime",
        "SubmitTime", "AutoApprovalTime", "ApprovalTime", "RejectionTime", "RequesterFeedback", "WorkTimeInSeconds",
        "LifetimeApprovalRate", "Last30DaysApprovalRate", "Last7DaysApprovalRate", "Input.case_id", "Input.text",
        "Answer.comment", "Answer.label.label", "Approve", "Reject",
    )  # fmt: skip
    writer = csv.DictWriter(out, names, restval="", quoting=csv.QUOTE_ALL)
    writer.writeheader()
    for number, one in enumerate(given):
        time = one.time.astimezone(PACIFIC)
        moment = f"{time:%a %b %d %H:%M:%S} PST {time:%Y}"
        writer.writerow(
            {"HITId": f"3H{one.case}", "AssignmentId": f"3A{number}", "WorkerId": one.person,
             "AssignmentStatus": "Submitted", "SubmitTime": moment, "WorkTimeInSeconds": "12",
             "Input.case_id": inputs[one.case]["case_id"], "Input.text": unescape(inputs[one.case]["text"]),
             "Answer.label.label": one.label, "Answer.comment": one.comment}
        )  # fmt: skip
    return saved(folder / "Batch_123_batch_results.csv", out.getvalue().encode())


def saved(path: Path, content: bytes) -> Path:
    path.write_bytes(content)
    return path


@dataclass(frozen=True)
class Simulated:
    """How a tool gives labels back, and how exactly it keeps the time and comments; None for not at all."""

    export: Callable[[Files, Sequence[Given], Path], Path]
    keeps_time: bool = True
    keeps_comments: bool = True
    numbers_people: bool = False

    def expected(self, given: Sequence[Given], tool: str) -> set[tuple[str, str, str, datetime | None, str]]:
        numbers = people(given)
        return {
            (
                one.case,
                f"{tool}:{numbers[one.person] if self.numbers_people else one.person}",
                one.label,
                one.time.astimezone(UTC) if self.keeps_time else None,
                one.comment if self.keeps_comments else "",
            )
            for one in given
        }


SIMULATED = {
    "label_studio": Simulated(label_studio, numbers_people=True),
    "doccano": Simulated(doccano, keeps_time=False),
    "argilla": Simulated(argilla, keeps_time=False, keeps_comments=False),
    "prodigy": Simulated(prodigy),
    "mturk": Simulated(mturk),
}
