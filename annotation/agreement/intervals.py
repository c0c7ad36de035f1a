"""95% intervals by resampling templates, because cases of one template are not independent of each other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotation.agreement.krippendorff_alpha import Level
from annotation.agreement.measured import Counts, Interval, as_counts
from curation.resampling import draw_clusters

Floats = npt.NDArray[np.float64]
Statistic = Callable[[Floats], Floats]

DRAWS = 2000
MOST_UNDEFINED = 0.05

TOO_FEW = "an interval needs at least two templates"
OFTEN_UNDEFINED = "the value is undefined in more than 5% of the resamples"


class AgreementIntervals(NamedTuple):
    """The intervals of all measures of a table, all from the same resamples."""

    kappa: Interval
    pairwise: Interval
    unanimity: Interval
    alpha: Interval


def agreement_intervals(
    table: npt.ArrayLike, templates: Sequence[Hashable], *, seed: int, level: Level = "nominal", draws: int = DRAWS
) -> AgreementIntervals:
    """95% bootstrap intervals over templates of kappa, equal pairs, unanimous cases and alpha.

    Unequal numbers of raters are allowed. `templates` names the template of each case; a case written on its own is a
    template of its own (give it its key).
    """
    shares, statistics = _shares(as_counts(table))
    coincidences, alpha = _coincidences(as_counts(table), level, None)
    first = shares.shape[1]
    each = [*((lambda sums, one=one: one(sums[:, :first])) for one in statistics), lambda sums: alpha(sums[:, first:])]
    return AgreementIntervals(
        *bootstrap_each(np.column_stack([shares, coincidences]), templates, each, seed=seed, draws=draws)
    )


def fleiss_interval(
    table: npt.ArrayLike,
    templates: Sequence[Hashable],
    *,
    seed: int,
    cases_per_row: npt.ArrayLike | None = None,
    draws: int = DRAWS,
) -> Interval:
    """95% bootstrap interval of Fleiss' kappa over templates. `cases_per_row`: how many cases share a row."""
    facts, statistics = _shares(as_counts(table))
    if cases_per_row is not None:
        facts = facts * np.asarray(cases_per_row)[:, None]
    return bootstrap(facts, templates, statistics[0], seed=seed, draws=draws)


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
    facts, alpha = _coincidences(as_counts(table), level, values)
    return bootstrap(facts, templates, alpha, seed=seed, draws=draws)


def _shares(counts: Counts) -> tuple[Floats, list[Statistic]]:
    """What kappa, equal pairs and unanimous cases need of each case, and how sums of it become these measures."""
    raters = counts.sum(axis=1)
    divisor = np.maximum(raters, 1)[:, None]
    paired = raters >= 2
    agreeing = (counts * (counts - 1)).sum(axis=1) / np.where(paired, raters * (raters - 1), 1)
    unanimous = paired & (counts.max(axis=1, initial=0) == raters)
    facts = np.column_stack([paired, np.where(paired, agreeing, 0.0), unanimous, raters > 0, counts / divisor])

    def kappa(sums: Floats) -> Floats:
        observed = sums[:, 1] / sums[:, 0]
        shares = sums[:, 4:] / sums[:, 3:4]
        expected = (shares * shares).sum(axis=1)
        return _never_one((observed - expected), 1 - expected)

    return facts, [kappa, lambda sums: sums[:, 1] / sums[:, 0], lambda sums: sums[:, 2] / sums[:, 0]]


def _coincidences(counts: Counts, level: Level, values: Sequence[float] | None) -> tuple[Floats, Statistic]:
    """Which labels meet on each case, and how sums of that become alpha."""
    labels = counts.shape[1]
    domain = np.arange(labels, dtype=float) if values is None else np.asarray(values, dtype=float)
    raters = counts.sum(axis=1)
    votes = np.where(raters[:, None] < 2, 0.0, counts)
    pairs = votes[:, :, None] * votes[:, None, :] - votes[:, :, None] * np.eye(labels)
    together_on_case = pairs / np.maximum(raters - 1, 1)[:, None, None]

    def alpha(sums: Floats) -> Floats:
        together = sums.reshape(-1, labels, labels)
        per_label = together.sum(axis=2)
        distance = _distances(per_label, domain, level)
        total = per_label.sum(axis=1)
        by_chance = per_label[:, :, None] * per_label[:, None, :] - per_label[:, :, None] * np.eye(labels)
        observed = (together * distance).sum(axis=(1, 2))
        expected = (by_chance * distance).sum(axis=(1, 2)) / (total - 1)
        return 1 - _never_one(observed, expected)

    return together_on_case.reshape(len(counts), labels * labels), alpha


def share_interval(holds: Sequence[bool], templates: Sequence[Hashable], *, seed: int, draws: int = DRAWS) -> Interval:
    """95% bootstrap interval over templates of a share, such as unanimity or agreement with gold."""
    facts = np.column_stack([np.ones(len(holds)), np.asarray(holds, dtype=float)])
    return bootstrap(facts, templates, lambda sums: sums[:, 1] / sums[:, 0], seed=seed, draws=draws)


def bootstrap(
    facts: npt.NDArray[np.generic],
    clusters: Sequence[Hashable],
    statistic: Statistic,
    *,
    seed: int,
    draws: int = DRAWS,
) -> Interval:
    """95% percentile interval of any statistic that is a function of column sums over cases."""
    return bootstrap_each(facts, clusters, [statistic], seed=seed, draws=draws)[0]


def bootstrap_each(
    facts: npt.NDArray[np.generic],
    clusters: Sequence[Hashable],
    statistics: Sequence[Statistic],
    *,
    seed: int,
    draws: int = DRAWS,
) -> list[Interval]:
    """The same for several statistics, from the same resamples.

    `facts` has one row per case; whole clusters are drawn with replacement and a statistic gets one row of column sums
    per draw, all draws at once. Undefined draws (NaN) are left out; more than 5% of them leave no interval.
    """
    if len(facts) != len(clusters):
        raise ValueError("every case needs its template: facts and clusters differ in length")
    numbers: dict[Hashable, int] = {}
    of_case = np.fromiter((numbers.setdefault(cluster, len(numbers)) for cluster in clusters), np.int64, len(clusters))
    if len(numbers) < 2:
        return [Interval.undefined(TOO_FEW) for _ in statistics]
    sums = np.zeros((len(numbers), facts.shape[1]))
    np.add.at(sums, of_case, facts.astype(float))
    drawn = np.concatenate([weights @ sums for weights in draw_clusters(len(numbers), draws=draws, seed=seed)])
    with np.errstate(divide="ignore", invalid="ignore"):
        return [_middle_95(statistic(drawn), draws) for statistic in statistics]


def _middle_95(values: Floats, draws: int) -> Interval:
    defined = values[np.isfinite(values)]
    if len(defined) < (1 - MOST_UNDEFINED) * draws:
        return Interval.undefined(OFTEN_UNDEFINED)
    low, high = np.quantile(defined, [0.025, 0.975])
    return Interval((float(low), float(high)))


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
