"""What a model that always gives the same answer would reach: the least any model must beat."""

from __future__ import annotations

import numpy as np

from evaluation.metrics.clustered.shares import share_of
from evaluation.metrics.columns import Columns
from evaluation.metrics.slices import Slice, measure_table


def trivial_baselines(columns: Columns) -> dict[str, Slice]:
    """Measures of `always <label>` for each label, on the same cases."""
    size = len(columns.labels)
    gold = np.bincount(columns.gold, minlength=size)
    found = {}
    for place, label in enumerate(columns.labels):
        table = np.zeros((size, size + 1), dtype=np.int64)
        table[:, place] = gold
        found[f"always {label}"] = measure_table(
            table, columns.labels, share_of(columns.gold == place, columns.clusters)
        )
    return found
