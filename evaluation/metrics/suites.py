"""One model on two suites or two releases: where does it do worse, where better, where the same?"""

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Literal

from core.statistics.intervals import Bounds, newcombe, wilson
from core.statistics.significance import FEWEST
from evaluation.metrics.reasons import FEW_TEMPLATES

Verdict = Literal["lower", "higher", "tie"]

TIE_POINTS = 3


def compare_suites(
    first: Mapping[str, Mapping[str, Any]], second: Mapping[str, Mapping[str, Any]], *, tie_points: int = TIE_POINTS
) -> dict[str, Any]:
    """Compare the slices of two suites key by key, such as the `by_functionality` of two reports.

    The verdict is about the second suite: `lower`, `higher`, or `tie` when accuracies differ by at most `tie_points`
    percentage points, reckoned on exact fractions. Differences are second minus first, with Newcombe's interval for
    independent samples, made from the intervals of the slices, which count templates; `may_be_chance` where it holds
    zero, and `reason` where one side has too few templates to tell. Keys that only one suite has are listed, not
    compared.
    """
    by_key = {
        key: _compare(first[key], second[key], tie_points=tie_points)
        for key in first
        if key in second and first[key]["n"] and second[key]["n"]
    }
    verdicts = Counter(found["verdict"] for found in by_key.values())
    return {
        "by_key": by_key,
        "lower": verdicts["lower"],
        "higher": verdicts["higher"],
        "tie": verdicts["tie"],
        "only_first": [key for key in first if key not in by_key],
        "only_second": [key for key in second if key not in by_key],
    }


def verdict_of(before: Fraction, after: Fraction, *, tie_points: int = TIE_POINTS) -> Verdict:
    """Return whether `after` is lower or higher than `before` by more than the given number of percentage points."""
    points = 100 * (after - before)
    if abs(points) <= tie_points:
        return "tie"
    return "lower" if points < 0 else "higher"


def _compare(one: Mapping[str, Any], other: Mapping[str, Any], *, tie_points: int) -> dict[str, Any]:
    before, after = Fraction(one["correct"], one["n"]), Fraction(other["correct"], other["n"])
    bounds, other_bounds = _interval(one), _interval(other)
    low, high = newcombe(float(after), other_bounds, float(before), bounds)
    return {
        "first": float(before),
        "second": float(after),
        "first_ci95": list(bounds),
        "second_ci95": list(other_bounds),
        "difference": float(after - before),
        "difference_ci95": [low, high],
        "may_be_chance": low <= 0 <= high,
        "reason": "" if min(_templates(one), _templates(other)) >= FEWEST else FEW_TEMPLATES,
        "first_n": one["n"],
        "second_n": other["n"],
        "first_templates": one.get("templates"),
        "second_templates": other.get("templates"),
        "verdict": verdict_of(before, after, tie_points=tie_points),
    }


def _templates(found: Mapping[str, Any]) -> int:
    """Return the templates of a slice; its cases where they were not counted."""
    return int(found.get("templates") or found["n"])


def _interval(found: Mapping[str, Any]) -> Bounds:
    """Return the interval of a slice; Wilson's where it has none, as slices of independent cases."""
    low, high = found.get("ci95") or wilson(found["correct"], found["n"]) or (0.0, 1.0)
    return float(low), float(high)
