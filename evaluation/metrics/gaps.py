"""Gaps between groups: who is served worse, by how much, and whether chance could do that.

The tests count templates: each one is usually filled with every group, so groups are compared within templates.
Student's t distribution allows for few templates.
"""

from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np

from core.statistics.intervals import Floats
from core.statistics.shares import t_quantile
from core.statistics.significance import holm
from evaluation.metrics.columns import Columns, Factor

TOO_FEW_GROUPS = "a gap needs at least two groups"
TOO_FEW_TEMPLATES = "significance needs at least two templates"


def group_gaps(columns: Columns, factor: Factor) -> dict[str, Any]:
    """Compare each group with all others together, and find the largest gap of two groups, p values Holm-corrected.

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
    corrected = holm({value: found["p"] for value, found in groups.items() if found["p"] is not None})
    for value, found in groups.items():
        found["p_holm"] = corrected.get(value)
    return {"groups": groups, "largest": _largest(factor.values, cases, right), "reason": ""}


def _largest(values: tuple[str, ...], cases: Floats, right: Floats) -> dict[str, Any]:
    """The best served group against the worst served one, corrected for all the pairs one could have looked at."""
    best_first = np.argsort(-(right.sum(axis=0) / cases.sum(axis=0)), kind="stable").tolist()
    pairs = {
        (high, low): _compare(cases[:, high], right[:, high], cases[:, low], right[:, low])
        for high, low in combinations(best_first, 2)
    }
    corrected = holm({pair: found["p"] for pair, found in pairs.items() if found["p"] is not None})
    ends = (best_first[0], best_first[-1])
    return {
        "highest": values[ends[0]],
        "lowest": values[ends[1]],
        "difference": pairs[ends]["difference"],
        "ci95": pairs[ends]["ci95"],
        "p": pairs[ends]["p"],
        "p_holm": corrected.get(ends),
    }


def _sums(columns: Columns, factor: Factor) -> tuple[Floats, Floats]:
    """Return cases and right answers per template (row) and group (column)."""
    used, of_row = np.unique(columns.clusters[factor.rows], return_inverse=True)
    shape = (len(used), len(factor.values))
    cell = of_row * shape[1] + factor.codes
    correct = columns.is_correct[factor.rows].astype(float)
    cases = np.bincount(cell, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    right = np.bincount(cell, weights=correct, minlength=shape[0] * shape[1]).reshape(shape).astype(float)
    return cases, right


def _compare(cases: Floats, right: Floats, other_cases: Floats, other_right: Floats) -> dict[str, Any]:
    """Difference in accuracy, tested over templates; the side with fewer templates gives the degrees of freedom.

    With a single template on a side there is no interval and no p value: how much templates of that group differ cannot
    be told from one.
    """
    n, other_n = cases.sum(), other_cases.sum()
    difference = float(right.sum() / n - other_right.sum() / other_n)
    freedom = min(int(np.count_nonzero(cases)), int(np.count_nonzero(other_cases))) - 1
    ci95, p = None, None
    if freedom:
        error = sqrt(_variance(cases, right, other_cases, other_right))
        half = t_quantile(freedom) * error
        p = _two_sided(abs(difference) / error, freedom) if error > 0 else 1.0
        ci95 = [max(-1.0, difference - half), min(1.0, difference + half)]
    return {
        "n": int(n),
        "templates": int(np.count_nonzero(cases)),
        "accuracy": float(right.sum() / n),
        "rest": float(other_right.sum() / other_n),
        "difference": difference,
        "ci95": ci95,
        "p": p,
    }


def _variance(cases: Floats, right: Floats, other_cases: Floats, other_right: Floats) -> float:
    """Variance of the difference of two shares, from leaving out each template in turn (jackknife).

    A side where all cases are right, or all wrong, shows no variance: each of its templates then counts as one case.
    So do those of both sides where every template says the same.
    """
    moved, by_chance, by_chance_alone = np.zeros(len(cases)), 0.0, 0.0
    pooled = float((right.sum() + other_right.sum()) / (cases.sum() + other_cases.sum()))
    for sign, n, correct in ((1, cases, right), (-1, other_cases, other_right)):
        share, of_one = correct.sum() / n.sum(), pooled * (1 - pooled) / np.count_nonzero(n)
        moved += sign * (correct - share * n) / (n.sum() - n)
        by_chance += of_one
        by_chance_alone += of_one if share in (0.0, 1.0) else 0.0
    templates = int(np.count_nonzero(cases + other_cases))
    variance = (templates - 1) / templates * float(moved @ moved) + by_chance_alone
    return variance if variance > 1e-24 else by_chance


def _two_sided(statistic: float, freedom: int) -> float:
    from scipy.special import stdtr

    return 2 * float(stdtr(freedom, -statistic))
