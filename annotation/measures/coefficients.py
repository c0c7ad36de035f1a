"""How far labels agree: Fleiss' kappa, Krippendorff's alpha and plain shares. What is undefined says why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from core.text import _

Counts = npt.NDArray[np.int64]
Level = Literal["nominal", "ordinal", "interval"]

NO_CASE = _("No case has been labelled yet.")
NO_PAIR = _("No case has two labels yet, so there is nothing to compare.")
ONE_CASE = _("Only one case has two labels or more. Agreement on one case says nothing about chance.")
ONE_LABEL = _("All labels are the same, so agreement by chance is already perfect.")
ONE_VALUE = _("All labels that can be compared are the same, so there is no variation to explain.")


@dataclass(frozen=True, slots=True)
class Measured:
    """A number, or None with the reason why there is none."""

    value: float | None
    reason: str = ""

    @classmethod
    def undefined(cls, reason: str) -> Measured:
        return cls(None, reason)


def as_counts(table: npt.ArrayLike) -> Counts:
    """Check a vote table: one row per case, one column per label, whole numbers from 0.

    Refuses anything that is not a table of whole, non-negative numbers.
    """
    given = np.asarray(table)
    if given.size == 0:
        return np.zeros((0, given.shape[1] if given.ndim == 2 else 0), dtype=np.int64)
    if given.ndim != 2:
        raise ValueError("a vote table has one row per case and one column per label")
    counts = given.astype(np.int64, copy=False)
    is_whole = given.dtype.kind in "iu" or np.array_equal(counts, given)
    if not is_whole or counts.min() < 0:
        raise ValueError("a vote table holds whole numbers of votes, never less than 0")
    return counts


def fleiss_kappa(table: npt.ArrayLike, *, cases_per_row: npt.ArrayLike | None = None) -> Measured:
    """Fleiss' kappa of two cases or more, generalised where cases differ in their number of labels."""
    raters = _add_columns(as_counts(table))
    paired = raters >= 2
    if (np.count_nonzero(paired) if cases_per_row is None else int(np.asarray(cases_per_row)[paired].sum())) == 1:
        return Measured.undefined(ONE_CASE)
    is_equal = len(raters) and raters[0] >= 2 and (raters == raters[0]).all()
    return (fleiss_kappa_of_table if is_equal else fleiss_kappa_unequal)(table, cases_per_row=cases_per_row)


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


def krippendorff_alpha(
    table: npt.ArrayLike, *, level: Level = "nominal", values: Sequence[float] | None = None
) -> Measured:
    """Krippendorff's alpha of a vote table; cases with fewer than two labels do not count.

    `values` are the numbers behind the columns, in rising order (default 0, 1, 2, ...); they matter on scales.
    Refuses values that are not in rising order.
    """
    counts = as_counts(table)
    domain = np.arange(counts.shape[1], dtype=float) if values is None else np.asarray(values, dtype=float)
    if len(domain) != counts.shape[1] or (np.diff(domain) <= 0).any():
        raise ValueError("values needs one number per column of the table, in rising order")
    counts = counts[counts.sum(axis=1) >= 2]
    if len(counts) < 2:
        return Measured.undefined(ONE_CASE if len(counts) else NO_PAIR)
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return Measured.undefined(ONE_VALUE)
    import krippendorff

    return Measured(float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)))


def pairwise_agreement(table: npt.ArrayLike) -> Measured:
    """Share of pairs of labels that are equal, averaged over cases with two labels or more."""
    counts, raters = _with_pairs(table)
    if not len(counts):
        return Measured.undefined(NO_PAIR)
    return Measured(float(np.mean((counts * (counts - 1)).sum(axis=1) / (raters * (raters - 1)))))


def unanimity(table: npt.ArrayLike) -> Measured:
    """Share of cases whose labels are all equal, among cases with two labels or more."""
    counts, raters = _with_pairs(table)
    if not len(counts):
        return Measured.undefined(NO_PAIR)
    return Measured(float(np.mean(counts.max(axis=1) == raters)))


def _with_pairs(table: npt.ArrayLike) -> tuple[Counts, Counts]:
    """The cases with two labels or more, and how many labels each has."""
    counts = as_counts(table)
    raters = counts.sum(axis=1)
    return counts[raters >= 2], raters[raters >= 2]
