"""Whether groups of annotators label differently. The unit is the annotator: labels of one person go together."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from annotation.measures.summary import summarise_agreement
from annotation.measures.votes import Case, Vote, VoteTable, majority_labels
from core.statistics.intervals import Bounds
from core.statistics.shares import t_quantile
from core.statistics.significance import holm

Floats = npt.NDArray[np.float64]
DRAWS = 2000
AT_ONCE = 200  # permutations per step, so that a large crowd fits into memory


@dataclass(frozen=True, slots=True)
class Shift:
    """How much more often a group gives a label than the others do on the same cases; None without such cases."""

    difference: float | None
    interval: Bounds | None = None
    p_value: float | None = None


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
    """Return how much more often members give a label than others do, within cases.

    This is the slope of a regression with one constant per case, so that a group that happened to get more hateful
    cases does not look harsher. The interval counts annotators as clusters, with as many degrees of freedom as the
    smaller side has people less one; the p value is that of shuffling who is a member.
    """
    from scipy import sparse

    people: dict[Hashable, int] = {}
    cases: dict[Case, int] = {}
    who = np.asarray([people.setdefault(vote.annotator, len(people)) for vote in votes], dtype=np.int64)
    case = np.asarray([cases.setdefault(vote.case, len(cases)) for vote in votes], dtype=np.int64)
    given = np.asarray([vote.label == label for vote in votes], dtype=float)
    is_member = np.asarray([one in members for one in people], dtype=float)
    per_case = np.bincount(case, minlength=len(cases)).astype(float)
    centred = given - (np.bincount(case, weights=given, minlength=len(cases)) / np.maximum(per_case, 1))[case]
    per_person = np.bincount(who, weights=centred, minlength=len(people))
    labels_of = np.bincount(who, minlength=len(people)).astype(float)
    met = sparse.csr_matrix((np.ones(len(votes)), (case, who)), shape=(len(cases), len(people)))

    def slopes(membership: Floats) -> Floats:
        """Return the slope for each column of memberships; NaN where no case has labels of both sides."""
        squares = np.asarray(met @ membership) ** 2 / np.maximum(per_case, 1)[:, None]
        spread = labels_of @ membership - squares.sum(axis=0)
        return np.where(spread > 1e-9, per_person @ membership / np.where(spread > 1e-9, spread, 1.0), np.nan)

    slope = float(slopes(is_member[:, None])[0]) if len(votes) else float("nan")
    if np.isnan(slope):
        return Shift(None)
    smaller = int(min(is_member.sum(), len(people) - is_member.sum()))
    if smaller < 2:
        return Shift(slope)
    share = np.asarray(met @ is_member) / np.maximum(per_case, 1)
    off = is_member[who] - share[case]
    scores = np.bincount(who, weights=off * (centred - slope * off), minlength=len(people))
    # As many labels as there are cases are used up by the constants; without this, intervals cover 91 %, not 95 %.
    correction = len(people) / (len(people) - 1) * (len(votes) - 1) / max(len(votes) - len(cases) - 1, 1)
    error = float(np.sqrt((scores @ scores) * correction) / (off @ off))
    reach = t_quantile(smaller - 1) * error
    generator = np.random.default_rng(seed)
    as_far = 0
    for start in range(0, draws, AT_ONCE):
        shuffled = generator.permuted(np.tile(is_member, (min(AT_ONCE, draws - start), 1)), axis=1).T
        as_far += int(np.count_nonzero(np.abs(np.nan_to_num(slopes(shuffled))) >= abs(slope) - 1e-12))
    return Shift(slope, (max(-1.0, slope - reach), min(1.0, slope + reach)), (as_far + 1) / (draws + 1))
