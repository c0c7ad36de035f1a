"""Results by any key: functionality, class, language, target group, and so on."""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.metrics.accuracy import accuracy
from evaluation.metrics.clustered.shares import Share, share_of
from evaluation.metrics.columns import Columns, Factor, Flags, Places
from evaluation.metrics.confusion import confusion_counts_by
from evaluation.metrics.f1 import f1_of
from evaluation.metrics.resampled import resample_measures

Slice = dict[str, Any]


def slice_by(
    columns: Columns, key: str, *, only: Flags | None = None, seed: int = 0, draws: int = 0
) -> dict[str, Slice]:
    """Measures for each value of a key, in order of first appearance: n, templates, correct, accuracy, ci95, F1.

    Intervals of accuracy count templates. `only` restricts the rows. With draws, macro F1 and the F1 of each label get
    intervals by bootstrap over templates where macro F1 is defined.
    """
    factor = columns.factors[key] if only is None else columns.factors[key].only(only)
    found = slice_factor(columns, factor)
    if draws:
        for code, result in enumerate(found.values()):
            if result["macro_f1"] is not None:
                rows = factor.rows[factor.codes == code]
                drawn = resample_measures(columns, seed=seed, draws=draws, rows=rows)
                result["macro_f1_ci95"] = _listed(drawn.macro_f1)
                result["f1_ci95"] = dict(zip(columns.labels, map(_listed, drawn.f1), strict=True))
    return found


def slice_factor(columns: Columns, factor: Factor) -> dict[str, Slice]:
    """Measures for each value of a factor."""
    tables = confusion_counts_by(columns, factor)
    right = columns.is_correct
    found = {}
    for code, value in enumerate(factor.values):
        rows = factor.rows[factor.codes == code]
        share = share_of(right[rows], columns.clusters[rows])
        found[value] = measure_table(tables[code], columns.labels, share)
    return found


def measure_table(table: Places, labels: tuple[str, ...], share: Share) -> Slice:
    """All measures of one confusion table; `share` counts its right answers by template."""
    scores = f1_of(table)
    return {
        "n": share.cases,
        "templates": share.templates,
        "n_effective": share.effective,
        "correct": share.correct,
        "unanswered": int(table[:, -1].sum()),
        "accuracy": accuracy(share.correct, share.cases),
        "ci95": share.listed,
        "macro_f1": scores.macro,
        "micro_f1": scores.micro,
        "f1": dict(zip(labels, scores.per_label, strict=True)),
    }


def by_label(columns: Columns) -> dict[str, Slice]:
    """Measures for the cases of each gold label: accuracy here is the recall of that label."""
    places = np.arange(len(columns.cases))
    return slice_factor(columns, Factor(columns.labels, places, columns.gold))


def gold_label_of(columns: Columns, factor: Factor) -> dict[str, str | None]:
    """The one gold label that all cases of a value share; None where they differ."""
    by_gold = confusion_counts_by(columns, factor).sum(axis=2)
    found: dict[str, str | None] = {}
    for value, counts in zip(factor.values, by_gold, strict=True):
        present = np.flatnonzero(counts)
        found[value] = columns.labels[present[0]] if len(present) == 1 else None
    return found


def _listed(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else list(bounds)
