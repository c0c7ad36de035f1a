"""A ranking that admits ties: a model is behind another only when the difference is significant."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from typing import Any

import numpy as np

from evaluation.metrics.accuracy import accuracy
from evaluation.metrics.clustered.sign_flips import LEVEL, sign_flip_p, template_differences
from evaluation.metrics.columns import Columns
from evaluation.metrics.holm import holm
from evaluation.metrics.paired import common_rows


def rank_models(models: Mapping[str, Columns]) -> list[dict[str, Any]]:
    """Models from best to worst: rank 1 plus the number of models that are significantly better.

    Every pair is tested by sign flips of template differences on common cases, Holm-corrected over the pairs that
    differ on enough templates. `tied_with` names the models that cannot be told apart from this one.
    """
    p_values: dict[tuple[str, str], float] = {}
    ahead: dict[tuple[str, str], str] = {}
    for one, other in combinations(models, 2):
        first, second = common_rows(models[one], models[other])
        differences = template_differences(first.is_correct, second.is_correct, first.clusters)
        p = sign_flip_p(differences)
        if p is not None:
            p_values[one, other] = p
        ahead[one, other] = one if differences.sum() > 0 else other
    corrected = holm(p_values)
    better: dict[str, int] = dict.fromkeys(models, 0)
    tied: dict[str, list[str]] = {name: [] for name in models}
    for (one, other), leader in ahead.items():
        if corrected.get((one, other), 1.0) < LEVEL:
            better[other if leader == one else one] += 1
        else:
            tied[one].append(other)
            tied[other].append(one)
    ranking = [
        {
            "model": name,
            "n": len(columns.cases),
            "templates": len(np.unique(columns.clusters)),
            "accuracy": accuracy(int(columns.is_correct.sum()), len(columns.cases)),
            "rank": 1 + better[name],
            "tied_with": tied[name],
        }
        for name, columns in models.items()
    ]
    return sorted(ranking, key=lambda entry: (entry["rank"], -(entry["accuracy"] or 0.0), entry["model"]))
