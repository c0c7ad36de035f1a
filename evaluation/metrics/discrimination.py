"""How well scores tell labels apart: AUROC, average precision, a sweep of thresholds, precision at a prevalence."""

from math import sqrt
from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Floats, Places
from core.statistics.shares import t_quantile
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.scores import confusion_report

PREVALENCES = (0.01, 0.05, 0.1)
STEPS = 20
NO_SCORES = "the model gives labels without scores"
ONE_LABEL = "needs cases with and without the positive label"


def discrimination(columns: Columns, *, positive: str, threshold: float) -> dict[str, Any]:
    """Measure all cases, each functionality and each target group; None, with the reason, where a label is missing.

    Cases without a score are left out. `sweep` gives the rates of all cases from the lowest to the highest score.
    """
    scored = ~np.isnan(columns.scores)
    if not scored.any():
        return {"reason": NO_SCORES, "overall": None, "by_functionality": {}, "by_target": {}, "sweep": []}
    place = columns.labels.index(positive)

    def of(rows: Places) -> dict[str, Any]:
        rows = rows[scored[rows]]
        return _measure(columns.gold[rows] == place, columns.scores[rows], columns.clusters[rows], threshold)

    def by(factor: Factor) -> dict[str, Any]:
        return {value: of(factor.rows[factor.codes == code]) for code, value in enumerate(factor.values)}

    is_positive, scores = columns.gold[scored] == place, columns.scores[scored]
    cuts = np.linspace(min(0.0, scores.min()), max(1.0, scores.max()), STEPS + 1)
    return {
        "reason": "",
        "overall": of(np.arange(len(columns.cases))),
        "by_functionality": by(columns.factors["functionality"]),
        "by_target": by(columns.factors["target"].only(columns.is_identity)),
        "sweep": [operating_point(is_positive, scores, float(cut)) for cut in cuts],
    }


def _measure(is_positive: Flags, scores: Floats, clusters: Places, threshold: float) -> dict[str, Any]:
    positives = int(is_positive.sum())
    found: dict[str, Any] = {
        "n": len(scores),
        "positives": positives,
        "templates": len(np.unique(clusters)),
        "auroc": None,
        "auroc_ci95": None,
        "average_precision": None,
        "best_f1": None,
        "at_threshold": operating_point(is_positive, scores, threshold),
        "reason": ONE_LABEL,
    }
    if not 0 < positives < len(scores):
        return found
    from sklearn.metrics import average_precision_score, precision_recall_curve, roc_auc_score

    area = float(roc_auc_score(is_positive, scores))
    precision, recall, cuts = precision_recall_curve(is_positive, scores)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    best = int(np.argmax(f1[:-1]))
    return found | {
        "auroc": area,
        "auroc_ci95": _auroc_interval(is_positive, scores, clusters, area),
        "average_precision": float(average_precision_score(is_positive, scores)),
        "best_f1": operating_point(is_positive, scores, float(cuts[best])),
        "reason": "",
    }


def _auroc_interval(is_positive: Flags, scores: Floats, clusters: Places, area: float) -> list[float] | None:
    """Student's t with DeLong's placements summed by template (Obuchowski 1997); None below five templates."""
    used, of_case = np.unique(clusters, return_inverse=True)
    if len(used) < 5:
        return None
    high, low = np.sort(scores[is_positive]), np.sort(scores[~is_positive])
    below = (np.searchsorted(low, scores, "left") + np.searchsorted(low, scores, "right")) / 2 / len(low)
    above = 1 - (np.searchsorted(high, scores, "left") + np.searchsorted(high, scores, "right")) / 2 / len(high)
    moved = np.where(is_positive, (below - area) / len(high), (above - area) / len(low))
    sums = np.bincount(of_case, weights=moved)
    half = t_quantile(len(used) - 1) * sqrt(len(used) / (len(used) - 1) * float(sums @ sums))
    return [max(0.0, area - half), min(1.0, area + half)]


def operating_point(is_positive: Flags, scores: Floats, threshold: float) -> dict[str, Any]:
    """Return recall, false positive rate and precision where scores from the threshold on count as positive."""
    said = scores >= threshold
    right, wrong = int((said & is_positive).sum()), int((said & ~is_positive).sum())
    positives, negatives = int(is_positive.sum()), int((~is_positive).sum())
    recall = right / positives if positives else None
    false_positives = wrong / negatives if negatives else None
    return {
        "threshold": threshold,
        "recall": recall,
        "false_positive_rate": false_positives,
        "precision": right / (right + wrong) if right + wrong else None,
        "precision_at_prevalence": {str(share): precision_at(share, recall, false_positives) for share in PREVALENCES},
    }


def precision_at(prevalence: float, recall: float | None, false_positive_rate: float | None) -> float | None:
    """Return the precision where this share of all texts is positive; a suite has far more than real traffic has.

    None where a rate is undefined or nothing is called positive. Refuses a share that is not between 0 and 1.
    """
    if not 0 < prevalence < 1:
        raise ValueError(f"a prevalence lies between 0 and 1, not at {prevalence}")
    if recall is None or false_positive_rate is None or not recall + false_positive_rate:
        return None
    found = recall * prevalence
    return found / (found + false_positive_rate * (1 - prevalence))


def mixed_up_labels(columns: Columns, *, positive: str) -> dict[str, dict[str, Any]]:
    """With three labels or more: how often the positive label and each other one are taken for each other."""
    if len(columns.labels) < 3:
        return {}
    counts = confusion_report(columns)
    found = {}
    for label in columns.labels:
        cases, positives = sum(counts[label].values()), sum(counts[positive].values())
        if label != positive:
            taken, missed = counts[label][positive], counts[positive][label]
            found[label] = {
                "n": cases,
                f"called_{positive}": taken / cases if cases else None,
                f"{positive}_called_this": missed / positives if positives else None,
            }
    return found
