"""Accuracy: the share of cases that the model got right. No answer is not a right answer."""

from __future__ import annotations

import numpy as np

from evaluation.metrics.columns import Floats, Places


def accuracy(correct: int, cases: int) -> float | None:
    """Share of right answers; None for no case at all. Refuses more right answers than cases."""
    if not 0 <= correct <= cases:
        raise ValueError(f"{correct} right answers of {cases} cases cannot be")
    return correct / cases if cases else None


def accuracies(confusion: Floats | Places) -> Floats:
    """Accuracy per confusion table in a stack; NaN where a table is empty."""
    with np.errstate(invalid="ignore", divide="ignore"):
        shares: Floats = np.trace(confusion, axis1=-2, axis2=-1) / confusion.sum(axis=(-2, -1))
    return shares
