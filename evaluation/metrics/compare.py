"""Comparison of models: which differences are real, which are too small for the suite to see."""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.metrics.accuracy import accuracy
from evaluation.metrics.columns import Columns, Flags
from evaluation.metrics.confusion import confusion_counts
from evaluation.metrics.f1 import f1_of
from evaluation.metrics.holm import holm
from evaluation.metrics.intervals import DRAWS
from evaluation.metrics.mcnemar import LEVEL, mcnemar_exact, smallest_detectable_difference
from evaluation.metrics.paired import common_rows, paired_intervals


def compare_models(first: Columns, second: Columns, *, seed: int, draws: int = DRAWS) -> dict[str, Any]:
    """Compare two models on the cases both answered: overall, and by functionality with Holm's correction.

    Differences are first minus second. `smallest_detectable` is the difference in accuracy that the suite would find
    with 80% power, given how often these two models differ; None when it is too small to find any.
    """
    left_out = len(set(first.cases) ^ set(second.cases)) if first.cases != second.cases else 0
    first, second = common_rows(first, second)
    right, other_right = first.is_correct, second.is_correct
    intervals = paired_intervals(first, second, seed=seed, draws=draws)
    macro, other_macro = f1_of(confusion_counts(first)).macro, f1_of(confusion_counts(second)).macro
    overall = _compare_rows(right, other_right, tests=1)
    overall |= {
        "difference_ci95": _listed(intervals.accuracy),
        "macro_f1_difference": None if macro is None or other_macro is None else macro - other_macro,
        "macro_f1_difference_ci95": _listed(intervals.macro_f1),
    }
    return {
        "n": len(first.cases),
        "left_out": left_out,
        "overall": overall,
        "by_functionality": _by_functionality(first, right, other_right),
    }


def _by_functionality(columns: Columns, right: Flags, other_right: Flags) -> dict[str, dict[str, Any]]:
    factor = columns.factors["functionality"]
    found = {}
    for code, key in enumerate(factor.values):
        rows = factor.rows[factor.codes == code]
        found[key] = _compare_rows(right[rows], other_right[rows], tests=len(factor.values))
    corrected = holm({key: result["p"] for key, result in found.items()})
    for key, result in found.items():
        result["p_holm"] = corrected[key]
        result["is_significant"] = corrected[key] < LEVEL
    return found


def _compare_rows(right: Flags, other_right: Flags, *, tests: int) -> dict[str, Any]:
    cases = len(right)
    only_first = int(np.count_nonzero(right & ~other_right))
    only_second = int(np.count_nonzero(~right & other_right))
    p = mcnemar_exact(only_first, only_second)
    return {
        "n": cases,
        "first": accuracy(int(right.sum()), cases),
        "second": accuracy(int(other_right.sum()), cases),
        "difference": (only_first - only_second) / cases if cases else None,
        "only_first_right": only_first,
        "only_second_right": only_second,
        "p": p,
        "is_significant": p < LEVEL,
        # Holm's first step divides the level by the number of tests; with less than that nothing is found for certain.
        "smallest_detectable": smallest_detectable_difference(
            cases, (only_first + only_second) / cases if cases else 0.0, level=LEVEL / tests
        ),
    }


def _listed(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else list(bounds)
