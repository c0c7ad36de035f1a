"""95% intervals: Wilson for a share of independent cases, bootstrap over templates for F1.

Shares of cases that come in templates are in `core.statistics.shares`.
"""

from collections.abc import Callable, Iterator
from math import sqrt
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


Bounds = tuple[float, float]

Z95 = NormalDist().inv_cdf(0.975)
DRAWS = 1000
MOST_UNDEFINED = 0.05


def wilson(correct: float, cases: float) -> Bounds | None:
    """Wilson's 95% score interval of a share; None for no case. It never leaves 0 to 1 and is right for few cases too.

    It holds for independent cases; numbers of cases may be fractions, because effective numbers are.
    """
    if not 0 <= correct <= cases:
        raise ValueError(f"{correct} right answers of {cases} cases cannot be")
    if not cases:
        return None
    from statsmodels.stats.proportion import proportion_confint

    low, high = proportion_confint(correct, cases, alpha=0.05, method="wilson")
    return (0.0 if correct == 0 else float(low)), (1.0 if correct == cases else float(high))


def listed(bounds: Bounds | None) -> list[float] | None:
    """Return an interval as reports keep it."""
    return None if bounds is None else list(bounds)


def newcombe(share: float, bounds: Bounds, other_share: float, other_bounds: Bounds) -> Bounds:
    """Return the 95% interval of the difference of two independent shares, first minus second, from their intervals.

    Newcombe (1998), method 10, where these are Wilson's.
    """
    down = sqrt((share - bounds[0]) ** 2 + (other_bounds[1] - other_share) ** 2)
    up = sqrt((bounds[1] - share) ** 2 + (other_share - other_bounds[0]) ** 2)
    return share - other_share - down, share - other_share + up


def bootstrap(
    facts: Floats, clusters: Places, statistics: Callable[[Floats], Floats], *, seed: int, draws: int = DRAWS
) -> list[Bounds | None]:
    """Return the 95% percentile intervals of statistics that are functions of column sums over cases.

    Whole clusters (templates) are drawn with replacement; `statistics` gets one row of sums per draw and gives one
    column per statistic, all draws at once. None with fewer than two clusters, no draws, or where a statistic is
    undefined (NaN) in more than 5% of the draws.
    """
    used, of_row = np.unique(clusters, return_inverse=True)
    with np.errstate(invalid="ignore", divide="ignore"):
        width = statistics(np.zeros((1, facts.shape[1]))).shape[1]
        if len(used) < 2 or draws < 1:
            return [None] * width
        sums = np.stack([np.bincount(of_row, weights=column, minlength=len(used)) for column in facts.T], axis=1)
        drawn = np.concatenate(
            [statistics(weights @ sums) for weights in draw_clusters(len(used), draws=draws, seed=seed)]
        )
    return [_percentiles(column) for column in drawn.T]


def _percentiles(drawn: Floats) -> Bounds | None:
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < (1 - MOST_UNDEFINED) * len(drawn):
        return None
    low, high = np.quantile(defined, [0.025, 0.975])
    return float(low), float(high)


CELLS_AT_ONCE = 4_000_000


def draw_clusters(clusters: int, *, draws: int, seed: int) -> Iterator[npt.NDArray[np.float64]]:
    """How often each cluster is drawn, one row per draw; in blocks, so that memory stays small with many clusters."""
    generator = np.random.default_rng(seed)
    block = max(1, CELLS_AT_ONCE // clusters)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        picks = generator.integers(clusters, size=(rows, clusters)) + np.arange(rows)[:, None] * clusters
        yield np.bincount(picks.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(float)
