"""Reading what a platform says about its participants: Prolific's list of submissions, Mechanical Turk's results."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from annotation.labels.tools.times import read_time
from core.tables.problems import Problem
from core.tables.reading import read_table
from core.text import _


@dataclass(frozen=True, slots=True)
class Submission:
    """One piece of work as the platform sees it; empty or None where it says nothing."""

    participant: str
    status: str
    code: str
    started: datetime | None
    completed: datetime | None
    seconds: float | None


@dataclass(frozen=True, slots=True)
class Layout:
    """The columns of one kind of list."""

    participant: str
    status: str
    code: str
    started: str
    completed: str
    seconds: str


LAYOUTS = (
    Layout("Participant id", "Status", "Completion code", "Started at", "Completed at", "Time taken"),
    Layout("participant_id", "status", "entered_code", "started_datetime", "completed_date_time", "time_taken"),
    Layout("WorkerId", "AssignmentStatus", "Answer.surveycode", "AcceptTime", "SubmitTime", "WorkTimeInSeconds"),
)
NOTHING = ("", "n/a", "not applicable", "none", "nan")


def read_submissions(path: Path, *, name: str = "") -> tuple[list[Submission], list[Problem]]:
    """Return the submissions in a file, and what is wrong with it. Nothing may be concluded from one with problems."""
    table = read_table(path, optional=[layout.participant for layout in LAYOUTS], name=name or None)
    if not table.readable:
        return [], table.problems
    layout = next((one for one in LAYOUTS if table.has(one.participant) and table.has(one.status)), None)
    if layout is None:
        problem = _("there is no column 'Participant id' or 'WorkerId', so this is no list of submissions")
        table.add(1, None, problem, _("download the submissions of the study from the platform as CSV"))
        return [], table.problems
    found = []
    for row, cells in table.records():
        try:
            found.append(_submission(cells, layout))
        except ValueError:
            problem = _("'%(time)s' is not a time", time=cells.get(layout.started, "")[:40])
            table.add(row, layout.started, problem, _("download the list again and leave it as it is"))
    return found, table.problems


def _submission(cells: Mapping[str, str], layout: Layout) -> Submission:
    told = {name: cells.get(name, "").strip() for name in (layout.code, layout.started, layout.completed)}
    told = {name: "" if cell.lower() in NOTHING else cell for name, cell in told.items()}
    seconds = cells.get(layout.seconds, "").strip()
    return Submission(
        participant=cells[layout.participant].strip(),
        status=cells[layout.status].strip(),
        code=told[layout.code],
        started=read_time(told[layout.started]),
        completed=read_time(told[layout.completed]),
        seconds=float(seconds) if seconds.replace(".", "", 1).isdigit() else None,
    )
