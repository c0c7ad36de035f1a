"""How well scores tell labels apart: AUROC, average precision, a sweep of thresholds, precision at a prevalence."""

from collections.abc import Callable
from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Floats, Places, listed
from core.statistics.shares import share_of
from core.statistics.significance import FEWEST
from core.statistics.tables import interval_of
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.reasons import NO_SCORES, ONE_LABEL

PREVALENCES = (0.01, 0.05, 0.1)
STEPS = 20


def discrimination(columns: Columns, *, positive: str, threshold: float) -> dict[str, Any]:
    """Measure all cases, each functionality and each target group; None, with the reason, where it is undefined.

    Cases without a score are left out. A slice with one label only has its AUROC against all cases with other labels
    (`against_all`): do its cases score above, or below, everything they must be told apart from? `thresholds` are cuts
    from the lowest to the highest score; every slice has its recall and false positive rate at each.
    """
    scored = ~np.isnan(columns.scores)
    if not scored.any():
        empty: dict[str, Any] = {"overall": None, "by_functionality": {}, "by_target": {}, "sweep": []}
        return {"reason": NO_SCORES, "positive": positive, "threshold": threshold, "thresholds": [], **empty}
    is_positive = columns.gold == columns.labels.index(positive)
    known = columns.scores[scored]
    cuts = np.linspace(min(0.0, known.min()), max(1.0, known.max()), STEPS + 1)

    def of(rows: Places) -> dict[str, Any]:
        rows = rows[scored[rows]]
        points = [operating_point(is_positive[rows], columns.scores[rows], float(cut)) for cut in cuts]
        found = _measure(is_positive[rows], columns.scores[rows], columns.clusters[rows], threshold)
        if len(rows) and found["auroc"] is None:
            others = np.flatnonzero(scored & (is_positive != is_positive[rows[0]]))
            both = np.concatenate([rows, others])
            if len(others):
                beside = _auroc(is_positive[both], columns.scores[both], columns.clusters[both])
                found |= {**beside, "against_all": True}
        return found | {name: [point[name] for point in points] for name in ("recall", "false_positive_rate")}

    everything = np.arange(len(columns.cases))
    return {
        "reason": "",
        "positive": positive,
        "threshold": threshold,
        "thresholds": cuts.tolist(),
        "overall": of(everything),
        **_by_slice(columns, of),
        "sweep": [operating_point(is_positive[scored], known, float(cut), PREVALENCES) for cut in cuts],
    }


def operating_points(columns: Columns, *, positive: str, threshold: float, prevalence: float) -> dict[str, Any]:
    """Return what a chosen threshold gives, overall, by functionality and by group, at a stated prevalence."""
    scored = ~np.isnan(columns.scores)
    is_positive = columns.gold == columns.labels.index(positive)

    def at(rows: Places) -> dict[str, Any]:
        rows = rows[scored[rows]]
        said = columns.scores[rows] >= threshold
        share = share_of(said, columns.clusters[rows])
        return {
            "n": share.cases,
            "templates": share.templates,
            "called_positive": share.correct / share.cases if share.cases else None,
            "called_positive_ci95": share.listed,
            **operating_point(is_positive[rows], columns.scores[rows], threshold, (prevalence,)),
        }

    return {
        "reason": "" if scored.any() else NO_SCORES,
        "positive": positive,
        "threshold": threshold,
        "prevalence": prevalence,
        "overall": at(np.arange(len(columns.cases))),
        **_by_slice(columns, at),
    }


def _by_slice(columns: Columns, measure: Callable[[Places], dict[str, Any]]) -> dict[str, dict[str, Any]]:
    def by(factor: Factor) -> dict[str, Any]:
        return {value: measure(factor.rows[factor.codes == code]) for code, value in enumerate(factor.values)}

    return {
        "by_functionality": by(columns.factors["functionality"]),
        "by_target": by(columns.factors["target"].only(columns.is_identity)),
    }


def _measure(is_positive: Flags, scores: Floats, clusters: Places, threshold: float) -> dict[str, Any]:
    positives = int(is_positive.sum())
    found: dict[str, Any] = {
        "n": len(scores),
        "positives": positives,
        "templates": len(np.unique(clusters)),
        "auroc": None,
        "auroc_ci95": None,
        "against_all": False,
        "average_precision": None,
        "best_f1": None,
        "at_threshold": operating_point(is_positive, scores, threshold, PREVALENCES),
        "reason": ONE_LABEL,
    }
    if not 0 < positives < len(scores):
        return found
    from sklearn.metrics import average_precision_score, precision_recall_curve

    precision, recall, cuts = precision_recall_curve(is_positive, scores)
    f1 = 2 * precision * recall / np.maximum(precision + recall, 1e-12)
    best = int(np.argmax(f1[:-1]))
    return found | {
        **_auroc(is_positive, scores, clusters),
        "average_precision": float(average_precision_score(is_positive, scores)),
        "best_f1": operating_point(is_positive, scores, float(cuts[best]), PREVALENCES) | {"f1": float(f1[best])},
        "reason": "",
    }


def _auroc(is_positive: Flags, scores: Floats, clusters: Places) -> dict[str, Any]:
    """AUROC with its interval: Wilson on effective cases, DeLong's placements summed by template (Obuchowski 1997).

    No interval below five templates with or without the positive label.
    """
    from sklearn.metrics import roc_auc_score

    area = float(roc_auc_score(is_positive, scores))
    of_case = np.unique(clusters, return_inverse=True)[1]
    sides = [len(np.unique(of_case[side])) for side in (is_positive, ~is_positive)]
    if min(sides) < FEWEST:
        return {"auroc": area, "auroc_ci95": None}
    high, low = np.sort(scores[is_positive]), np.sort(scores[~is_positive])
    below = (np.searchsorted(low, scores, "left") + np.searchsorted(low, scores, "right")) / 2 / len(low)
    above = 1 - (np.searchsorted(high, scores, "left") + np.searchsorted(high, scores, "right")) / 2 / len(high)
    moved = np.where(is_positive, (below - area) / len(high), (above - area) / len(low))
    squares = np.sort(np.bincount(of_case, weights=moved).astype(float) ** 2)
    return {"auroc": area, "auroc_ci95": listed(interval_of(area, squares, templates=min(sides)))}


def operating_point(
    is_positive: Flags, scores: Floats, threshold: float, prevalences: tuple[float, ...] = ()
) -> dict[str, Any]:
    """Return recall, false positive rate and precision where scores from the threshold on count as positive."""
    said = scores >= threshold
    right, wrong = int((said & is_positive).sum()), int((said & ~is_positive).sum())
    positives, negatives = int(is_positive.sum()), int((~is_positive).sum())
    recall = right / positives if positives else None
    false_positives = wrong / negatives if negatives else None
    found = {
        "threshold": threshold,
        "recall": recall,
        "false_positive_rate": false_positives,
        "precision": right / (right + wrong) if right + wrong else None,
    }
    rates = {str(share): precision_at(share, recall, false_positives) for share in prevalences}
    return found | ({"precision_at_prevalence": rates} if prevalences else {})


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
    """With three labels or more: how often the positive label and each other one are taken for each other.

    `auroc` is that of the scores on the cases of these two labels, such as hateful against offensive.
    """
    if len(columns.labels) < 3:
        return {}
    place = columns.labels.index(positive)
    found = {}
    for other, label in enumerate(columns.labels):
        if other == place:
            continue
        taken, missed = _called(columns, other, place), _called(columns, place, other)
        rows = np.flatnonzero(np.isin(columns.gold, (place, other)) & ~np.isnan(columns.scores))
        area = _measure(columns.gold[rows] == place, columns.scores[rows], columns.clusters[rows], 0.5)
        found[label] = {
            **{name: taken[name] for name in ("n", "templates")},
            f"called_{positive}": taken["share"],
            f"called_{positive}_ci95": taken["ci95"],
            f"{positive}_called_this": missed["share"],
            f"{positive}_called_this_ci95": missed["ci95"],
            "auroc": area["auroc"],
            "auroc_ci95": area["auroc_ci95"],
        }
    return found


def _called(columns: Columns, gold: int, said: int) -> dict[str, Any]:
    rows = np.flatnonzero(columns.gold == gold)
    share = share_of(columns.predicted[rows] == said, columns.clusters[rows])
    return {
        "n": share.cases,
        "templates": share.templates,
        "share": share.correct / share.cases if share.cases else None,
        "ci95": share.listed,
    }
