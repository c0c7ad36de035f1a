"""Holding a platform's list of submissions against the work that was done here."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

from django.core.files import File

from accounts.models import User
from annotation.models import Campaign
from annotation.people.crowd import Payment, payments
from annotation.people.models import ParticipationState
from annotation.people.submissions import Submission, read_submissions
from annotation.permissions import require_manager
from core.errors import BadInput
from core.text import Text, _, ngettext

GIVEN_BACK = ("RETURNED", "TIMED-OUT", "TIMED_OUT", "TIMED OUT", "REJECTED", "ABANDONED")


@dataclass(frozen=True, slots=True)
class Reconciled:
    """One participant: what the platform says, what was done here, and what to look at; "" where both agree."""

    participant: str
    annotator: str
    status: str
    started: datetime | None
    completed: datetime | None
    platform_minutes: Decimal | None
    labels: int
    checks_failed: int
    minutes: Decimal | None
    amount: Decimal | None
    currency: str
    remark: str


def reconcile(campaign: Campaign, path: Path, *, by: User | None, name: str = "") -> list[Reconciled]:
    """Compare a platform's list with the payments of a campaign; those to look at come first. Nothing is stored.

    Refuses people who do not manage, and a file that is no such list.
    """
    if by is not None:
        require_manager(by)
    submissions, problems = read_submissions(path, name=name)
    if errors := [asdict(problem) for problem in problems if problem.is_error]:
        raise BadInput(
            ngettext(
                "Nothing was compared: %(count)s problem in %(file)s.",
                "Nothing was compared: %(count)s problems in %(file)s.",
                len(errors),
                file=name or path.name,
            ),
            problems=errors,
        )
    here = {row.participant: row for row in payments(campaign, by=by) if row.participant}
    rows = [*_of_platform(campaign, submissions, here), *_only_here(submissions, here)]
    return sorted(rows, key=lambda row: (not row.remark, row.participant))


def reconcile_upload(campaign: Campaign, upload: File[bytes], *, by: User) -> list[Reconciled]:
    """Compare a list that was sent by a page or a program."""
    with tempfile.NamedTemporaryFile(suffix=".csv") as copy:
        copy.writelines(upload.chunks())
        copy.flush()
        return reconcile(campaign, Path(copy.name), by=by, name=upload.name or "submissions.csv")


def _of_platform(
    campaign: Campaign, submissions: Sequence[Submission], here: dict[str, Payment]
) -> Iterator[Reconciled]:
    for one in submissions:
        done = here.get(one.participant)
        yield _row(one.participant, one, done, _remark(campaign, one, done))


def _only_here(submissions: Sequence[Submission], here: dict[str, Payment]) -> Iterator[Reconciled]:
    there = {one.participant for one in submissions}
    for participant, done in here.items():
        if participant not in there:
            yield _row(participant, None, done, _("Took part here and is not in the list."))


def _row(participant: str, said: Submission | None, done: Payment | None, remark: str) -> Reconciled:
    seconds = said.seconds if said else None
    return Reconciled(
        participant=participant,
        annotator=done.annotator if done else "",
        status=said.status if said else "",
        started=said.started if said else None,
        completed=said.completed if said else None,
        platform_minutes=None if seconds is None else (Decimal(seconds) / 60).quantize(Decimal("0.1")),
        labels=done.labels if done else 0,
        checks_failed=done.checks_failed if done else 0,
        minutes=done.minutes if done else None,
        amount=done.amount if done else None,
        currency=done.currency if done else "",
        remark=remark,
    )


def _remark(campaign: Campaign, said: Submission, done: Payment | None) -> str:
    """Return what does not fit together, the most serious thing first; "" where nothing is odd."""
    gave_back = said.status.upper() in GIVEN_BACK
    if done is None:
        return "" if gave_back else _("Is in the list and never took part here.")
    if gave_back and done.labels:
        return ngettext(
            "Gave the task back there, but labelled %(count)s text here.",
            "Gave the task back there, but labelled %(count)s texts here.",
            done.labels,
        )
    if gave_back:
        return ""
    if not done.labels:
        return _("Handed the task in there, but labelled nothing here.")
    if campaign.completion_code and said.code and said.code != campaign.completion_code:
        return _("Gave another completion code than that of the campaign.")
    if campaign.completion_code and not said.code and done.state == ParticipationState.ENDED:
        return _("Gave no completion code.")
    return ""


def summary_in_words(rows: Sequence[Reconciled]) -> Text:
    """Return how many participants there are and how many have to be looked at."""
    odd = sum(bool(row.remark) for row in rows)
    people = ngettext("%(count)s participant", "%(count)s participants", len(rows))
    if not odd:
        return _("%(people)s compared; everything agrees.", people=people)
    return ngettext(
        "%(people)s compared; look at %(count)s of them.", "%(people)s compared; look at %(count)s of them.", odd,
        people=people,
    )  # fmt: skip


def as_json(rows: Sequence[Reconciled]) -> list[dict[str, Any]]:
    return [asdict(row) for row in rows]
