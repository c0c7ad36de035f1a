"""Fleiss' kappa: plain, on count tables, and for unequal numbers of raters."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from annotation.agreement.measured import Counts, Measured, as_counts

NO_CASE = "no case has been labelled"
ONE_LABEL = "everybody used one and the same label, so chance agreement is already perfect"
NO_PAIR = "no case has two labels yet, so there is nothing to compare"


def fleiss_kappa(votes: Sequence[Sequence[int]]) -> float | None:
    """Fleiss' kappa of a table: one row per case, one column per label.

    None when it is undefined: no case, or everybody used one and the same label.
    Refuses tables whose cases have different numbers of raters, or fewer than two.
    """
    if not votes:
        return None
    raters = sum(votes[0])
    if raters < 2 or any(sum(row) != raters for row in votes):
        raise ValueError("every case needs the same number of raters, at least two")
    observed = sum(sum(n * (n - 1) for n in row) for row in votes) / (len(votes) * raters * (raters - 1))
    shares = [sum(column) / (len(votes) * raters) for column in zip(*votes, strict=True)]
    expected = sum(share * share for share in shares)
    return None if max(shares) == 1 else (observed - expected) / (1 - expected)


def fleiss_kappa_of_table(table: npt.ArrayLike, *, cases_per_row: npt.ArrayLike | None = None) -> Measured:
    """Fleiss' kappa of a count table of any size.

    `cases_per_row` says how many cases share a row, so a database may count equal vote patterns first: a million
    cases with five labels of two kinds are six rows. Refuses unequal numbers of raters.
    """
    counts = as_counts(table)
    weights = _weights(cases_per_row, len(counts))
    counts, weights = counts[weights > 0], weights[weights > 0]
    if not len(counts):
        return Measured.undefined(NO_CASE)
    raters = _add_columns(counts)
    per_case = int(raters[0])
    if per_case < 2 or (raters != per_case).any():
        raise ValueError(
            "every case needs the same number of raters, at least two; "
            "use fleiss_kappa_unequal while labels are still missing"
        )
    cases = int(weights.sum())
    per_label = weights @ counts
    if (per_label == cases * per_case).any():
        return Measured.undefined(ONE_LABEL)
    pairs = int(weights @ _add_columns(counts * counts)) - cases * per_case
    observed = pairs / (cases * per_case * (per_case - 1))
    shares = per_label / (cases * per_case)
    expected = float(shares @ shares)
    return Measured((observed - expected) / (1 - expected))


def fleiss_kappa_unequal(table: npt.ArrayLike, *, cases_per_row: npt.ArrayLike | None = None) -> Measured:
    """Fleiss' kappa generalised to unequal numbers of raters (Gwet, Handbook of Inter-Rater Reliability, 2014).

    Every case counts once: agreement is the mean over cases with two or more labels, chance the mean label shares over
    all labelled cases. With equal numbers of raters it is Fleiss' kappa. Cases without a label are left out.
    """
    counts = as_counts(table)
    weights = _weights(cases_per_row, len(counts))
    raters = _add_columns(counts)
    kept = (raters > 0) & (weights > 0)
    counts, weights, raters = counts[kept], weights[kept], raters[kept]
    if not len(counts):
        return Measured.undefined(NO_CASE)
    paired = raters >= 2
    if not paired.any():
        return Measured.undefined(NO_PAIR)
    if np.count_nonzero(counts.sum(axis=0)) == 1:
        return Measured.undefined(ONE_LABEL)
    agreeing = _add_columns(counts[paired] * (counts[paired] - 1)) / (raters[paired] * (raters[paired] - 1))
    observed = float(weights[paired] @ agreeing / weights[paired].sum())
    shares = weights @ (counts / raters[:, None]) / weights.sum()
    expected = float(shares @ shares)
    return Measured((observed - expected) / (1 - expected))


def _weights(cases_per_row: npt.ArrayLike | None, rows: int) -> Counts:
    if cases_per_row is None:
        return np.ones(rows, dtype=np.int64)
    weights = np.asarray(cases_per_row, dtype=np.int64)
    if weights.shape != (rows,) or (rows and weights.min() < 0):
        raise ValueError("cases_per_row needs one number, 0 or more, for each row of the table")
    return weights


def _add_columns(counts: Counts) -> Counts:
    """The sum of each row; adding whole columns is several times faster than numpy's sum over a short axis."""
    total = np.zeros(len(counts), dtype=np.int64)
    for column in counts.T:
        total += column
    return total
