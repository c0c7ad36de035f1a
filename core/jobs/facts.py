"""What the result of a job says, as its page shows it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from core import reader
from core.jobs.models import JobState
from core.text import _

if TYPE_CHECKING:
    from core.models import Job

# What pages call the facts of results. A fact that is not named here is shown with its key in words.
TITLES = {
    "aaa": _("AAA"),
    "accepted": _("Accepted candidates"),
    "annotations": _("Labels"),
    "asked": _("Requests"),
    "attack": _("Attack"),
    "by_functionality": _("By functionality"),
    "by_group": _("By target group"),
    "bytes": _("Bytes"),
    "campaign": _("Campaign"),
    "candidates": _("Candidates"),
    "cases": _("Cases"),
    "changed": _("Changed"),
    "checked": _("Checked candidates"),
    "chunks": _("Finished parts"),
    "cost": _("Cost"),
    "counted_to": _("Counted to"),
    "data": _("Data set"),
    "dry_run": _("Dry run"),
    "entries": _("Lexicon entries"),
    "experiment": _("Experiment"),
    "failed": _("Failed requests"),
    "format": _("Format"),
    "forms": _("Word forms"),
    "functionalities": _("Functionalities"),
    "generated": _("New cases"),
    "held_out": _("Held-out rows"),
    "labels": _("Labels"),
    "language": _("Language"),
    "languages": _("Languages"),
    "left_out_for_balance": _("Left out for balance"),
    "material": _("Added rows"),
    "model": _("Model"),
    "near_duplicates": _("Near duplicates"),
    "new": _("Added"),
    "paid_requests": _("Paid requests"),
    "possible": _("Possible texts"),
    "received": _("Received messages"),
    "refusals": _("Refusals"),
    "rejected": _("Rejected candidates"),
    "release": _("Release"),
    "repeated": _("Repeated messages"),
    "results": _("Results"),
    "retired": _("Retired cases"),
    "reused": _("Reused answers"),
    "revived": _("Restored cases"),
    "rows": _("Rows"),
    "run": _("Run"),
    "runs": _("Runs"),
    "seed": _("Seed"),
    "seeds": _("Seeds"),
    "sha256": _("Checksum (SHA-256)"),
    "similarity": _("Similarity"),
    "size": _("Size"),
    "skipped": _("Skipped"),
    "spec": _("Spec"),
    "split": _("Split"),
    "suite": _("Suite"),
    "suites": _("Suites"),
    "templates": _("Templates"),
    "texts": _("Texts"),
    "trainer": _("Trainer"),
    "unbalanced": _("Unbalanced"),
    "unchanged": _("Unchanged cases"),
    "unreadable": _("Unreadable answers"),
    "verdicts": _("Verdicts"),
    "version": _("Version"),
    "was_stopped": _("Stopped early"),
}
NOT_SHOWN = {"state"}  # the page that the job leads to shows it


@dataclass(frozen=True, slots=True)
class Shown:
    """One problem of a result: where, what is wrong, and what to do."""

    place: str
    problem: str
    fix: str
    is_warning: bool


def facts_of(job: Job) -> list[tuple[str, str]]:
    """Return the facts of a finished job with readable names, in the reader's language."""
    if job.state != JobState.DONE or not isinstance(job.result, dict):
        return []
    found = []
    for name, value in job.result.items():
        if name not in NOT_SHOWN and (words := _in_words(value)) is not None:
            found.append((_title(name), words))
    return found


def problems_of(job: Job) -> list[Shown]:
    """Return every problem that a finished job names."""
    result = job.result if job.is_finished and isinstance(job.result, dict) else {}
    fields = result.get("fields") or {}
    problems = result.get("problems") or result.get("warnings") or fields.get("problems") or []
    return [_shown(problem) for problem in problems if isinstance(problem, dict) and "problem" in problem]


def _shown(problem: dict[str, Any]) -> Shown:
    file, row, column = (str(problem.get(name) or "") for name in ("file", "row", "column"))
    if not file:
        file = " ".join(str(problem[name]) for name in ("language", "template") if problem.get(name))
    if row and column:
        place: str = _("%(file)s, row %(row)s, column %(column)s", file=file, row=row, column=column)
    elif row:
        place = _("%(file)s, row %(row)s", file=file, row=row)
    elif column:
        place = _("%(file)s, column %(column)s", file=file, column=column)
    else:
        place = file
    return Shown(place, problem["problem"], problem.get("fix") or "", problem.get("severity") == "warning")


def _title(name: object) -> str:
    words = str(name)
    return str(TITLES[words]) if words in TITLES else words.replace("_", " ").capitalize()


def _in_words(value: Any) -> str | None:
    """Return a fact as people read it; None for one that is made for programs."""
    if value is None:
        return str(_("none"))
    if isinstance(value, bool):
        return str(_("yes")) if value else str(_("no"))
    if isinstance(value, float):
        return reader.show(round(value, 4))
    if isinstance(value, str | int):
        return reader.show(value)
    if isinstance(value, list) and not any(isinstance(inner, dict | list) for inner in value):
        return reader.listed(value) or str(_("none"))
    # In an order of our own: PostgreSQL does not keep that of the names.
    pairs = sorted(value.items()) if isinstance(value, dict) else value
    if not all(len(pair) == 2 and not isinstance(pair[1], dict | list) for pair in pairs):
        return None
    known = [(TITLES.get(name, name), inner) for name, inner in pairs if inner]
    return reader.listed(_("%(name)s: %(value)s", name=name, value=inner) for name, inner in known) or str(_("none"))
