"""F1 of each class, macro and micro, from confusion tables."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.metrics.columns import Floats, Places


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
    """F1 of one confusion table whose last column counts missing answers; those lower recall, not precision."""
    per_label = f1_per_label(confusion)
    return F1(
        tuple(_defined(value) for value in per_label.tolist()),
        _defined(float(macro_f1(confusion))),
        _defined(float(micro_f1(confusion))),
    )


def f1_per_label(confusion: Places | Floats) -> Floats:
    """F1 of each label, for one table or a stack; NaN where undefined."""
    right = np.diagonal(confusion, axis1=-2, axis2=-1)
    gold = confusion.sum(axis=-1)
    predicted = confusion[..., :, :-1].sum(axis=-2)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(gold > 0, 2 * right / (gold + predicted), np.nan)


def macro_f1(confusion: Places | Floats) -> Floats:
    """Mean F1 over labels, for one table or a stack; NaN unless every label occurs in gold."""
    scores: Floats = f1_per_label(confusion).mean(axis=-1)
    return scores


def micro_f1(confusion: Places | Floats) -> Floats:
    """F1 over all decisions together; equals accuracy when every case has an answer."""
    right = np.trace(confusion, axis1=-2, axis2=-1)
    asked = confusion.sum(axis=(-2, -1))
    answered = confusion[..., :, :-1].sum(axis=(-2, -1))
    with np.errstate(invalid="ignore", divide="ignore"):
        scores: Floats = 2 * right / (asked + answered)
    return scores


def _defined(value: float) -> float | None:
    return None if np.isnan(value) else value
