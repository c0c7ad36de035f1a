"""Gaps between groups: who is served worse, by how much, and whether chance could do that.

The tests are cluster-robust: each template is usually filled with every group, so groups are compared within templates.
Student's t distribution allows for few templates.
"""

from __future__ import annotations

from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np

from evaluation.metrics.clustered.shares import t_quantile
from evaluation.metrics.columns import Columns, Factor, Floats
from evaluation.metrics.holm import holm

TOO_FEW_GROUPS = "a gap needs at least two groups"
TOO_FEW_TEMPLATES = "significance needs at least two templates"


def group_gaps(columns: Columns, factor: Factor) -> dict[str, Any]:
    """Each group against all others together, and the largest gap between two groups, p values Holm-corrected.

    With a reason instead of figures when there are fewer than two groups or templates.
    """
    if len(factor.values) < 2:
        return {"groups": {}, "largest": None, "reason": TOO_FEW_GROUPS}
    cases, right = _sums(columns, factor)
    if len(cases) < 2:
        return {"groups": {}, "largest": None, "reason": TOO_FEW_TEMPLATES}
    every_case, every_right = cases.sum(axis=1, keepdims=True), right.sum(axis=1, keepdims=True)
    groups = {
        value: _compare(cases[:, g], right[:, g], (every_case - cases)[:, g], (every_right - right)[:, g])
        for g, value in enumerate(factor.values)
    }
    corrected = holm({value: found["p"] for value, found in groups.items()})
    for value, found in groups.items():
        found["p_holm"] = corrected[value]
    return {"groups": groups, "largest": _largest(factor.values, cases, right), "reason": ""}


def _largest(values: tuple[str, ...], cases: Floats, right: Floats) -> dict[str, Any]:
    """The best served group against the worst served one, corrected for all the pairs one could have looked at."""
    best_first = np.argsort(-(right.sum(axis=0) / cases.sum(axis=0)), kind="stable").tolist()
    pairs = {
        (high, low): _compare(cases[:, high], right[:, high], cases[:, low], right[:, low])
        for high, low in combinations(best_first, 2)
    }
    corrected = holm({pair: found["p"] for pair, found in pairs.items()})
    ends = (best_first[0], best_first[-1])
    return {
        "highest": values[ends[0]],
        "lowest": values[ends[1]],
        "difference": pairs[ends]["difference"],
        "ci95": pairs[ends]["ci95"],
        "p": pairs[ends]["p"],
        "p_holm": corrected[ends],
    }


def _sums(columns: Columns, factor: Factor) -> tuple[Floats, Floats]:
    """Cases and right answers per template (row) and group (column)."""
    used, of_row = np.unique(columns.clusters[factor.rows], return_inverse=True)
    shape = (len(used), len(factor.values))
    cell = of_row * shape[1] + factor.codes
    correct = columns.is_correct[factor.rows].astype(float)
    cases = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    right = np.bincount(cell, weights=correct, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    return cases, right


def _compare(cases: Floats, right: Floats, other_cases: Floats, other_right: Floats) -> dict[str, Any]:
    """Difference in accuracy with a cluster-robust standard error (templates are the clusters)."""
    n, other_n = cases.sum(), other_cases.sum()
    share, other_share = right.sum() / n, other_right.sum() / other_n
    difference = float(share - other_share)
    influence = (right - share * cases) / n - (other_right - other_share * other_cases) / other_n
    templates = len(cases)
    error = sqrt(templates / (templates - 1) * float(influence @ influence))
    if error < 1e-12:
        # Every template says the same, so templates show no variance; each then counts as one case on either side.
        pooled = float((right.sum() + other_right.sum()) / (n + other_n))
        error = sqrt(pooled * (1 - pooled) * 2 / templates)
    p = _two_sided(abs(difference) / error, templates - 1) if error > 0 else 1.0
    half = t_quantile(templates - 1) * error
    low, high = max(-1.0, difference - half), min(1.0, difference + half)
    return {
        "n": int(n),
        "templates": int(np.count_nonzero(cases)),
        "accuracy": float(share),
        "rest": float(other_share),
        "difference": difference,
        "ci95": [low, high],
        "p": p,
    }


def _two_sided(statistic: float, freedom: int) -> float:
    from scipy.special import stdtr

    return 2 * float(stdtr(freedom, -statistic))
