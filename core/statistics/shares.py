"""Shares of cases that come in templates, and differences of such shares, with 95% intervals that count templates.

Wilson's interval on the effective number of cases. A percentile bootstrap over templates covers too little below about
50 templates, and a functionality has 2 to 30 (`python -m benchmarks.template_statistics`).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

import numpy as np

from core.statistics.intervals import Z95, Bounds, Flags, Floats, Places, listed, wilson

ADDED = 0.25  # of a template that has the rarer answer throughout; see `_design_effect`


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

    The number of cases over the design effect, times (normal over t quantile) squared, because the variance of few
    templates is itself uncertain. Where all cases are right, or all are wrong, each template counts as one case; so
    does a single template. Where every template has one case, cases are independent.
    """
    templates, n, correct = len(cases), float(cases.sum()), float(right.sum())
    if templates < 2 or correct in (0.0, n):
        return float(templates)
    if n == templates:
        return n
    order = np.lexsort((right, cases))  # so that the order of cases changes no digit
    right, cases = right[order], cases[order]
    return n / _design_effect(right, cases) * (Z95 / t_quantile(_freedom(cases))) ** 2


def _design_effect(right: Floats, cases: Floats) -> float:
    """Variance of the share as the templates show it, over the variance that independent cases would have; at least 1.

    The templates show it in three ways, of which the largest is taken: by their own shares, by the ratio of sums (for
    equally large templates both are the same; otherwise either alone is too small where few large templates carry the
    share), and with a quarter of one more template that has the rarer answer throughout. The last one is for rare
    answers: 1 wrong case of 140 looks like independent cases only because no wholly wrong template was drawn, and
    without it the coverage of such shares falls to 89%.
    """
    templates, n, correct = len(cases), float(cases.sum()), float(right.sum())
    share = correct / n
    shown = max(float(np.var(right / cases, ddof=1)) / templates, ratio_variance(right, cases))
    size = n / templates
    added = (0.0 if share >= 0.5 else ADDED) * size
    wider_n, wider_share = n + ADDED * size, (correct + added) / (n + ADDED * size)
    squares = float(np.sum((right - wider_share * cases) ** 2))
    squares += ADDED * (size * (wider_share if share >= 0.5 else 1 - wider_share)) ** 2
    wider = (templates + ADDED) / (templates + ADDED - 1) * squares / wider_n**2
    return max(1.0, shown / (share * (1 - share) / n), wider / (wider_share * (1 - wider_share) / wider_n))


def _freedom(cases: Floats) -> float:
    """Degrees of freedom: templates minus 1; fewer where sizes differ, because the large ones carry the variance.

    Halfway to the number of equally large templates with the same sum of squares (Kish).
    """
    alike = float(cases.sum()) ** 2 / float(cases @ cases)
    return max(1.0, (len(cases) + alike) / 2 - 1)


def ratio_variance(sums: Floats, cases: Floats) -> float:
    """Variance of the ratio of two sums over templates, from leaving out each of them in turn (jackknife).

    Needs two templates. A template that holds most of the cases pulls the ratio to its own, which hides how far it is
    from the others; left out, it does not.
    """
    templates, n = len(cases), float(cases.sum())
    moved = (sums - sums.sum() / n * cases) / (n - cases)
    return (templates - 1) / templates * float(moved @ moved)


@lru_cache(maxsize=4096)
def t_quantile(freedom: float, *, chance: float = 0.975) -> float:
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
