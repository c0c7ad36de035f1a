"""Recognise the files of annotation tools and crowd platforms, whatever they are called and wherever they end up."""

import csv
import gzip
import json
import zipfile
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

from core.tables.binary import ZIP
from core.tables.decoding import BYTE_ORDER_MARKS, GZIP
from core.tables.json_lines import BEFORE_JSON, is_json
from core.tables.problems import Problem
from core.text import _

LABEL_STUDIO, DOCCANO, ARGILLA, PRODIGY = "label_studio", "doccano", "argilla", "prodigy"
MTURK, PROLIFIC = "mturk", "prolific"
TITLES = {
    LABEL_STUDIO: "Label Studio",
    DOCCANO: "doccano",
    ARGILLA: "Argilla",
    PRODIGY: "Prodigy",
    MTURK: "Mechanical Turk",
    PROLIFIC: "Prolific",
}
PEEK = 1_000_000  # bytes in which the first record of any of these files ends
# Columns of the list of submissions; the second is that of exports before 2021.
PROLIFIC_COLUMNS = ({"Submission id", "Participant id"}, {"session_id", "participant_id", "time_taken"})


def tool_of(record: Mapping[str, Any]) -> str:
    """Return the tool whose exports have the fields of this record; "" for none."""
    names = set(record)
    if _is_label_studio(names, record):
        return LABEL_STUDIO
    if {"HITId", "WorkerId"} <= names:
        return MTURK
    if any(wanted <= names for wanted in PROLIFIC_COLUMNS):
        return PROLIFIC
    if {"fields", "responses"} <= names or any(name.endswith(".responses.users") for name in names):
        return ARGILLA
    if {"_input_hash", "_task_hash"} & names or ("answer" in names and {"_timestamp", "_annotator_id"} & names):
        return PRODIGY
    return DOCCANO if _is_doccano(names, record) else ""


def _is_label_studio(names: Collection[str], record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("data"), dict) or {"annotation_id", "annotator", "lead_time"} <= set(names)


def _is_doccano(names: Collection[str], record: Mapping[str, Any]) -> bool:
    if not {"text", "data"} & set(names):
        return False
    return any(isinstance(record.get(name), list) for name in ("label", "labels", "annotations"))


def recognise(path: Path) -> str:
    """Return the tool that wrote a file; "" where it is none that we know, or no readable file."""
    try:
        return tool_of(_first_record(_peek(path)))
    except (OSError, EOFError, zipfile.BadZipFile, csv.Error, ValueError, RecursionError, NotImplementedError):
        return ""


def problem_with_foreign_file(path: Path, *, name: str = "") -> Problem | None:
    """Return the problem of a file of such a tool where cases are expected; None for any other file."""
    tool = recognise(path) if path.is_file() else ""
    if not tool:
        return None
    file = name or path.name
    if tool == PROLIFIC:
        what = _("this looks like Prolific's list of submissions, which holds no cases")
        return Problem(file, None, None, what, _("compare it with the payments on the page of the campaign"))
    what = _("this looks like a %(tool)s export, which holds labels and no new cases", tool=TITLES[tool])
    return Problem(file, None, None, what, _("use “Import labels” on the page of the suite (command: import_labels)"))


def _peek(path: Path) -> str:
    with path.open("rb") as file:
        start = file.read(PEEK)
    if start.startswith(GZIP):
        with gzip.open(path) as archive:
            start = archive.read(PEEK)
    elif start.startswith(ZIP):
        start = _of_archive(path)
    encoding = next((name for mark, name in BYTE_ORDER_MARKS if start.startswith(mark)), "utf-8")
    return start.decode(encoding, errors="ignore")


def _of_archive(path: Path) -> bytes:
    """Return the start of the first file with lines of JSON: doccano packs one for each person."""
    with zipfile.ZipFile(path) as archive:
        for member in archive.infolist():
            if member.filename.endswith((".jsonl", ".json")) and member.file_size:
                with archive.open(member) as file:
                    return file.read(PEEK)
    return b""


def _first_record(text: str) -> Mapping[str, Any]:
    if is_json(text):
        found, _end = json.JSONDecoder().raw_decode(text.lstrip(BEFORE_JSON + "["))
        return found if isinstance(found, dict) else {}
    line = text.lstrip("\ufeff").split("\n", 1)[0].rstrip("\r")
    separator = max(",\t;", key=line.count)
    return dict.fromkeys((name.strip() for name in next(csv.reader([line], delimiter=separator), [])), "")
