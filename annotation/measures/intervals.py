"""95% intervals by resampling templates, because cases of one template are not independent of each other."""

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from annotation.measures.coefficients import Counts, as_counts
from core.statistics.intervals import Bounds, Floats, Places, bootstrap

Statistic = Callable[[Floats], Floats]

DRAWS = 2000


class AgreementIntervals(NamedTuple):
    """The intervals of all measures of a table, all from the same resamples; None where there is none."""

    kappa: Bounds | None = None
    pairwise: Bounds | None = None
    unanimity: Bounds | None = None
    alpha: Bounds | None = None


def agreement_intervals(
    table: npt.ArrayLike, templates: Sequence[Hashable], *, seed: int, draws: int = DRAWS
) -> AgreementIntervals:
    """95% bootstrap intervals over templates of kappa, equal pairs, unanimous cases and alpha.

    Unequal numbers of raters are allowed. `templates` names the template of each case; a case written on its own is a
    template of its own (give it its key).
    """
    shares, statistics = _shares(as_counts(table))
    coincidences, alpha = _coincidences(as_counts(table))
    first = shares.shape[1]

    def measures(sums: Floats) -> Floats:
        return np.column_stack([*(one(sums[:, :first]) for one in statistics), alpha(sums[:, first:])])

    facts = np.column_stack([shares, coincidences])
    return AgreementIntervals(*bootstrap(facts, _numbered(templates), measures, seed=seed, draws=draws))


def fleiss_interval(
    table: npt.ArrayLike,
    templates: Sequence[Hashable],
    *,
    seed: int,
    cases_per_row: npt.ArrayLike | None = None,
    draws: int = DRAWS,
) -> Bounds | None:
    """95% bootstrap interval of Fleiss' kappa over templates. `cases_per_row`: how many cases share a row."""
    facts, (kappa, *_) = _shares(as_counts(table))
    if cases_per_row is not None:
        facts = facts * np.asarray(cases_per_row)[:, None]
    return bootstrap(facts, _numbered(templates), lambda sums: kappa(sums)[:, None], seed=seed, draws=draws)[0]


def _numbered(templates: Sequence[Hashable]) -> Places:
    """Numbers for templates in the order of their first cases."""
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(one, len(numbers)) for one in templates), np.int64, len(templates))


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


def _coincidences(counts: Counts) -> tuple[Floats, Statistic]:
    """Which labels meet on each case, and how sums of that become alpha."""
    labels = counts.shape[1]
    differ = 1 - np.eye(labels)
    raters = counts.sum(axis=1)
    votes = np.where(raters[:, None] < 2, 0.0, counts)
    pairs = votes[:, :, None] * votes[:, None, :] - votes[:, :, None] * np.eye(labels)
    together_on_case = pairs / np.maximum(raters - 1, 1)[:, None, None]

    def alpha(sums: Floats) -> Floats:
        together = sums.reshape(-1, labels, labels)
        per_label = together.sum(axis=2)
        total = per_label.sum(axis=1)
        by_chance = per_label[:, :, None] * per_label[:, None, :] - per_label[:, :, None] * np.eye(labels)
        observed = (together * differ).sum(axis=(1, 2))
        expected = (by_chance * differ).sum(axis=(1, 2)) / (total - 1)
        return 1 - _never_one(observed, expected)

    return together_on_case.reshape(len(counts), labels * labels), alpha


def _never_one(numerator: Floats, denominator: Floats) -> Floats:
    """Divide, with NaN where the denominator is nothing but rounding noise."""
    return np.where(denominator > 1e-12, numerator / np.where(denominator > 1e-12, denominator, 1.0), np.nan)
