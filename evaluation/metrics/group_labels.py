"""Whose labels a model is close to: its scores and labels against those of groups of annotators.

Uma et al. (2021), Learning from disagreement; Gordon et al. (2022), Jury learning: a majority hides groups.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Floats, Places
from core.statistics.membership import DRAWS, Membership, Shift
from core.statistics.significance import holm
from evaluation.metrics.columns import Columns
from evaluation.metrics.soft_labels import LOWEST, measure_shares, said_by_model

SEED = 0


class LabelsOfGroups:
    """The labels of annotators on the cases of a release, as arrays; every model is compared with the same ones."""

    def __init__(
        self, columns: Columns, labels: Sequence[tuple[str, int, str]], group_of: Sequence[str], *, draws: int = DRAWS
    ) -> None:
        """Take (case, annotator, label); annotators are places in `group_of`. Labels of unknown cases are left out."""
        places = {case: place for place, case in enumerate(columns.cases)}
        names = {label: place for place, label in enumerate(columns.labels)}
        known = [one for one in labels if one[0] in places and one[2] in names]
        self.rows = np.fromiter((places[case] for case, _, _ in known), np.int64, len(known))
        self.annotators = np.fromiter((who for _, who, _ in known), np.int64, len(known))
        self.labels = np.fromiter((names[label] for _, _, label in known), np.int64, len(known))
        self.groups = sorted(set(group_of))
        self._group_of = np.asarray(group_of, dtype=object)
        self._draws = draws
        self._memberships: dict[tuple[str, bytes], Membership] = {}

    def members(self, group: str) -> Flags:
        """Return which annotators belong to the group."""
        found: Flags = self._group_of == group
        return found

    def shift(self, group: str, values: Floats, usable: Flags) -> Shift:
        """Return how much higher a value of the usable labels is for the group than for all others, within cases."""
        key = group, usable.tobytes()
        if key not in self._memberships:  # models that answered the same cases share the shuffles
            who, case = (np.unique(numbers[usable], return_inverse=True) for numbers in (self.annotators, self.rows))
            self._memberships[key] = Membership(
                who[1], case[1], self.members(group)[who[0]], seed=SEED, draws=self._draws
            )
        return self._memberships[key].shift(values[usable])


def compare_with_groups(columns: Columns, given: LabelsOfGroups, *, positive: str) -> dict[str, dict[str, Any]]:
    """Compare a model with the labels of each group of annotators.

    `jensen_shannon` and `cross_entropy` compare scores with the shares of the group's labels, as `soft_labels` does.
    `disagreement` is the share of the group's labels that are not the model's. The differences are those to all other
    groups on the same cases: of the cross-entropy and the disagreement of single labels, which do not grow where
    a group gave few labels per case, as a divergence from their shares does. p values are corrected after Holm.
    Cases without an answer are left out.
    """
    place = columns.labels.index(positive)
    said, is_answered = said_by_model(columns, place)
    usable = is_answered[given.rows]
    scored = not np.isnan(columns.scores[given.rows[usable]]).any()
    of_label = said[given.rows]
    certain = np.clip(of_label, LOWEST, 1 - LOWEST)
    losses = {
        "cross_entropy": -np.log(np.where(given.labels == place, certain, 1 - certain)),
        "disagreement": (given.labels != columns.predicted[given.rows]).astype(float),
    }
    found: dict[str, dict[str, Any]] = {}
    p_values: dict[str, dict[str, float]] = {name: {} for name in losses}
    for group in given.groups:
        mine = usable & given.members(group)[given.annotators]
        found[group] = _levels(columns, given, mine, place, said, scored=scored)
        found[group]["disagreement"] = float(losses["disagreement"][mine].mean()) if mine.any() else None
        for name, values in losses.items():
            shift = given.shift(group, values, usable) if scored or name != "cross_entropy" else Shift(None)
            found[group][f"{name}_difference"] = shift.difference
            found[group][f"{name}_difference_ci95"] = shift.interval and list(shift.interval)
            if shift.p_value is not None:
                p_values[name][group] = shift.p_value
    for name, raw in p_values.items():
        corrected = holm(raw)
        for group, values_of_group in found.items():
            values_of_group[f"{name}_p_value"] = corrected.get(group)
    return found


def _levels(
    columns: Columns, given: LabelsOfGroups, mine: Flags, place: int, said: Floats, *, scored: bool
) -> dict[str, Any]:
    """Return how close the model comes to the shares of the group's labels, on all cases that the group labelled."""
    total = np.bincount(given.rows[mine], minlength=len(columns.cases))
    chosen = np.bincount(given.rows[mine & (given.labels == place)], minlength=len(columns.cases))
    rows: Places = np.flatnonzero(total)
    shares = chosen[rows] / total[rows]
    facts = {"annotators": len(np.unique(given.annotators[mine])), "labels": int(mine.sum())}
    return facts | measure_shares(shares, said[rows], columns.clusters[rows], scored=scored)
