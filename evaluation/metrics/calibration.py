"""Do the scores mean what they say? Calibration error, reliability bins, distributions, cases near the threshold."""

from typing import Any

import numpy as np

from core.statistics.shares import Share, share_of
from evaluation.metrics.columns import Columns
from evaluation.metrics.reasons import MANY_LABELS, NO_PROBABILITIES, NO_SCORES
from evaluation.metrics.scores import accuracy

BINS = 10
HISTOGRAM_BINS = 20
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


def calibration(columns: Columns, *, positive: str, bins: int = BINS) -> dict[str, Any]:
    """Expected calibration error, Brier score and reliability bins of the score for the positive label.

    Undefined, with the reason, when there are no scores or when they are not between 0 and 1.
    """
    scored = ~np.isnan(columns.scores)
    scores = columns.scores[scored]
    if not len(scores):
        return _undefined(NO_SCORES, 0)
    if scores.min() < 0 or scores.max() > 1:
        return _undefined(NO_PROBABILITIES, len(scores))
    is_positive = columns.gold[scored] == columns.labels.index(positive)
    place = np.minimum((scores * bins).astype(np.int64), bins - 1)
    clusters = columns.clusters[scored]
    shares = [share_of(is_positive[place == number], clusters[place == number]) for number in range(bins)]
    score_sums = np.bincount(place, weights=scores, minlength=bins)
    positives = np.asarray([share.correct for share in shares])
    return {
        "n": len(scores),
        "ece": float(np.abs(score_sums - positives).sum() / len(scores)),
        "brier": float(np.mean((scores - is_positive) ** 2)),
        "bins": [_bin(number, bins, share, float(score_sums[number])) for number, share in enumerate(shares)],
        "reason": "",
    }


def score_distribution(columns: Columns, *, bins: int = HISTOGRAM_BINS) -> dict[str, Any]:
    """Mean, quantiles and a histogram of the scores for the cases of each gold label; None where none has a score."""
    scored = columns.scores[~np.isnan(columns.scores)]
    if not len(scored):
        return {"edges": [], "labels": dict.fromkeys(columns.labels)}
    low, high = min(0.0, float(scored.min())), max(1.0, float(scored.max()))
    edges = np.linspace(low, high, bins + 1)
    found: dict[str, dict[str, Any] | None] = {}
    for place, label in enumerate(columns.labels):
        scores = columns.scores[(columns.gold == place) & ~np.isnan(columns.scores)]
        found[label] = (
            {
                "n": len(scores),
                "mean": float(scores.mean()),
                "quantiles": dict(zip(map(str, QUANTILES), np.quantile(scores, QUANTILES).tolist(), strict=True)),
                "histogram": np.histogram(scores, edges)[0].tolist(),
            }
            if len(scores)
            else None
        )
    return {"edges": edges.tolist(), "labels": found}


def _bin(number: int, bins: int, share: Share, score_sum: float) -> dict[str, Any]:
    return {
        "from": number / bins,
        "to": (number + 1) / bins,
        "n": share.cases,
        "mean_score": score_sum / share.cases if share.cases else None,
        "positive_share": accuracy(share.correct, share.cases),
        "ci95": share.listed,
    }


def _undefined(reason: str, cases: int) -> dict[str, Any]:
    return {"n": cases, "ece": None, "brier": None, "bins": [], "reason": reason}


THRESHOLD = 0.5
WITHIN = 0.01
MOST_NAMED = 200


def near_threshold(columns: Columns, *, threshold: float = THRESHOLD, within: float = WITHIN) -> dict[str, Any]:
    """How many cases score within a distance of the threshold, and the nearest of them by name, nearest first."""
    scored = int((~np.isnan(columns.scores)).sum())
    if not scored:
        return _result(threshold, within, None, None, [], NO_SCORES)
    if len(columns.labels) > 2:
        return _result(threshold, within, None, None, [], MANY_LABELS)
    distance = np.abs(columns.scores - threshold)
    # A hair of slack, so that 0.51 is within 0.01 of 0.5 although their binary difference is a little more.
    near = np.flatnonzero(distance <= within + 1e-12)
    nearest = near[np.argsort(distance[near], kind="stable")][:MOST_NAMED]
    return _result(threshold, within, len(near), len(near) / scored, [columns.cases[place] for place in nearest], "")


def _result(
    threshold: float, within: float, cases: int | None, share: float | None, names: list[str], reason: str
) -> dict[str, Any]:
    return {"threshold": threshold, "within": within, "n": cases, "share": share, "cases": names, "reason": reason}
