"""95% intervals by resampling templates, because cases of one template are not independent of each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from annotation.agreement.krippendorff_alpha import Level
from annotation.agreement.measured import Interval, as_counts

Floats = npt.NDArray[np.float64]

DRAWS = 2000
CELLS_AT_ONCE = 4_000_000
MOST_UNDEFINED = 0.05

TOO_FEW = "an interval needs at least two templates"
OFTEN_UNDEFINED = "the value is undefined in more than 5% of the resamples"


def fleiss_interval(table: npt.ArrayLike, templates: Sequence[Hashable], *, seed: int, draws: int = DRAWS) -> Interval:
    """95% bootstrap interval of Fleiss' kappa over templates; unequal numbers of raters are allowed.

    `templates` names the template of each case; a case written on its own is a template of its own (give it its key).
    """
    counts = as_counts(table)
    raters = counts.sum(axis=1)
    divisor = np.maximum(raters, 1)[:, None]
    paired = raters >= 2
    agreeing = (counts * (counts - 1)).sum(axis=1) / np.where(paired, raters * (raters - 1), 1)
    facts = np.column_stack([paired, np.where(paired, agreeing, 0.0), raters > 0, counts / divisor])

    def kappa(sums: Floats) -> Floats:
        observed = sums[:, 1] / sums[:, 0]
        shares = sums[:, 3:] / sums[:, 2:3]
        expected = (shares * shares).sum(axis=1)
        return _never_one((observed - expected), 1 - expected)

    return bootstrap(facts, templates, kappa, seed=seed, draws=draws)


def alpha_interval(
    table: npt.ArrayLike,
    templates: Sequence[Hashable],
    *,
    seed: int,
    level: Level = "nominal",
    values: Sequence[float] | None = None,
    draws: int = DRAWS,
) -> Interval:
    """95% bootstrap interval of Krippendorff's alpha over templates."""
    counts = as_counts(table).astype(float)
    labels = counts.shape[1]
    domain = np.arange(labels, dtype=float) if values is None else np.asarray(values, dtype=float)
    raters = counts.sum(axis=1)
    counts[raters < 2] = 0
    pairs = counts[:, :, None] * counts[:, None, :] - counts[:, :, None] * np.eye(labels)
    coincidences = pairs / np.maximum(raters - 1, 1)[:, None, None]

    def alpha(sums: Floats) -> Floats:
        together = sums.reshape(-1, labels, labels)
        per_label = together.sum(axis=2)
        distance = _distances(per_label, domain, level)
        total = per_label.sum(axis=1)
        by_chance = per_label[:, :, None] * per_label[:, None, :] - per_label[:, :, None] * np.eye(labels)
        observed = (together * distance).sum(axis=(1, 2))
        expected = (by_chance * distance).sum(axis=(1, 2)) / (total - 1)
        return 1 - _never_one(observed, expected)

    return bootstrap(coincidences.reshape(len(counts), labels * labels), templates, alpha, seed=seed, draws=draws)


def share_interval(holds: Sequence[bool], templates: Sequence[Hashable], *, seed: int, draws: int = DRAWS) -> Interval:
    """95% bootstrap interval over templates of a share, such as unanimity or agreement with gold."""
    facts = np.column_stack([np.ones(len(holds)), np.asarray(holds, dtype=float)])
    return bootstrap(facts, templates, lambda sums: sums[:, 1] / sums[:, 0], seed=seed, draws=draws)


def bootstrap(
    facts: npt.NDArray[np.generic],
    clusters: Sequence[Hashable],
    statistic: Callable[[Floats], Floats],
    *,
    seed: int,
    draws: int = DRAWS,
) -> Interval:
    """95% percentile interval of any statistic that is a function of column sums over cases.

    `facts` has one row per case; whole clusters are drawn with replacement and `statistic` gets one row of column sums
    per draw, all draws at once. Undefined draws (NaN) are left out; more than 5% of them leave no interval.
    """
    if len(facts) != len(clusters):
        raise ValueError("every case needs its template: facts and clusters differ in length")
    numbers: dict[Hashable, int] = {}
    of_case = np.fromiter((numbers.setdefault(cluster, len(numbers)) for cluster in clusters), np.int64, len(clusters))
    if len(numbers) < 2:
        return Interval.undefined(TOO_FEW)
    sums = np.zeros((len(numbers), facts.shape[1]))
    np.add.at(sums, of_case, facts.astype(float))
    with np.errstate(divide="ignore", invalid="ignore"):
        drawn = np.concatenate([statistic(weights @ sums) for weights in _resamples(len(numbers), draws, seed)])
    defined = drawn[np.isfinite(drawn)]
    if len(defined) < (1 - MOST_UNDEFINED) * draws:
        return Interval.undefined(OFTEN_UNDEFINED)
    low, high = np.quantile(defined, [0.025, 0.975])
    return Interval((float(low), float(high)))


def _resamples(clusters: int, draws: int, seed: int) -> Iterator[Floats]:
    """How often each cluster is drawn: blocks of rows, so that memory stays small with many clusters."""
    generator = np.random.default_rng(seed)
    block = max(1, CELLS_AT_ONCE // clusters)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        picks = generator.integers(clusters, size=(rows, clusters)) + np.arange(rows)[:, None] * clusters
        yield np.bincount(picks.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(float)


def _distances(per_label: Floats, domain: Floats, level: Level) -> Floats:
    if level == "nominal":
        return np.broadcast_to(1 - np.eye(len(domain)), (len(per_label), len(domain), len(domain)))
    if level == "interval":
        return np.broadcast_to((domain[:, None] - domain[None, :]) ** 2, (len(per_label), len(domain), len(domain)))
    # The ordinal distance counts the labels from the middle of one rank to the middle of the other.
    middle = np.cumsum(per_label, axis=1) - per_label / 2
    distances: Floats = (middle[:, :, None] - middle[:, None, :]) ** 2
    return distances


def _never_one(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with NaN where the denominator is nothing but rounding noise."""
    return np.where(denominator > 1e-12, numerator / np.where(denominator > 1e-12, denominator, 1.0), np.nan)
