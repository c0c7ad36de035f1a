"""Comparison and ranking of models: which differences are real, which are too small for the suite to see."""

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from core.statistics.intervals import Bounds, Flags, Places, listed
from core.statistics.shares import difference_interval
from core.statistics.significance import (
    FEWEST,
    LEVEL,
    holm,
    mcnemar_exact,
    sign_flip_p,
    smallest_detectable_difference,
    template_differences,
    template_sizes,
    why_no_p,
)
from core.statistics.tables import table_difference
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.scores import accuracy, confusion_counts, f1_of, macro_f1, template_tables


def common_rows(first: Columns, second: Columns) -> tuple[Columns, Columns]:
    """Both models on the cases that both have, in the order of the first.

    Refuses different label sets and gold labels that differ for the same case: these are not the same cases.
    """
    if first.labels != second.labels:
        raise ValueError("the two models answer with different labels; map them to the same labels first")
    if first.cases == second.cases:
        shared_first, shared_second = first, second
    else:
        place_of = {case: place for place, case in enumerate(second.cases)}
        both = [(place, place_of[case]) for place, case in enumerate(first.cases) if case in place_of]
        places = np.asarray(both, dtype=np.int64).reshape(-1, 2)
        shared_first, shared_second = take_rows(first, places[:, 0]), take_rows(second, places[:, 1])
    unequal = np.flatnonzero(shared_first.gold != shared_second.gold)
    if len(unequal):
        case = shared_first.cases[unequal[0]]
        raise ValueError(f"case {case} has two gold labels; compare the two models on one release")
    return shared_first, shared_second


def take_rows(columns: Columns, rows: Places) -> Columns:
    """Return the given rows, in the given order."""
    new_place = np.full(len(columns.cases), -1)
    new_place[rows] = np.arange(len(rows))
    factors = {}
    for key, factor in columns.factors.items():
        kept = new_place[factor.rows] >= 0
        factors[key] = Factor(factor.values, new_place[factor.rows[kept]], factor.codes[kept]).only(
            np.ones(len(rows), dtype=bool)
        )
    pairs = new_place[columns.pairs]
    return Columns(
        labels=columns.labels,
        cases=tuple(columns.cases[row] for row in rows.tolist()),
        gold=columns.gold[rows],
        predicted=columns.predicted[rows],
        scores=columns.scores[rows],
        votes=columns.votes[rows],
        clusters=columns.clusters[rows],
        is_identity=columns.is_identity[rows],
        factors=factors,
        pairs=pairs[(pairs >= 0).all(axis=1)],
    )


def compare_models(first: Columns, second: Columns) -> dict[str, Any]:
    """Compare two models on the cases both answered: overall, by functionality and by group with Holm's correction.

    Differences are first minus second. `p` is that of sign flips of template differences; None, with the `reason`,
    where fewer than five templates differ. `p_mcnemar` takes cases for independent and decides nothing.
    `smallest_detectable` is the difference in accuracy that the templates would show with 80% power, given how often
    these two models differ; None when they are too few to show any.
    """
    left_out = len(set(first.cases) ^ set(second.cases)) if first.cases != second.cases else 0
    first, second = common_rows(first, second)
    right, other_right = first.is_correct, second.is_correct
    macro, other_macro = f1_of(confusion_counts(first)).macro, f1_of(confusion_counts(second)).macro
    bounds, macro_p = macro_f1_difference(first, second) or (None, None)
    differences = template_differences(right, other_right, first.clusters)
    overall = _compare_rows(right, other_right, differences, sign_flip_p(differences))
    overall |= {
        "difference_ci95": listed(difference_interval(differences, template_sizes(first.clusters))),
        "macro_f1_difference": None if macro is None or other_macro is None else macro - other_macro,
        "macro_f1_difference_ci95": listed(bounds),
        "macro_f1_p": macro_p,
    }
    return {
        "n": len(first.cases),
        "left_out": left_out,
        "overall": overall,
        "by_functionality": _by_value(first, first.factors["functionality"], right, other_right),
        "by_target": _by_value(first, first.factors["target"].only(first.is_identity), right, other_right),
    }


def _by_value(columns: Columns, factor: Factor, right: Flags, other_right: Flags) -> dict[str, dict[str, Any]]:
    """Compare on each value of a factor; Holm's correction counts the values of this factor only."""
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


def macro_f1_difference(first: Columns, second: Columns) -> tuple[Bounds, float] | None:
    """Return the interval of the difference in macro F1 on common cases, first minus second, and its p value.

    None where fewer than five templates differ: that is too few to tell.
    """
    tables, other_tables = template_tables(first), template_tables(second)
    if np.count_nonzero((tables != other_tables).any(axis=(1, 2))) < FEWEST:
        return None
    return table_difference(tables, other_tables, macro_f1)


def rank_models(models: Mapping[str, Columns]) -> list[dict[str, Any]]:
    """Rank models from best to worst by macro F1: rank 1 plus the number of models that are significantly better.

    Every pair is tested over templates on common cases, Holm-corrected over the pairs that differ on enough templates.
    `tied_with` names the models that cannot be told apart from this one. Where a label never occurs there is no macro
    F1: accuracy ranks, tested by sign flips of template differences.
    """
    measures = {name: f1_of(confusion_counts(columns)).macro for name, columns in models.items()}
    has_f1 = None not in measures.values()
    p_values: dict[tuple[str, str], float] = {}
    for one, other in combinations(models, 2):
        first, second = common_rows(models[one], models[other])
        p = _rank_p(first, second, by_f1=has_f1)
        if p is not None:
            p_values[one, other] = p
    corrected = holm(p_values)
    shares = {name: accuracy(int(found.is_correct.sum()), len(found.cases)) for name, found in models.items()}
    score = {name: (measures[name] if has_f1 else shares[name]) or 0.0 for name in models}
    better: dict[str, int] = dict.fromkeys(models, 0)
    tied: dict[str, list[str]] = {name: [] for name in models}
    for one, other in combinations(models, 2):
        if corrected.get((one, other), 1.0) < LEVEL:
            better[other if score[one] > score[other] else one] += 1
        else:
            tied[one].append(other)
            tied[other].append(one)
    ranking = [
        {
            "model": name,
            "n": len(columns.cases),
            "templates": len(np.unique(columns.clusters)),
            "accuracy": shares[name],
            "macro_f1": measures[name],
            "rank": 1 + better[name],
            "tied_with": tied[name],
        }
        for name, columns in models.items()
    ]
    return sorted(ranking, key=lambda entry: (-score[entry["model"]], entry["model"]))


def _rank_p(first: Columns, second: Columns, *, by_f1: bool) -> float | None:
    if by_f1:
        found = macro_f1_difference(first, second)
        return None if found is None else found[1]
    return sign_flip_p(template_differences(first.is_correct, second.is_correct, first.clusters))
