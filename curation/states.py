"""Allowed moves between states, and the one way to make them: compare-and-set."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.db import models

from curation.errors import ChangedMeanwhile, WrongState
from curation.models.cases import CaseState
from curation.models.jobs import JobState
from curation.models.releases import ReleaseState
from curation.models.templates import VersionState

Moves = Mapping[str, set[str]]

VERSION_MOVES: Moves = {
    VersionState.DRAFT: {VersionState.SUBMITTED},
    VersionState.SUBMITTED: {VersionState.APPROVED, VersionState.REJECTED, VersionState.DRAFT},
    VersionState.APPROVED: {VersionState.SUPERSEDED},
}
CASE_MOVES: Moves = {
    CaseState.DRAFT: {CaseState.READY, CaseState.RETIRED},
    CaseState.READY: {CaseState.VALIDATED, CaseState.EXCLUDED, CaseState.RETIRED},
    CaseState.VALIDATED: {CaseState.EXCLUDED, CaseState.RETIRED},
    CaseState.EXCLUDED: {CaseState.READY, CaseState.VALIDATED, CaseState.RETIRED},
}
RELEASE_MOVES: Moves = {
    ReleaseState.DRAFT: {ReleaseState.BUILDING},
    ReleaseState.BUILDING: {ReleaseState.CANDIDATE, ReleaseState.DRAFT},
    ReleaseState.CANDIDATE: {ReleaseState.PUBLISHED, ReleaseState.DRAFT},
}
JOB_MOVES: Moves = {
    JobState.QUEUED: {JobState.RUNNING, JobState.CANCELLED},
    JobState.RUNNING: {JobState.DONE, JobState.FAILED, JobState.CANCELLED, JobState.QUEUED},
    JobState.FAILED: {JobState.QUEUED},
    JobState.CANCELLED: {JobState.QUEUED},
}


def move(subject: models.Model, to: str, moves: Moves, **facts: Any) -> None:
    """Move a row to another state if it is still in the state we saw.

    Refuses a move the table does not allow, and one that somebody else made first.
    """
    now: str = subject.state  # type: ignore[attr-defined]
    if to not in moves.get(now, set()):
        raise WrongState(subject, now=now, wanted=to, known=tuple(sorted(moves.get(now, set()))))
    manager = type(subject)._default_manager
    if not manager.filter(pk=subject.pk, state=now).update(state=to, **facts):
        raise ChangedMeanwhile(subject)
    subject.refresh_from_db()
