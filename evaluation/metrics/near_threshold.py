"""Cases whose score lies so near the threshold that a rerun may flip them."""

from __future__ import annotations

from typing import Any

import numpy as np

from evaluation.metrics.columns import Columns

THRESHOLD = 0.5
WITHIN = 0.01
MOST_NAMED = 200


def near_threshold(columns: Columns, *, threshold: float = THRESHOLD, within: float = WITHIN) -> dict[str, Any]:
    """How many cases score within a distance of the threshold, and the nearest of them by name, nearest first."""
    scored = int((~np.isnan(columns.scores)).sum())
    if not scored:
        return _result(threshold, within, None, None, [], "the model gives labels without scores")
    if len(columns.labels) > 2:
        return _result(threshold, within, None, None, [], "with more than two labels no score is cut at a threshold")
    distance = np.abs(columns.scores - threshold)
    # A hair of slack, so that 0.51 is within 0.01 of 0.5 although their binary difference is a little more.
    near = np.flatnonzero(distance <= within + 1e-12)
    nearest = near[np.argsort(distance[near], kind="stable")][:MOST_NAMED]
    return _result(threshold, within, len(near), len(near) / scored, [columns.cases[place] for place in nearest], "")


def _result(
    threshold: float, within: float, cases: int | None, share: float | None, names: list[str], reason: str
) -> dict[str, Any]:
    return {"threshold": threshold, "within": within, "n": cases, "share": share, "cases": names, "reason": reason}
