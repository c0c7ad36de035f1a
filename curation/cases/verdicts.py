"""What annotators said about cases: verdicts are appended and never deleted, and the newest counts."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.utils import timezone

from core.bulk import insert_rows
from curation.models import CaseVerdict, Suite, TestCase

AT_ONCE = 5_000
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
    """A case with what counts for it now, None where it has no label. A plain tuple: a freeze reads a million."""

    case_id: int
    key: str
    template_id: int | None
    verdict_id: int | None
    raters: int | None
    agreeing: int | None
    adjudicated: str | None


def standing_verdicts(suite: Suite) -> Iterator[StandingVerdict]:
    """Yield what counts for each case that a release may hold, in order; one query, streamed."""
    cases = TestCase.objects.of(suite).releasable().in_order()
    rows = cases.values_list(
        "id", "key", "template_id", "verdicts__id", "verdicts__raters", "verdicts__agreeing", "verdicts__adjudicated"
    )
    for _, verdicts in groupby(rows.iterator(chunk_size=AT_ONCE), key=itemgetter(0)):
        newest, *others = verdicts
        for other in others:  # chosen here, because the database would sort a million cases for it
            newest = max(newest, other, key=itemgetter(3))
        yield StandingVerdict(*newest)
