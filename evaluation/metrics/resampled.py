"""Bootstrap intervals over templates of accuracy and of every F1, from one set of draws."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from evaluation.metrics.accuracy import accuracies
from evaluation.metrics.columns import Columns, Floats, Places
from evaluation.metrics.confusion import cells
from evaluation.metrics.f1 import f1_per_label, macro_f1, micro_f1
from evaluation.metrics.intervals import Bounds, bootstrap


@dataclass(frozen=True, slots=True)
class Resampled:
    """95% intervals of one model's measures; None where undefined."""

    accuracy: Bounds | None
    macro_f1: Bounds | None
    micro_f1: Bounds | None
    f1: tuple[Bounds | None, ...]


def resample_measures(columns: Columns, *, seed: int, draws: int, rows: Places | None = None) -> Resampled:
    """Intervals over all rows, or over the given ones."""
    size = len(columns.labels)
    chosen = np.arange(len(columns.cases)) if rows is None else rows
    facts = np.zeros((len(chosen), size * (size + 1)))
    facts[np.arange(len(chosen)), cells(columns)[chosen]] = 1.0

    def measures(sums: Floats) -> Floats:
        tables = sums.reshape(-1, size, size + 1)
        together = [accuracies(tables), macro_f1(tables), micro_f1(tables)]
        return np.column_stack([*together, f1_per_label(tables)])

    found = bootstrap(facts, columns.clusters[chosen], measures, seed=seed, draws=draws)
    return Resampled(found[0], found[1], found[2], tuple(found[3:]))
