"""McNemar's exact test for two models on the same cases, and the smallest difference it could find."""

from __future__ import annotations

from math import exp, fsum, lgamma, log, sqrt
from statistics import NormalDist

LEVEL = 0.05
POWER = 0.8


def mcnemar_exact(only_first: int, only_second: int) -> float:
    """Two-sided exact p value from the cases that only one of the two models gets right.

    1.0 when there is no such case: nothing speaks for a difference.
    """
    if only_first < 0 or only_second < 0:
        raise ValueError("numbers of cases are never below 0")
    different = only_first + only_second
    fewer = min(only_first, only_second)
    if 2 * fewer == different:
        return 1.0
    tail = fsum(exp(_log_choose(different, number) - different * log(2)) for number in range(fewer + 1))
    return min(1.0, 2 * tail)


def smallest_detectable_difference(
    cases: int, different_share: float, *, level: float = LEVEL, power: float = POWER
) -> float | None:
    """Smallest difference in accuracy that McNemar's test finds with the given power (Miettinen 1968, Connor 1987).

    `different_share` is the share of cases on which the two models differ in being right. None when even a difference
    as large as that share would be missed: then the suite is too small to tell two such models apart.
    """
    if not 0 <= different_share <= 1:
        raise ValueError("different_share is a share between 0 and 1")
    if cases < 1 or different_share == 0:
        return None
    z_level, z_power = NormalDist().inv_cdf(1 - level / 2), NormalDist().inv_cdf(power)

    def is_found(difference: float) -> bool:
        spread = z_level * sqrt(different_share) + z_power * sqrt(max(0.0, different_share - difference**2))
        return difference * sqrt(cases) >= spread

    if not is_found(different_share):
        return None
    low, high = 0.0, different_share
    while high - low > 1e-9:
        middle = (low + high) / 2
        low, high = (low, middle) if is_found(middle) else (middle, high)
    return high


def _log_choose(total: int, chosen: int) -> float:
    return lgamma(total + 1) - lgamma(chosen + 1) - lgamma(total - chosen + 1)
