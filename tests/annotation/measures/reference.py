"""Plain ways from single labels to tables and binary labels, that results are compared with."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from annotation.measures.votes import Case, Vote, VoteTable, majority_labels

ABOVE = 3


def tabulate_votes(votes: Iterable[Vote[Case]], *, labels: Sequence[str]) -> VoteTable[Case]:
    """Count votes case by case, cases in order of first appearance."""
    rows: dict[Case, list[int]] = {}
    for vote in votes:
        rows.setdefault(vote.case, [0] * len(labels))[labels.index(vote.label)] += 1
    counts = np.asarray(list(rows.values()), dtype=np.int64).reshape(len(rows), len(labels))
    return VoteTable(tuple(rows), tuple(labels), counts)


def with_raters(table: VoteTable[Case], raters: int) -> VoteTable[Case]:
    """Only the cases that have exactly so many labels."""
    return table.only(table.counts.sum(axis=1) == raters)


def majority_against_gold(table: VoteTable[Case], gold: Mapping[Case, str]) -> list[Case]:
    """Cases whose majority label is not the gold label; a tie is not a majority for gold, so it counts."""
    return [case for case, label in majority_labels(table).items() if label != gold[case]]


def binarise_mean(scores: Sequence[float]) -> bool:
    """Whether the mean of all scores is strictly above the middle of a scale from 1 to 5."""
    return sum(scores) > ABOVE * len(scores)
