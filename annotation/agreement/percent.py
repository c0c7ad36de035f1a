"""Agreement as plain shares: easy to explain, blind to chance."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from annotation.agreement.measured import Measured, as_counts

NO_PAIR = "no case has two labels yet, so there is nothing to compare"


def unanimity(table: npt.ArrayLike) -> Measured:
    """Share of cases whose labels are all equal, among cases with two labels or more."""
    counts = as_counts(table)
    raters = counts.sum(axis=1)
    paired = raters >= 2
    if not paired.any():
        return Measured.undefined(NO_PAIR)
    return Measured(float(np.mean(counts[paired].max(axis=1) == raters[paired])))


def pairwise_agreement(table: npt.ArrayLike) -> Measured:
    """Share of pairs of labels that are equal, averaged over cases with two labels or more."""
    counts = as_counts(table)
    raters = counts.sum(axis=1)
    paired = raters >= 2
    if not paired.any():
        return Measured.undefined(NO_PAIR)
    counts, raters = counts[paired], raters[paired]
    return Measured(float(np.mean((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1)))))


def vote_distribution(table: npt.ArrayLike) -> dict[tuple[int, ...], int]:
    """How many cases have each pattern of votes, such as (5, 0) or (4, 1), largest pattern first."""
    counts = as_counts(table)
    patterns, cases = np.unique(counts, axis=0, return_counts=True)
    pairs = [(tuple(int(n) for n in pattern), int(n)) for pattern, n in zip(patterns, cases, strict=True)]
    return dict(sorted(pairs, reverse=True))
