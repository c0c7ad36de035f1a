"""Shares with their uncertainty: correct-prediction rates, Wilson intervals, the chi-squared test of two shares."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Z95 = 1.959963984540054


@dataclass(frozen=True, slots=True)
class Rate:
    """`correct` of `n`. Share and interval are None when nothing was measured."""

    correct: int
    n: int

    @property
    def share(self) -> float | None:
        return self.correct / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % Wilson interval, which stays within 0 and 1 even for few posts."""
        if not self.n:
            return None
        share, z2 = self.correct / self.n, Z95 * Z95
        centre = (share + z2 / (2 * self.n)) / (1 + z2 / self.n)
        half = Z95 / (1 + z2 / self.n) * math.sqrt(share * (1 - share) / self.n + z2 / (4 * self.n * self.n))
        return max(0.0, centre - half), min(1.0, centre + half)


def rate_of(expected: Sequence[bool], predicted: Sequence[bool]) -> Rate:
    """How many answers are right. Refuses unequal numbers of answers and posts."""
    if len(expected) != len(predicted):
        raise ValueError(f"{len(predicted)} answers for {len(expected)} posts")
    return Rate(sum(a == b for a, b in zip(expected, predicted, strict=True)), len(expected))


def chi_squared_p(first: Rate, second: Rate) -> float | None:
    """The p-value of the 2 x 2 chi-squared test (one degree of freedom, no correction) that two shares differ.

    None when it is undefined: nothing measured on one side. Shares that are both 0 or both 1 give 1.0.
    """
    if not first.n or not second.n:
        return None
    total, right = first.n + second.n, first.correct + second.correct
    if right in (0, total):
        return 1.0
    cross = first.correct * (second.n - second.correct) - second.correct * (first.n - first.correct)
    statistic = total * cross * cross / (first.n * second.n * right * (total - right))
    return math.erfc(math.sqrt(statistic / 2))
