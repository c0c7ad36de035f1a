"""Gaps between groups: who is served worse, by how much, and whether chance could do that.

Groups are compared like with like, inside strata: a template that is filled with several groups is one, and what is
written for one group alone is compared within its language, functionality and gold label. So a hard language, or a hard
functionality, that only some groups have makes no gap.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from statistics import NormalDist
from typing import Any

import numpy as np

from core.statistics.intervals import Z95, Flags, Floats, Places
from core.statistics.shares import t_quantile
from core.statistics.significance import FEWEST, holm
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.reasons import NO_VARIANCE, NOT_MATCHED, TOO_FEW_GROUPS, TOO_FEW_TEMPLATES

WITHIN = ("language", "functionality")


def group_gaps(columns: Columns, factor: Factor, *, within: Sequence[str] = WITHIN) -> dict[str, Any]:
    """Compare each group with all others together, and find the largest gap of two groups, p values Holm-corrected.

    `within` names the keys that both sides must share, beside the gold label. With a reason instead of figures where
    there are fewer than two groups, nothing to match, or too few templates.
    """
    if len(factor.values) < 2:
        return {"groups": {}, "largest": None, "reason": TOO_FEW_GROUPS}
    units = _units(columns, factor, within)
    groups = {value: _compare(units, units.has[:, g], ~units.has[:, g]) for g, value in enumerate(factor.values)}
    _correct(list(groups.values()))
    return {"groups": groups, "largest": _largest(factor.values, units), "reason": ""}


@dataclass(frozen=True, slots=True)
class _Units:
    """What is compared: the cases of one template that are about the same groups; alone in it, the whole template."""

    strata: Places
    share: Floats  # of right answers
    cases: Places
    templates: Places
    has: Flags  # by unit and group

    def where(self, keep: Flags) -> "_Units":
        return _Units(self.strata[keep], self.share[keep], self.cases[keep], self.templates[keep], self.has[keep])


def _units(columns: Columns, factor: Factor, within: Sequence[str]) -> _Units:
    rows = np.unique(factor.rows)
    has = np.zeros((len(columns.cases), len(factor.values)), dtype=bool)
    has[factor.rows, factor.codes] = True
    cluster, gold = columns.clusters[rows], columns.gold[rows]
    keys = np.column_stack([cluster, gold, has[rows]])
    found, of_row, cases = np.unique(keys, axis=0, return_inverse=True, return_counts=True)
    first = np.zeros(len(found), dtype=np.int64)
    first[of_row[::-1]] = rows[::-1]
    right = np.bincount(of_row, weights=columns.is_correct[rows].astype(float), minlength=len(found))
    templates, unit_gold = found[:, 0], found[:, 1]
    # A template with cases of several groups is a stratum; the others meet in their language and functionality.
    _, of_template, alike = np.unique(found[:, :2], axis=0, return_inverse=True, return_counts=True)
    cell = np.column_stack([unit_gold, *(_codes(columns, key)[first] for key in within)])
    meeting = np.unique(cell, axis=0, return_inverse=True)[1].reshape(-1)
    strata = np.where(alike[of_template.reshape(-1)] > 1, of_template.reshape(-1), -1 - meeting)
    return _Units(strata, right / cases, cases, templates, found[:, 2:].astype(bool))


def _codes(columns: Columns, key: str) -> Places:
    codes = np.full(len(columns.cases), -1)
    codes[columns.factors[key].rows] = columns.factors[key].codes
    return codes


def _largest(values: tuple[str, ...], units: _Units) -> dict[str, Any] | None:
    """Return the widest of all gaps between two groups, corrected for all the pairs one could have looked at."""
    found = {}
    for one, other in combinations(range(len(values)), 2):
        mine, theirs = (units.has[:, a] & ~units.has[:, b] for a, b in ((one, other), (other, one)))
        result = _compare(units, mine, theirs)
        if result["difference"] is not None:
            is_ahead = result["difference"] >= 0
            found[(one, other) if is_ahead else (other, one)] = result
    if not found:
        return None
    _correct(list(found.values()))
    high, low = max(found, key=lambda pair: abs(found[pair]["difference"]))
    gap = found[high, low]
    bounds = gap["ci95"] and ([-gap["ci95"][1], -gap["ci95"][0]] if gap["difference"] < 0 else gap["ci95"])
    return {
        "highest": values[high],
        "lowest": values[low],
        "difference": abs(gap["difference"]),
        "ci95": bounds,
        **{key: gap[key] for key in ("n", "templates", "p", "p_holm", "reason")},
    }


def _correct(results: Sequence[dict[str, Any]]) -> None:
    corrected = holm({place: found["p"] for place, found in enumerate(results) if found["p"] is not None})
    for place, found in enumerate(results):
        found["p_holm"] = corrected.get(place)


def _compare(units: _Units, mine: Flags, theirs: Flags) -> dict[str, Any]:
    """Return the difference in accuracy inside strata (weights of Mantel and Haenszel), with interval and p value.

    Two standard errors, of which the less certain decides: exchanging the groups inside each stratum (Mantel 1963; its
    variance is known, so normal), which needs no wrong case of a group to see that there might be one; and how far
    templates disagree about the gap (Student's t).
    """
    units, mine = units.where(mine | theirs), mine[mine | theirs]
    _, of_unit = np.unique(units.strata, return_inverse=True)
    size = np.bincount(of_unit).astype(float)
    m = np.bincount(of_unit, weights=mine.astype(float), minlength=len(size)).astype(float)
    matched = (m > 0) & (m < size)
    units, mine, of_unit = units.where(matched[of_unit]), mine[matched[of_unit]], of_unit[matched[of_unit]]
    told: dict[str, Any] = dict.fromkeys(("accuracy", "rest", "difference", "ci95", "p"))
    told |= {"n": int(units.cases[mine].sum()), "templates": len(np.unique(units.templates[mine]))}
    if not mine.any():
        return told | {"reason": NOT_MATCHED}
    _, of_unit = np.unique(of_unit, return_inverse=True)
    size, m = size[matched], m[matched]
    weights = m * (size - m) / size
    share = _means(of_unit, units.share, mine, m), _means(of_unit, units.share, ~mine, size - m)
    gaps = share[0] - share[1]
    whole = float(weights.sum())
    difference = float(weights @ gaps) / whole
    told |= {"accuracy": float(weights @ share[0]) / whole, "rest": float(weights @ share[1]) / whole}
    told["difference"] = difference
    around = np.bincount(of_unit, weights=units.share**2) - np.bincount(of_unit, weights=units.share) ** 2 / size
    varies = around > 1e-12
    informative = int(min(m[varies].sum(), (size - m)[varies].sum()))
    if not informative:
        return told | {"reason": NO_VARIANCE}
    if informative < FEWEST:
        return told | {"reason": TOO_FEW_TEMPLATES}
    exchanged = sqrt(float(np.sum(weights / (size - 1) * around))) / whole
    between = _error_between(of_unit, units, mine, share, weights, difference)
    # Half of what one case moves: the sums are steps, the distributions are smooth.
    step = 0.5 / float(units.cases.max()) / whole
    freedom, away = informative - 1, max(0.0, abs(difference) - step)
    half = max(Z95 * exchanged, t_quantile(freedom) * between) + step
    return told | {
        "ci95": [max(-1.0, difference - half), min(1.0, difference + half)],
        "p": max(2 * NormalDist().cdf(-away / exchanged), _two_sided(away, between, freedom)),
        "reason": "",
    }


def _error_between(
    of_unit: Places, units: _Units, mine: Flags, share: tuple[Floats, Floats], weights: Floats, difference: float
) -> float:
    """Return the standard error between templates: of gaps where one is a stratum, of units where several meet."""
    is_template = np.zeros(len(weights), dtype=bool)
    is_template[of_unit[units.strata >= 0]] = True
    gaps = weights * (share[0] - share[1] - difference)
    squares = float(np.sum(gaps[is_template] ** 2))
    alone = ~is_template[of_unit]
    for side, means in ((mine, share[0]), (~mine, share[1])):
        chosen = alone & side
        numbers = np.bincount(of_unit[side], minlength=len(weights))
        spread = (units.share - means[of_unit]) * (weights / np.maximum(numbers, 1))[of_unit]
        squares += float(np.sum(spread[chosen] ** 2))
    templates = len(np.unique(units.templates))
    return sqrt(templates / (templates - 1) * squares) / float(weights.sum())


def _means(of_unit: Places, share: Floats, chosen: Flags, units: Floats) -> Floats:
    means: Floats = np.bincount(of_unit, weights=share * chosen, minlength=len(units)) / units
    return means


def _two_sided(away: float, error: float, freedom: int) -> float:
    from scipy.special import stdtr

    return 2 * float(stdtr(freedom, -away / error)) if error > 1e-12 else 0.0
