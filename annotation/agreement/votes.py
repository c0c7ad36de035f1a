"""From single labels to vote tables, majorities and binary labels."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from annotation.agreement.measured import Counts
from curation.publishing.exclusion import is_disputed

Case = TypeVar("Case", bound=Hashable)

ABOVE = 3.0


@dataclass(frozen=True, slots=True)
class Vote(Generic[Case]):
    """One label that one annotator gave to one case."""

    case: Case
    annotator: Hashable
    label: str


@dataclass(frozen=True, slots=True)
class VoteTable(Generic[Case]):
    """How often each case got each label: one row per case, one column per label."""

    cases: tuple[Case, ...]
    labels: tuple[str, ...]
    counts: Counts

    def with_raters(self, raters: int) -> VoteTable[Case]:
        """Only the cases that have exactly so many labels."""
        return self.only(self.counts.sum(axis=1) == raters)

    def only(self, chosen: Iterable[bool]) -> VoteTable[Case]:
        """The rows for which `chosen` is true, in the same order."""
        mask = np.fromiter(chosen, bool, len(self.cases))
        cases = tuple(case for case, keep in zip(self.cases, mask, strict=True) if keep)
        return VoteTable(cases, self.labels, self.counts[mask])


def tabulate_votes(votes: Iterable[Vote[Case]], *, labels: Sequence[str]) -> VoteTable[Case]:
    """Count the votes case by case, cases in order of first appearance.

    Refuses a label that is not in `labels`, and a second label of one annotator on one case.
    """
    columns = {label: number for number, label in enumerate(labels)}
    rows: dict[Case, int] = {}
    seen: set[tuple[Case, Hashable]] = set()
    cells: list[int] = []
    for vote in votes:
        column = columns.get(vote.label)
        if column is None:
            known = ", ".join(labels)
            raise ValueError(f"case {vote.case}: no label is called '{vote.label}'; known: {known}")
        if (vote.case, vote.annotator) in seen:
            raise ValueError(
                f"case {vote.case}: annotator {vote.annotator} has two labels; keep the last revision only"
            )
        seen.add((vote.case, vote.annotator))
        cells.append(rows.setdefault(vote.case, len(rows)) * len(labels) + column)
    counts = np.bincount(np.asarray(cells, dtype=np.int64), minlength=len(rows) * len(labels))
    return VoteTable(tuple(rows), tuple(labels), counts.reshape(len(rows), len(labels)).astype(np.int64))


def majority_labels(table: VoteTable[Case]) -> dict[Case, str | None]:
    """The label with most votes for each case; None where labels tie or nobody has voted."""
    if not len(table.counts):
        return {}
    most = table.counts.max(axis=1)
    tied = (table.counts == most[:, None]).sum(axis=1) > 1
    winners = table.counts.argmax(axis=1)
    return {
        case: None if tie or not votes else table.labels[winner]
        for case, winner, tie, votes in zip(table.cases, winners, tied, most, strict=True)
    }


def votes_for_gold(table: VoteTable[Case], gold: Mapping[Case, str]) -> dict[Case, int]:
    """How many labels of each case equal its gold label. Refuses a case without a gold label."""
    columns = {label: number for number, label in enumerate(table.labels)}
    found: dict[Case, int] = {}
    for case, row in zip(table.cases, table.counts, strict=True):
        if case not in gold:
            raise ValueError(f"case {case} has no gold label; leave it out or give it one")
        column = columns.get(gold[case])
        found[case] = 0 if column is None else int(row[column])
    return found


def below_threshold(table: VoteTable[Case], gold: Mapping[Case, str], *, at_least: int, wanted: int = 0) -> list[Case]:
    """Cases with fewer than `at_least` labels equal to gold, in the order of the table.

    Of `wanted` labels some may be missing; see `is_disputed`.
    """
    found = zip(votes_for_gold(table, gold).items(), table.counts.sum(axis=1), strict=True)
    return [
        case
        for (case, agreeing), raters in found
        if is_disputed(agreeing, int(raters), at_least=at_least, wanted=wanted)
    ]


def majority_against_gold(table: VoteTable[Case], gold: Mapping[Case, str]) -> list[Case]:
    """Cases whose majority label is not the gold label; a tie is not a majority for gold, so it counts."""
    return [case for case, label in majority_labels(table).items() if label != gold[case]]


def binarise_score(score: float, *, above: float = ABOVE) -> bool:
    """Whether one score of a scale counts as a yes: strictly above the middle (score > 3 on 1 to 5)."""
    return score > above


def binarise_mean(scores: Sequence[float], *, above: float = ABOVE) -> bool | None:
    """Whether the mean of all scores is strictly above the middle; None when there are none.

    Sums are compared, not means, so that three scores of 3 are never pushed over the middle by rounding.
    """
    return sum(scores) > above * len(scores) if scores else None
