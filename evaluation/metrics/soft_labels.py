"""How close a model comes to what annotators said, not only to the majority: scores against shares of labels.

Uma et al. (2021), Learning from disagreement: cross-entropy and Jensen-Shannon divergence against soft labels.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Floats, Places
from core.statistics.shares import t_quantile
from evaluation.metrics.columns import UNANSWERED, Columns, Factor
from evaluation.metrics.reasons import NO_LABELS

LOWEST = 0.001  # a score of 0 where one annotator says otherwise would be infinitely wrong
FEWEST_TEMPLATES = 5


def soft_labels(columns: Columns, *, positive: str) -> dict[str, Any]:
    """Compare the model with the share of annotators who chose the positive label: overall, by functionality, by group.

    Jensen-Shannon divergence (in bits, 0 is equal, 1 is opposite) takes the score of the positive label, or the label
    as certain where there is no score. Cross-entropy (in nats) is given where all answers have a score between 0 and 1.
    `entropy` is that of the annotators: the lowest cross-entropy any model can reach. Unanswered cases are left out.
    """
    place = columns.labels.index(positive)
    said, is_answered = said_by_model(columns, place)
    usable = ~np.isnan(columns.votes) & is_answered
    if not usable.any():
        return {"reason": NO_LABELS, "overall": None, "by_functionality": {}, "by_target": {}}
    has_scores = ~np.isnan(columns.scores)

    def of(rows: Places) -> dict[str, Any]:
        rows = rows[usable[rows]]
        return measure_shares(
            columns.votes[rows], said[rows], columns.clusters[rows], scored=bool(has_scores[rows].all())
        )

    def by(factor: Factor) -> dict[str, Any]:
        return {value: of(factor.rows[factor.codes == code]) for code, value in enumerate(factor.values)}

    return {
        "reason": "",
        "overall": of(np.arange(len(columns.cases))),
        "by_functionality": by(columns.factors["functionality"]),
        "by_target": by(columns.factors["target"].only(columns.is_identity)),
    }


def said_by_model(columns: Columns, positive: int) -> tuple[Floats, Flags]:
    """Return the score of each case, or its label as certain without one; and where there is an answer to compare."""
    said = np.where(np.isnan(columns.scores), columns.predicted == positive, columns.scores)
    return said, (columns.predicted != UNANSWERED) & (said >= 0) & (said <= 1)


def measure_shares(votes: Floats, said: Floats, clusters: Places, *, scored: bool) -> dict[str, Any]:
    """Compare scores with shares of labels, case by case; intervals count clusters."""
    found: dict[str, Any] = {"n": len(votes), "templates": len(np.unique(clusters))}
    distances = jensen_shannon(votes, said)
    found |= _mean("jensen_shannon", distances, clusters)
    found |= _mean("cross_entropy", cross_entropy(votes, said) if scored else distances[:0], clusters)
    found["entropy"] = float(cross_entropy(votes, votes).mean()) if len(votes) and scored else None
    return found


def _mean(name: str, values: Floats, clusters: Places) -> dict[str, Any]:
    """Return the mean with Student's t over templates; None of nothing, and no interval below five templates."""
    bounds = None
    if len(values) and len(np.unique(clusters)) >= FEWEST_TEMPLATES:
        _, of_case = np.unique(clusters, return_inverse=True)
        sums = np.bincount(of_case, weights=values - values.mean())
        spread = sqrt(len(sums) / (len(sums) - 1) * float(sums @ sums)) / len(values)
        half = t_quantile(len(sums) - 1) * spread
        bounds = [max(0.0, float(values.mean()) - half), float(values.mean()) + half]
    return {name: float(values.mean()) if len(values) else None, f"{name}_ci95": bounds}


def cross_entropy(votes: Floats, said: Floats) -> Floats:
    """Return the cross-entropy in nats of each score against the share of votes."""
    certain = np.clip(said, LOWEST, 1 - LOWEST)
    result: Floats = -(votes * np.log(certain) + (1 - votes) * np.log(1 - certain))
    return result


def jensen_shannon(votes: Floats, said: Floats) -> Floats:
    """Return the Jensen-Shannon divergence in bits between each score and the share of votes."""
    middle = (votes + said) / 2
    return (_divergence(votes, middle) + _divergence(said, middle)) / 2


def _divergence(given: Floats, middle: Floats) -> Floats:
    """Return the Kullback-Leibler divergence in bits of two-sided shares; what never occurs adds nothing."""

    def part(share: Floats, of: Floats) -> Floats:
        occurs: Flags = share > 0
        found = np.zeros_like(share, dtype=float)
        found[occurs] = share[occurs] * np.log2(share[occurs] / of[occurs])
        return found

    return part(given, middle) + part(1 - given, 1 - middle)
