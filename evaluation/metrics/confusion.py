"""Counts of gold against predicted labels: everything else is computed from them."""

from __future__ import annotations

import numpy as np

from evaluation.metrics.columns import Columns, Factor, Places


def confusion_counts(columns: Columns) -> Places:
    """A table of gold label (row) by predicted label (column); the last column counts rows without an answer."""
    size = len(columns.labels)
    return np.bincount(cells(columns), minlength=size * (size + 1)).reshape(size, size + 1)


def confusion_counts_by(columns: Columns, factor: Factor) -> Places:
    """One such table for each value of a key."""
    size = len(columns.labels)
    places = factor.codes * size * (size + 1) + cells(columns)[factor.rows]
    counts = np.bincount(places, minlength=len(factor.values) * size * (size + 1))
    return counts.reshape(len(factor.values), size, size + 1)


def cells(columns: Columns) -> Places:
    """The cell of the confusion table that each row belongs to, counted row by row."""
    size = len(columns.labels)
    predicted = np.where(columns.predicted < 0, size, columns.predicted)
    places: Places = columns.gold * (size + 1) + predicted
    return places


def confusion_report(columns: Columns) -> dict[str, dict[str, int]]:
    """The table with names: gold label, then predicted label or `unanswered`, then the number of cases."""
    names = [*columns.labels, "unanswered"]
    counts = confusion_counts(columns).tolist()
    return {label: dict(zip(names, row, strict=True)) for label, row in zip(columns.labels, counts, strict=True)}
