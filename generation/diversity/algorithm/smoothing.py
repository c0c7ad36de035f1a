"""The smoothing methods of NLTK's sentence BLEU (Chen and Cherry 2014), on plain numbers."""

import math
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Matches:
    """What the n-grams of one text share with its references; position 0 is unigrams, the last may be five-grams."""

    matched: Sequence[int]
    total: Sequence[int]  # never below 1, as in NLTK
    length: int
    order: int

    def precision(self, position: int) -> float:
        return self.matched[position] / self.total[position]


def _none(matches: Matches) -> list[float]:
    return [matches.precision(i) or sys.float_info.min for i in range(matches.order)]


def _epsilon(matches: Matches) -> list[float]:
    return [matches.precision(i) or 0.1 / matches.total[i] for i in range(matches.order)]


def _add_one(matches: Matches) -> list[float]:
    rest = [(matches.matched[i] + 1) / (matches.total[i] + 1) for i in range(1, matches.order)]
    return [matches.precision(0), *rest]


def _halving(matches: Matches) -> list[float]:
    return _halve(matches, numerator=lambda step: 1 / 2**step)


def _halving_by_length(matches: Matches) -> list[float]:
    if matches.length <= 1:
        return [matches.precision(i) for i in range(matches.order)]
    return _halve(matches, numerator=lambda step: 1 / (2**step * 5 / math.log(matches.length)))


def _halve(matches: Matches, *, numerator: Callable[[int], float]) -> list[float]:
    smoothed, step = [], 1
    for i in range(matches.order):
        if matches.matched[i]:
            smoothed.append(matches.precision(i))
        else:
            smoothed.append(numerator(step) / matches.total[i])
            step += 1
    return smoothed


def _average(matches: Matches) -> list[float]:
    return _average_of([matches.precision(i) for i in range(matches.order)], beyond=matches.precision(-1))


def _average_of(precisions: list[float], *, beyond: float) -> list[float]:
    following = [*precisions[1:], beyond]
    smoothed, before = [], precisions[0] + 1
    for own, after in zip(precisions, following, strict=True):
        before = (before + own + after) / 3
        smoothed.append(before)
    return smoothed


def _interpolate(matches: Matches) -> list[float]:
    precisions = [matches.precision(i) for i in range(matches.order)]
    if matches.order < 3 or not precisions[2]:
        raise ValueError("method6 needs a shared trigram in every text, as in NLTK: choose another smoothing method")
    for i in range(2, matches.order):
        before, earlier = precisions[i - 1], precisions[i - 2]
        prior = before**2 / earlier if earlier else 0.0
        count = max(0, matches.length - i)
        precisions[i] = (matches.matched[i] + 5 * prior) / (count + 5)
    return precisions


def _halve_and_average(matches: Matches) -> list[float]:
    return _average_of(_halving_by_length(matches), beyond=matches.precision(-1))


SMOOTHING: dict[str, Callable[[Matches], list[float]]] = {
    "method0": _none,
    "method1": _epsilon,
    "method2": _add_one,
    "method3": _halving,
    "method4": _halving_by_length,
    "method5": _average,
    "method6": _interpolate,
    "method7": _halve_and_average,
}

# NLTK takes the five-gram precision as "one order more", whatever the order asked for.
LOOKS_AT_FIVE_GRAMS = frozenset({"method5", "method7"})
