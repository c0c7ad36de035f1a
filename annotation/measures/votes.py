"""Vote tables: how often each case got each label."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from annotation.measures.coefficients import Counts
from curation.publishing.exclusion import is_disputed

Case = TypeVar("Case", bound=Hashable)


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

    def only(self, chosen: Iterable[bool]) -> VoteTable[Case]:
        """The rows for which `chosen` is true, in the same order."""
        mask = np.fromiter(chosen, bool, len(self.cases))
        cases = tuple(case for case, keep in zip(self.cases, mask, strict=True) if keep)
        return VoteTable(cases, self.labels, self.counts[mask])


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


def split_table(table: VoteTable[Case], groups_of: Mapping[Case, Collection[str]]) -> dict[str, VoteTable[Case]]:
    """One table per group, such as functionality, language, target group, or annotator (the cases they labelled).

    A case may be in several groups or in none.
    """
    members: dict[str, set[Case]] = {}
    for case in table.cases:
        for group in groups_of.get(case, ()):
            members.setdefault(group, set()).add(case)
    return {group: table.only(case in cases for case in table.cases) for group, cases in members.items()}


def vote_distribution(counts: Counts) -> dict[tuple[int, ...], int]:
    """How many cases have each pattern of votes, such as (5, 0) or (4, 1), largest pattern first."""
    patterns, cases = np.unique(counts, axis=0, return_counts=True)
    pairs = [(tuple(int(n) for n in pattern), int(n)) for pattern, n in zip(patterns, cases, strict=True)]
    return dict(sorted(pairs, reverse=True))
