"""Shares with their uncertainty: rates, intervals of a share and of a difference of shares, the chi-squared test."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.metrics.intervals import wilson


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
        return wilson(self.correct, self.n)


def rate_of(expected: Sequence[bool], predicted: Sequence[bool]) -> Rate:
    """How many answers are right. Refuses unequal numbers of answers and posts."""
    if len(expected) != len(predicted):
        raise ValueError(f"{len(predicted)} answers for {len(expected)} posts")
    return Rate(sum(a == b for a, b in zip(expected, predicted, strict=True)), len(expected))


def difference_interval(first: Rate, second: Rate) -> tuple[float, float] | None:
    """The 95 % interval of the first share minus the second, by Newcombe's method (from the two Wilson intervals).

    None when it is undefined: nothing measured on one side.
    """
    a, b = first.share, second.share
    if a is None or b is None or first.interval is None or second.interval is None:
        return None
    (low_a, high_a), (low_b, high_b) = first.interval, second.interval
    return a - b - math.hypot(a - low_a, high_b - b), a - b + math.hypot(high_a - a, b - low_b)


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
