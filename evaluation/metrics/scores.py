"""Confusion tables, and what is computed from them: accuracy and F1. No answer is not a right answer."""

from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

import numpy as np

from core.statistics.intervals import Floats, Places
from evaluation.metrics.columns import Columns, Factor


def confusion_counts(columns: Columns) -> Places:
    """Return a table of gold label (row) by predicted label (column); the last column counts rows without an answer."""
    size = len(columns.labels)
    return np.bincount(cells(columns), minlength=size * (size + 1)).reshape(size, size + 1)


def confusion_counts_by(columns: Columns, factor: Factor) -> Places:
    """Return one such table for each value of a key."""
    size = len(columns.labels)
    places = factor.codes * size * (size + 1) + cells(columns)[factor.rows]
    counts = np.bincount(places, minlength=len(factor.values) * size * (size + 1))
    return counts.reshape(len(factor.values), size, size + 1)


def template_tables(columns: Columns, rows: Places | None = None) -> Floats:
    """Return one such table for each template of the given rows, or of all."""
    size = len(columns.labels)
    chosen = np.arange(len(columns.cases)) if rows is None else rows
    used, of_row = np.unique(columns.clusters[chosen], return_inverse=True)
    places = of_row * size * (size + 1) + cells(columns)[chosen]
    counts = np.bincount(places, minlength=len(used) * size * (size + 1)).astype(float)
    return counts.reshape(len(used), size, size + 1)


def cells(columns: Columns) -> Places:
    """Return the cell of the confusion table that each row belongs to, counted row by row."""
    size = len(columns.labels)
    predicted = np.where(columns.predicted < 0, size, columns.predicted)
    places: Places = columns.gold * (size + 1) + predicted
    return places


def confusion_report(columns: Columns) -> dict[str, dict[str, int]]:
    """Return the table with names: gold label, then predicted label or `unanswered`, then the number of cases."""
    names = [*columns.labels, "unanswered"]
    counts = confusion_counts(columns).tolist()
    return {label: dict(zip(names, row, strict=True)) for label, row in zip(columns.labels, counts, strict=True)}


def accuracy(correct: int, cases: int) -> float | None:
    """Share of right answers; None for no case at all. Refuses more right answers than cases."""
    if not 0 <= correct <= cases:
        raise ValueError(f"{correct} right answers of {cases} cases cannot be")
    return correct / cases if cases else None


@dataclass(frozen=True, slots=True)
class F1:
    """None where it is undefined.

    One label: when no case has it as gold label, because what cannot be found says nothing. Macro: unless every label
    occurs among the gold labels. Micro: when there is no case.
    """

    per_label: tuple[float | None, ...]
    macro: float | None
    micro: float | None


def f1_of(confusion: Places) -> F1:
    """Return the F1 of one confusion table whose last column counts missing answers: they lower recall only."""
    per_label = f1_per_label(confusion)
    return F1(
        tuple(_defined(value) for value in per_label.tolist()),
        _defined(float(macro_f1(confusion))),
        _defined(float(micro_f1(confusion))),
    )


def f1_per_label(confusion: Places | Floats) -> Floats:
    """Return the F1 of each label, for one table or a stack; NaN where undefined."""
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    gold = confusion.sum(axis=-1)
    predicted = confusion[..., :, :-1].sum(axis=-2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(gold > 0, 2 * right / (gold + predicted), np.nan)


def f1_of_label(confusion: Places | Floats, *, place: int) -> Floats:
    """Return the F1 of one label, for one table or a stack; NaN where undefined."""
    scores: Floats = f1_per_label(confusion)[..., place]
    return scores


def macro_f1(confusion: Places | Floats) -> Floats:
    """Return the mean F1 over labels, for one table or a stack; NaN unless every label occurs in gold."""
    scores: Floats = f1_per_label(confusion).mean(axis=-1)
    return scores


def micro_f1(confusion: Places | Floats) -> Floats:
    """Return the F1 over all decisions together; equals accuracy when every case has an answer."""
    right = np.trace(confusion, axis1=-2, axis2=-1)
    asked = confusion.sum(axis=(-2, -1))
    answered = confusion[..., :, :-1].sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        scores: Floats = 2 * right / (asked + answered)
    return scores


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value


def percent(correct: int, cases: int, *, decimals: int = 1) -> Decimal | None:
    """Return a share in percent, rounded half to even on the exact fraction: 1 of 16 is 6.2. None for no case."""
    if not cases:
        return None
    return round_exactly(Fraction(100 * correct, cases), decimals=decimals)


def round_exactly(value: Fraction, *, decimals: int) -> Decimal:
    """Round an exact fraction half to even; the result keeps its trailing zeros."""
    return Decimal(round(value * 10**decimals)).scaleb(-decimals)
