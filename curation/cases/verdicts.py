"""What annotators said about cases: verdicts are appended and never deleted, and the newest counts."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import groupby
from operator import attrgetter, itemgetter
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
        found = StandingVerdict(*newest)
        if found.raters == 0 and not found.adjudicated:  # its labels were taken back
            found = StandingVerdict(found.case_id, found.key, found.template_id, None, None, None, None)
        yield found


TAKEN_BACK = "taken-back:"  # begins the source of a verdict that stands in for one whose labels were taken back


@dataclass(slots=True)
class TakenBackVerdicts:
    """What taking labels back does to cases, by how many: what counts for them from now on."""

    earlier: int = 0  # the verdict of other labels counts again
    none: int = 0  # they have no label any more
    decided: int = 0  # a person decided about them, which stays
    unchanged: int = 0  # newer labels count, as before
    without_labels: list[int] = field(default_factory=list)  # ids of those that have no verdict any more


def take_back_verdicts(suite: Suite, source: str, *, gone: Collection[str]) -> TakenBackVerdicts:
    """Append the verdicts that count without the labels of a source. `gone` are all sources that no longer count.

    What people decided about a case stays, with the labels that are left. Nothing is overwritten.
    """
    affected = CaseVerdict.objects.filter(case__suite=suite, source=source).values("case")
    rows = CaseVerdict.objects.filter(case__in=affected).order_by("case", "id")
    done = TakenBackVerdicts()
    fresh = []
    for case_id, history in groupby(rows.iterator(chunk_size=AT_ONCE), key=attrgetter("case_id")):
        said = list(history)
        now, then = _value_of(said[-1]), _replayed(case_id, said, gone)
        if then.adjudicated:
            done.decided += 1
        elif not then.labels:
            done.none += 1
            done.without_labels.append(case_id)
        elif now == then:
            done.unchanged += 1
        else:
            done.earlier += 1
        if now != then:
            fresh.append(then)
    record_verdicts(fresh, source=f"{TAKEN_BACK}{source}"[:120])
    return done


def _replayed(case_id: int, said: Iterable[CaseVerdict], gone: Collection[str]) -> VerdictValue:
    """Return what would count for a case if the labels of these sources had never been given."""
    counts = VerdictValue(case_id, (), 0)
    for verdict in said:
        if verdict.adjudicated:  # decided by a person; the labels in it are those of the verdict before
            counts = replace(counts, adjudicated=verdict.adjudicated, reason=verdict.reason)
        elif verdict.source not in gone and not verdict.source.startswith(TAKEN_BACK):
            counts = _value_of(verdict)
    return counts


def _value_of(verdict: CaseVerdict) -> VerdictValue:
    return VerdictValue(
        verdict.case_id, tuple(verdict.labels), verdict.agreeing, verdict.majority, verdict.flagged_unrealistic,
        verdict.adjudicated, verdict.reason,
    )  # fmt: skip
