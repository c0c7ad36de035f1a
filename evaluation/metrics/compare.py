"""Comparison of models: which differences are real, which are too small for the suite to see."""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.metrics.accuracy import accuracy
from evaluation.metrics.clustered.detectable import smallest_detectable_difference
from evaluation.metrics.clustered.differences import difference_interval
from evaluation.metrics.clustered.sign_flips import (
    LEVEL,
    sign_flip_p,
    template_differences,
    template_sizes,
    why_no_p,
)
from evaluation.metrics.columns import Columns, Flags, Places
from evaluation.metrics.confusion import confusion_counts
from evaluation.metrics.f1 import f1_of
from evaluation.metrics.holm import holm
from evaluation.metrics.intervals import DRAWS
from evaluation.metrics.mcnemar import mcnemar_exact
from evaluation.metrics.paired import common_rows, macro_f1_difference


def compare_models(first: Columns, second: Columns, *, seed: int, draws: int = DRAWS) -> dict[str, Any]:
    """Compare two models on the cases both answered: overall, and by functionality with Holm's correction.

    Differences are first minus second. `p` is that of sign flips of template differences; None, with the `reason`,
    where fewer than five templates differ. `p_mcnemar` takes cases for independent and decides nothing.
    `smallest_detectable` is the difference in accuracy that the templates would show with 80% power, given how often
    these two models differ; None when they are too few to show any.
    """
    left_out = len(set(first.cases) ^ set(second.cases)) if first.cases != second.cases else 0
    first, second = common_rows(first, second)
    right, other_right = first.is_correct, second.is_correct
    macro, other_macro = f1_of(confusion_counts(first)).macro, f1_of(confusion_counts(second)).macro
    differences = template_differences(right, other_right, first.clusters)
    overall = _compare_rows(right, other_right, differences, sign_flip_p(differences))
    overall |= {
        "difference_ci95": _listed(difference_interval(differences, template_sizes(first.clusters))),
        "macro_f1_difference": None if macro is None or other_macro is None else macro - other_macro,
        "macro_f1_difference_ci95": _listed(macro_f1_difference(first, second, seed=seed, draws=draws)),
    }
    return {
        "n": len(first.cases),
        "left_out": left_out,
        "overall": overall,
        "by_functionality": _by_functionality(first, right, other_right),
    }


def _by_functionality(columns: Columns, right: Flags, other_right: Flags) -> dict[str, dict[str, Any]]:
    factor = columns.factors["functionality"]
    rows_of = {key: factor.rows[factor.codes == code] for code, key in enumerate(factor.values)}
    differences = {
        key: template_differences(right[rows], other_right[rows], columns.clusters[rows])
        for key, rows in rows_of.items()
    }
    p_values = {key: p for key, by_template in differences.items() if (p := sign_flip_p(by_template)) is not None}
    corrected = holm(p_values)
    # Holm's first step divides the level by the number of tests; with less than that nothing is found for certain.
    level = LEVEL / max(1, len(p_values))
    return {
        key: {
            **_compare_rows(right[rows], other_right[rows], differences[key], p_values.get(key), level=level),
            "p_holm": corrected.get(key),
            "is_significant": corrected.get(key, 1.0) < LEVEL,
        }
        for key, rows in rows_of.items()
    }


def _compare_rows(
    right: Flags, other_right: Flags, differences: Places, p: float | None, *, level: float = LEVEL
) -> dict[str, Any]:
    cases = len(right)
    only_first = int(np.count_nonzero(right & ~other_right))
    only_second = int(np.count_nonzero(~right & other_right))
    return {
        "n": cases,
        "templates": len(differences),
        "templates_that_differ": int(np.count_nonzero(differences)),
        "first": accuracy(int(right.sum()), cases),
        "second": accuracy(int(other_right.sum()), cases),
        "difference": (only_first - only_second) / cases if cases else None,
        "only_first_right": only_first,
        "only_second_right": only_second,
        "p": p,
        "p_mcnemar": mcnemar_exact(only_first, only_second),
        "is_significant": p is not None and p < LEVEL,
        "reason": why_no_p(differences),
        "smallest_detectable": smallest_detectable_difference(differences, cases, level=level),
    }


def _listed(bounds: tuple[float, float] | None) -> list[float] | None:
    return None if bounds is None else list(bounds)
