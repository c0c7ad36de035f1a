"""What annotators said about cases: handed up by whoever collects labels, kept for ever, the newest counts."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Max
from django.utils import timezone

from curation.bulk import insert_rows
from curation.models import CaseVerdict, Suite

FIELDS = (
    "case", "source", "labels", "raters", "agreeing", "majority", "flagged_unrealistic", "adjudicated",
    "reason", "decided_at",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class VerdictValue:
    """The labels one case was given, in the order of their slots, and how many agree with its gold label."""

    case_id: int
    labels: tuple[str, ...]
    agreeing: int
    majority: str = ""
    flagged_unrealistic: int = 0
    adjudicated: str = ""
    reason: str = ""


def record_verdicts(verdicts: Iterable[VerdictValue], *, source: str) -> int:
    """Append verdicts. Nothing is overwritten: an earlier verdict on the same case stays and no longer counts."""
    now = timezone.now()
    rows = (
        (
            verdict.case_id, source, list(verdict.labels), len(verdict.labels), verdict.agreeing, verdict.majority,
            verdict.flagged_unrealistic, verdict.adjudicated, verdict.reason, now,
        )
        for verdict in verdicts
    )  # fmt: skip
    return insert_rows(CaseVerdict, FIELDS, rows)


class StandingVerdict(NamedTuple):
    """What counts now for one case; a plain tuple, because a freeze reads tens of thousands."""

    labels: list[str]
    raters: int
    agreeing: int
    majority: str
    flagged_unrealistic: int
    adjudicated: str
    reason: str


def latest_verdicts(suite: Suite) -> dict[int, StandingVerdict]:
    """The verdict that counts for each case of a suite; one query, whatever the size."""
    newest = (
        CaseVerdict.objects.filter(case__suite=suite)
        .values("case_id")
        .annotate(newest=Max("id"))
        .values_list("newest", flat=True)
    )
    rows = CaseVerdict.objects.filter(pk__in=newest).values_list("case_id", *StandingVerdict._fields)
    return {case_id: StandingVerdict(*values) for case_id, *values in rows.iterator(chunk_size=5000)}
