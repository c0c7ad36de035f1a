"""Shares of cases that come in templates, and differences of such shares, with 95% intervals that count templates.

Wilson's interval on the effective number of cases. A percentile bootstrap over templates covers too little below about
50 templates, and a functionality has 2 to 30 (`python -m benchmarks.template_statistics`).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np

from core.statistics.intervals import Z95, Bounds, Flags, Floats, Places, listed, wilson


@dataclass(frozen=True, slots=True)
class Share:
    """How many cases are right, in how many templates, and how many independent cases that amounts to."""

    correct: int
    cases: int
    templates: int
    effective: float

    @property
    def interval(self) -> Bounds | None:
        """The 95% interval; None for no case."""
        return wilson(self.correct / self.cases * self.effective, self.effective) if self.cases else None

    @property
    def listed(self) -> list[float] | None:
        """The interval as reports keep it."""
        return listed(self.interval)


def share_of(is_right: Flags, clusters: Places) -> Share:
    """Count right answers by template. `clusters` numbers the template of each case; a lone case has its own number."""
    _, of_case = np.unique(clusters, return_inverse=True)
    cases = np.bincount(of_case).astype(float)
    right = np.bincount(of_case, weights=is_right, minlength=len(cases)).astype(float)
    correct = int(np.count_nonzero(is_right))
    return Share(correct, len(is_right), len(cases), effective_cases(right, cases))


def effective_cases(right: Floats, cases: Floats) -> float:
    """Return how many independent cases are as informative as these, given right answers and cases by template.

    The number of cases over the design effect: the variance that the templates show over the variance that independent
    cases would have, at least 1. The variance of few templates is itself uncertain, which a t quantile in place of
    Wilson's normal one makes up for. Where templates show no variance because all cases are right, or all wrong, each
    template counts as one case; so does a single template. Where every template has one case, cases are independent.
    """
    templates, n, correct = len(cases), float(cases.sum()), float(right.sum())
    if templates < 2 or correct in (0.0, n):
        return float(templates)
    if n == templates:
        return n
    order = np.lexsort((right, cases))  # so that the order of cases changes no digit
    right, cases = right[order], cases[order]
    share = correct / n
    return n / max(1.0, _variance(right, cases) / (share * (1 - share) / n)) * (Z95 / t_quantile(templates - 1)) ** 2


def _variance(right: Floats, cases: Floats) -> float:
    """Variance of the share as the templates show it: of their own shares over their number, or of the ratio of sums.

    For equally large templates both are the same. Otherwise the larger one: where a few large templates carry the
    share, either alone is too small (lowest coverage 84% and 86%, together 93%, with 12 templates of 1 to 40 cases).
    """
    return max(float(np.var(right / cases, ddof=1)) / len(cases), ratio_variance(right, cases))


def ratio_variance(sums: Floats, cases: Floats) -> float:
    """Variance of the ratio of two sums over templates, from leaving out each of them in turn (jackknife).

    Needs two templates. A template that holds most of the cases pulls the ratio to its own, which hides how far it is
    from the others; left out, it does not.
    """
    templates, n = len(cases), float(cases.sum())
    moved = (sums - sums.sum() / n * cases) / (n - cases)
    return (templates - 1) / templates * float(moved @ moved)


@lru_cache(maxsize=4096)
def t_quantile(freedom: int, *, chance: float = 0.975) -> float:
    """Quantile of Student's t distribution."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, chance))


def difference_interval(differences: Places, cases: Places) -> Bounds | None:
    """Return the 95% interval of a difference in accuracy, from the differences and the numbers of cases by template.

    Student's t with the variance between templates. None for fewer than two templates, and where templates show no
    variance, also because the models never differ: how sure that is cannot be told from them.
    """
    templates, n = len(cases), int(cases.sum())
    if templates < 2:
        return None
    error = sqrt(ratio_variance(differences.astype(float), cases.astype(float)))
    if error < 1e-12:
        return None
    difference = int(differences.sum()) / n
    half = t_quantile(templates - 1) * error
    return max(-1.0, difference - half), min(1.0, difference + half)
