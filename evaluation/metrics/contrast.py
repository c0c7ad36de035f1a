"""Pairs and sets of cases made from each other: does the model get all members right?"""

from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Places
from core.statistics.shares import share_of
from evaluation.metrics.columns import Columns
from evaluation.metrics.scores import accuracy


def contrast_pairs(columns: Columns) -> dict[str, Any]:
    """Count pairs with different gold labels: the small change turns the meaning over, and the model must follow."""
    gold = columns.gold[columns.pairs]
    return _pairs(columns, columns.pairs[gold[:, 0] != gold[:, 1]])


def perturbed_pairs(columns: Columns) -> dict[str, Any]:
    """Count pairs with the same gold label: the change (spelling, phrasing) must not matter."""
    gold = columns.gold[columns.pairs]
    return _pairs(columns, columns.pairs[gold[:, 0] == gold[:, 1]])


def contrast_sets(columns: Columns) -> dict[str, Any]:
    """Count contrast sets of two or more cases whose members the model gets all right.

    A set is one observation; sets whose first case has the same template are one cluster.
    """
    factor = columns.factors["contrast_set"]
    sizes = np.bincount(factor.codes, minlength=len(factor.values))
    right = np.bincount(factor.codes, weights=columns.is_correct[factor.rows], minlength=len(factor.values))
    first = np.full(len(factor.values), len(columns.cases))
    np.minimum.at(first, factor.codes, factor.rows)
    counted = sizes > 1
    share = share_of(right[counted] == sizes[counted], columns.clusters[first[counted]])
    return {
        "n": share.cases,
        "templates": share.templates,
        "all_right": share.correct,
        "none_right": int((right[counted] == 0).sum()),
        "consistency": accuracy(share.correct, share.cases),
        "ci95": share.listed,
    }


def _pairs(columns: Columns, pairs: Places) -> dict[str, Any]:
    """Counts over all pairs and by the functionality of the second member, the one that was made from the other."""
    correct = columns.is_correct[pairs]
    functionality = columns.factors["functionality"]
    code_of_row = np.full(len(columns.cases), -1)
    code_of_row[functionality.rows] = functionality.codes
    codes = code_of_row[pairs[:, 1]]
    # Pairs that go back to one template are one cluster, whatever templates their variants have.
    clusters = columns.clusters[pairs[:, 0]]
    return {
        **_count(correct, clusters),
        "by_functionality": {
            functionality.values[code]: _count(correct[codes == code], clusters[codes == code])
            for code in np.unique(codes[codes >= 0])
        },
    }


def _count(correct: Flags, clusters: Places) -> dict[str, Any]:
    share = share_of(correct[:, 0] & correct[:, 1], clusters)
    return {
        "n": share.cases,
        "templates": share.templates,
        "both_right": share.correct,
        "only_original_right": int((correct[:, 0] & ~correct[:, 1]).sum()),
        "only_variant_right": int((~correct[:, 0] & correct[:, 1]).sum()),
        "both_wrong": int((~correct).all(axis=1).sum()),
        "consistency": accuracy(share.correct, share.cases),
        "ci95": share.listed,
    }
