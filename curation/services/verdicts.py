"""What annotators said about cases: handed up by whoever collects labels, kept for ever, the newest counts."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Max, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from curation.bulk import insert_rows
from curation.models import CaseVerdict, Suite
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

    labels: tuple[str, ...]
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
    labels_json = Cast("labels", TextField())
    rows = (
        CaseVerdict.objects.filter(pk__in=newest)
        .annotate(labels_json=labels_json)
        .values_list("case_id", "labels_json", *StandingVerdict._fields[1:])
    )
    # Equal verdicts are one object: people agree mostly, so that a million cases share a few hundred verdicts.
    labels = Memo(lambda text: tuple(json.loads(text)))
    shared: dict[StandingVerdict, StandingVerdict] = {}
    standing = {}
    for case_id, text, *values in rows.iterator(chunk_size=5000):
        verdict = StandingVerdict(labels[text], *values)
        standing[case_id] = shared.setdefault(verdict, verdict)
    return standing
