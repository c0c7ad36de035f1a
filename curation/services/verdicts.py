"""What annotators said about cases: handed up by whoever collects labels, kept for ever, the newest counts."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import TextField
from django.db.models.functions import Cast
from django.utils import timezone

from curation.bulk import insert_rows
from curation.models import CaseVerdict
from curation.publishing.blocks import Memo

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
    """What counts now for one case; a plain tuple, because a freeze reads up to a million."""

    id: int
    agreeing: int
    adjudicated: str


class GivenLabels(NamedTuple):
    """What a verdict says in a release."""

    labels: tuple[str, ...] = ()
    majority: str = ""


NOBODY_LABELLED = GivenLabels()
_LABELS = Memo(lambda text: tuple(json.loads(text)))


def standing_verdicts(cases: Sequence[int]) -> dict[int, StandingVerdict]:
    """The verdict that counts for each of some thousand cases that have one; one query."""
    standing: dict[int, StandingVerdict] = {}
    rows = CaseVerdict.objects.filter(case__in=cases).values_list("case_id", *StandingVerdict._fields)
    for case_id, *values in rows:
        verdict = StandingVerdict(*values)
        # Sorted here: asked to sort, SQLite would read the verdicts of all suites in order.
        if case_id not in standing or standing[case_id].id < verdict.id:
            standing[case_id] = verdict
    return standing


def labels_given(verdicts: Sequence[int]) -> dict[int, GivenLabels]:
    """What some thousand verdicts say, by their ids; one query."""
    rows = CaseVerdict.objects.filter(pk__in=verdicts).annotate(labels_json=Cast("labels", TextField()))
    return {
        verdict: GivenLabels(_LABELS[text], majority)
        for verdict, text, majority in rows.values_list("id", "labels_json", "majority")
    }
