"""Two models on the same templates: is the difference more than chance, and what could these templates show at all?"""

import gc
from collections.abc import Hashable, Mapping
from typing import TypeVar

import numpy as np

from core.statistics.intervals import Flags, Floats, Places
from core.text import _

LEVEL = 0.05
FEWEST = 5
NO_DIFFERENCE = _("the models do not differ on any template")
TOO_FEW = _("too few templates to tell: fewer than %(fewest)s differ", fewest=FEWEST)


def template_differences(right: Flags, other_right: Flags, clusters: Places) -> Places:
    """By template: cases that only the first model gets right, minus cases that only the second gets right."""
    of_case = np.unique(clusters, return_inverse=True)[1]
    ahead = right.astype(np.int64) - other_right.astype(np.int64)
    return np.bincount(of_case, weights=ahead).astype(np.int64)


def template_sizes(clusters: Places) -> Places:
    """Return cases by template, in the order of `template_differences`."""
    return np.unique(clusters, return_counts=True)[1]


def sign_flip_p(differences: Places) -> float | None:
    """Return the two-sided p value of the sum of template differences when each one's sign is left to a coin.

    None below five templates that differ. Whole numbers add up to few different sums, so the distribution over all
    2^templates signs is computed exactly, template by template, whatever their number: nothing is drawn.
    """
    steps = np.abs(differences[differences != 0])
    if len(steps) < FEWEST:
        return None
    observed = abs(int(differences.sum()))
    if not observed:
        return 1.0
    return min(1.0, 2 * float(chances_of_sums(steps)[int(steps.sum()) + observed :].sum()))


def chances_of_sums(steps: Places, *, forward: float = 0.5) -> Floats:
    """The chance of each sum, from minus to plus the sum of the steps, when each step goes forward with a chance."""
    reach = int(steps.sum())
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    low, high = reach, reach + 1
    for step in np.sort(steps).tolist():
        so_far = chances[low:high].copy()
        chances[low:high] = 0.0
        chances[low - step : high - step] += (1 - forward) * so_far
        chances[low + step : high + step] += forward * so_far
        low, high = low - step, high + step
    return chances


def why_no_p(differences: Places) -> str:
    """Return the reason why there is no p value; empty where there is one."""
    informative = int(np.count_nonzero(differences))
    if informative >= FEWEST:
        return ""
    return TOO_FEW if informative else NO_DIFFERENCE


POWER = 0.8
HALVINGS = 14  # to a sixteen-thousandth of the largest difference there could be


def smallest_detectable_difference(
    differences: Places, cases: int, *, level: float = LEVEL, power: float = POWER
) -> float | None:
    """Return the smallest difference in accuracy that the sign-flip test finds with the given power.

    `differences` are those of the templates: they tell on how many templates two such models differ, and by how many
    cases. Each of these goes to the better model with the same chance, and the power is exact. None where even the
    difference that goes to one model on every template would be missed: too few templates differ to tell.
    """
    steps = np.abs(differences[differences != 0])
    if not len(steps):
        return None
    tails = 2 * np.cumsum(chances_of_sums(steps)[::-1])[::-1]
    significant = int(np.argmax(tails < level))  # the smallest sum that is called a finding
    if tails[significant] >= level:
        return None
    low, high = 0.5, 1.0
    for _step in range(HALVINGS):
        middle = (low + high) / 2
        is_found = chances_of_sums(steps, forward=middle)[significant:].sum() >= power
        low, high = (low, middle) if is_found else (middle, high)
    return (2 * high - 1) * float(steps.sum()) / cases


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Return McNemar's two-sided exact p value from the cases that only one of the two models gets right.

    1.0 when there is no such case: nothing speaks for a difference. It takes cases for independent, which those of a
    template are not: papers print it, so comparisons give it for the record, but no verdict rests on it.
    """
    if only_first < 0 or only_second < 0:
        raise ValueError("numbers of cases are never below 0")
    from statsmodels.stats.contingency_tables import mcnemar

    return float(mcnemar([[0, only_first], [only_second, 0]], exact=True).pvalue)


Key = TypeVar("Key", bound=Hashable)


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """p values adjusted so that the chance of even one false alarm stays below the chosen level."""
    if not p_values:
        return {}
    from statsmodels.stats.multitest import multipletests

    # statsmodels collects garbage in every call, 0.1 s in a process of this size; frozen objects are skipped. What is
    # frozen already stays so: a worker that was forked shares it with its parent.
    is_ours = not gc.get_freeze_count()
    if is_ours:
        gc.freeze()
    try:
        adjusted = multipletests(list(p_values.values()), method="holm")[1]
    finally:
        if is_ours:
            gc.unfreeze()
    return dict(zip(p_values, map(float, adjusted), strict=True))
