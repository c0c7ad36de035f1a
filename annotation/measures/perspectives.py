"""Whether groups of annotators label differently. The unit is the annotator: labels of one person go together."""

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from annotation.measures.summary import summarise_agreement
from annotation.measures.votes import Case, Vote, VoteTable, majority_labels
from core.statistics.membership import DRAWS, Membership, Shift
from core.statistics.significance import holm


def tabulate(votes: Sequence[Vote[Case]], labels: Sequence[str]) -> VoteTable[Case]:
    """Return how often each case got each label."""
    rows: dict[Case, int] = {}
    columns = {label: column for column, label in enumerate(labels)}
    places = [(rows.setdefault(vote.case, len(rows)), columns[vote.label]) for vote in votes]
    counts = np.zeros((len(rows), len(columns)), dtype=np.int64)
    np.add.at(counts, tuple(np.asarray(places, dtype=np.int64).reshape(-1, 2).T), 1)
    return VoteTable(tuple(rows), tuple(labels), counts)


def compare_groups(
    votes: Sequence[Vote[Case]], group_of: Mapping[Any, str], *, labels: Sequence[str], positive: str,
    template_of: Mapping[Case, Hashable | None], seed: int, draws: int = DRAWS,
) -> dict[str, dict[str, Any]]:  # fmt: skip
    """Return agreement within each group of annotators, and how its labels differ from those of all other groups.

    `difference` compares the shares of the positive label on cases that both sides labelled. Its p values come from
    shuffling the groups over the annotators and are corrected after Holm. `majority_differs` counts the cases, of
    `majority_compared`, on which the majority of the group is not that of the others.
    """
    found: dict[str, dict[str, Any]] = {}
    p_values: dict[str, float] = {}
    for group in sorted(set(group_of.values())):
        inside = [vote for vote in votes if group_of[vote.annotator] == group]
        outside = [vote for vote in votes if group_of[vote.annotator] != group]
        table = tabulate(inside, labels)
        mine, theirs = majority_labels(table), majority_labels(tabulate(outside, labels))
        pairs = [(label, theirs[case]) for case, label in mine.items() if label and theirs.get(case)]
        shift = label_shift(
            votes, {who for who, one in group_of.items() if one == group}, positive, seed=seed, draws=draws
        )
        if shift.p_value is not None:
            p_values[group] = shift.p_value
        found[group] = {
            **summarise_agreement(table, template_of=template_of, seed=seed, draws=draws),
            "annotators": len({vote.annotator for vote in inside}),
            "labels": len(inside),
            "positive_share": sum(vote.label == positive for vote in inside) / len(inside) if inside else None,
            "difference": shift.difference,
            "difference_ci95": shift.interval and list(shift.interval),
            "majority_compared": len(pairs),
            "majority_differs": sum(label != other for label, other in pairs),
        }
    corrected = holm(p_values)
    return {group: values | {"p_value": corrected.get(group)} for group, values in found.items()}


def label_shift(
    votes: Sequence[Vote[Case]], members: set[Hashable], label: str, *, seed: int, draws: int = DRAWS
) -> Shift:
    """Return how much more often members give a label than others do, within cases (see `Membership.shift`)."""
    people: dict[Hashable, int] = {}
    cases: dict[Case, int] = {}
    who = np.asarray([people.setdefault(vote.annotator, len(people)) for vote in votes], dtype=np.int64)
    case = np.asarray([cases.setdefault(vote.case, len(cases)) for vote in votes], dtype=np.int64)
    given = np.asarray([vote.label == label for vote in votes], dtype=float)
    is_member = np.asarray([one in members for one in people], dtype=bool)
    return Membership(who, case, is_member, seed=seed, draws=draws).shift(given)
