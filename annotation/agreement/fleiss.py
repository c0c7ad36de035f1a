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
    counts, weights = _used_rows(as_counts(table), cases_per_row)
    if not len(counts):
        return Measured.undefined(NO_CASE)
    raters = _add_columns(counts)
    per_case = int(raters[0])
    if per_case < 2 or (raters != per_case).any():
        raise ValueError(
            "every case needs the same number of raters, at least two; "
            "use fleiss_kappa_unequal while labels are still missing"
        )
    cases = len(counts) if weights is None else int(weights.sum())
    per_label = counts.sum(axis=0) if weights is None else weights @ counts
    if (per_label == cases * per_case).any():
        return Measured.undefined(ONE_LABEL)
    squares = np.einsum("ij,ij->", counts, counts) if weights is None else weights @ _add_columns(counts * counts)
    pairs = int(squares) - cases * per_case
    observed = pairs / (cases * per_case * (per_case - 1))
    shares = per_label / (cases * per_case)
    expected = float(shares @ shares)
    return Measured((observed - expected) / (1 - expected))


def fleiss_kappa_unequal(table: npt.ArrayLike, *, cases_per_row: npt.ArrayLike | None = None) -> Measured:
    """Fleiss' kappa generalised to unequal numbers of raters (Gwet, Handbook of Inter-Rater Reliability, 2014).

    Every case counts once: agreement is the mean over cases with two or more labels, chance the mean label shares over
    all labelled cases. With equal numbers of raters it is Fleiss' kappa. Cases without a label are left out.
    """
    counts, given = _used_rows(as_counts(table), cases_per_row)
    raters = _add_columns(counts)
    weights = np.where(raters > 0, 1 if given is None else given, 0)
    if not weights.any():
        return Measured.undefined(NO_CASE)
    paired = raters >= 2
    if not paired.any():
        return Measured.undefined(NO_PAIR)
    if np.count_nonzero(counts.sum(axis=0)) == 1:
        return Measured.undefined(ONE_LABEL)
    agreeing = (_add_columns(counts * counts) - raters) / np.where(paired, raters * (raters - 1), 1)
    observed = float(np.where(paired, weights, 0) @ agreeing / weights[paired].sum())
    shares = (weights / np.maximum(raters, 1)) @ counts / weights.sum()
    expected = float(shares @ shares)
    return Measured((observed - expected) / (1 - expected))


def _used_rows(counts: Counts, cases_per_row: npt.ArrayLike | None) -> tuple[Counts, Counts | None]:
    """The rows that stand for at least one case, and for how many; None when each stands for one."""
    if cases_per_row is None:
        return counts, None
    weights = np.asarray(cases_per_row, dtype=np.int64)
    if weights.shape != (len(counts),) or (weights < 0).any():
        raise ValueError("cases_per_row needs one number, 0 or more, for each row of the table")
    return counts[weights > 0], weights[weights > 0]


def _add_columns(counts: Counts) -> Counts:
    """The sum of each row; adding whole columns is several times faster than numpy's sum over a short axis."""
    total = np.zeros(len(counts), dtype=np.int64)
    for column in counts.T:
        total += column
    return total
