"""Results by any key: functionality, class, language, target group, and so on."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.statistics.intervals import Bounds, Flags, Floats, Places, bootstrap, listed
from core.statistics.shares import Share, share_of
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.scores import (
    accuracies,
    accuracy,
    cells,
    confusion_counts_by,
    f1_of,
    f1_per_label,
    macro_f1,
    micro_f1,
)


@dataclass(frozen=True, slots=True)
class Resampled:
    """95% intervals of one model's measures; None where undefined."""

    accuracy: Bounds | None
    macro_f1: Bounds | None
    micro_f1: Bounds | None
    f1: tuple[Bounds | None, ...]


def resample_measures(columns: Columns, *, seed: int, draws: int, rows: Places | None = None) -> Resampled:
    """Intervals over all rows, or over the given ones."""
    size = len(columns.labels)
    chosen = np.arange(len(columns.cases)) if rows is None else rows
    facts = np.zeros((len(chosen), size * (size + 1)))
    facts[np.arange(len(chosen)), cells(columns)[chosen]] = 1.0

    def measures(sums: Floats) -> Floats:
        tables = sums.reshape(-1, size, size + 1)
        together = [accuracies(tables), macro_f1(tables), micro_f1(tables)]
        return np.column_stack([*together, f1_per_label(tables)])

    found = bootstrap(facts, columns.clusters[chosen], measures, seed=seed, draws=draws)
    return Resampled(found[0], found[1], found[2], tuple(found[3:]))


Slice = dict[str, Any]


def slice_by(
    columns: Columns, key: str, *, only: Flags | None = None, seed: int = 0, draws: int = 0
) -> dict[str, Slice]:
    """Return measures for each value of a key, in order of first appearance: n, templates, correct, accuracy, ci95, F1.

    Intervals of accuracy count templates. `only` restricts the rows. With draws, macro F1 and the F1 of each label get
    intervals by bootstrap over templates where macro F1 is defined.
    """
    factor = columns.factors[key] if only is None else columns.factors[key].only(only)
    found = slice_factor(columns, factor)
    if draws:
        for code, result in enumerate(found.values()):
            if result["macro_f1"] is not None:
                rows = factor.rows[factor.codes == code]
                drawn = resample_measures(columns, seed=seed, draws=draws, rows=rows)
                result["macro_f1_ci95"] = listed(drawn.macro_f1)
                result["f1_ci95"] = dict(zip(columns.labels, map(listed, drawn.f1), strict=True))
    return found


def slice_factor(columns: Columns, factor: Factor) -> dict[str, Slice]:
    """Return measures for each value of a factor."""
    tables = confusion_counts_by(columns, factor)
    right = columns.is_correct
    found = {}
    for code, value in enumerate(factor.values):
        rows = factor.rows[factor.codes == code]
        share = share_of(right[rows], columns.clusters[rows])
        found[value] = measure_table(tables[code], columns.labels, share)
    return found


def measure_table(table: Places, labels: tuple[str, ...], share: Share) -> Slice:
    """Return all measures of one confusion table; `share` counts its right answers by template."""
    scores = f1_of(table)
    return {
        "n": share.cases,
        "templates": share.templates,
        "n_effective": share.effective,
        "correct": share.correct,
        "unanswered": int(table[:, -1].sum()),
        "accuracy": accuracy(share.correct, share.cases),
        "ci95": share.listed,
        "macro_f1": scores.macro,
        "micro_f1": scores.micro,
        "f1": dict(zip(labels, scores.per_label, strict=True)),
    }


def by_label(columns: Columns) -> dict[str, Slice]:
    """Return measures for the cases of each gold label: accuracy here is the recall of that label."""
    places = np.arange(len(columns.cases))
    return slice_factor(columns, Factor(columns.labels, places, columns.gold))


def gold_label_of(columns: Columns, factor: Factor) -> dict[str, str | None]:
    """Return the one gold label that all cases of a value share; None where they differ."""
    by_gold = confusion_counts_by(columns, factor).sum(axis=2)
    found: dict[str, str | None] = {}
    for value, counts in zip(factor.values, by_gold, strict=True):
        present = np.flatnonzero(counts)
        found[value] = columns.labels[present[0]] if len(present) == 1 else None
    return found


def trivial_baselines(columns: Columns) -> dict[str, Slice]:
    """Return measures of `always <label>` for each label, on the same cases."""
    size = len(columns.labels)
    gold = np.bincount(columns.gold, minlength=size)
    found = {}
    for place, label in enumerate(columns.labels):
        table = np.zeros((size, size + 1), dtype=np.int64)
        table[:, place] = gold
        found[f"always {label}"] = measure_table(
            table, columns.labels, share_of(columns.gold == place, columns.clusters)
        )
    return found


SECTIONS = {
    "by_functionality": "functionality",
    "by_class": "functionality_class",
    "by_language": "language",
    "by_direction": "direction",
    "by_focus_word": "focus_word",
    "by_origin": "origin",
    "by_agreement": "agreement",
    "by_perturbation_set": "perturbation_set",
}

Composition = dict[str, dict[str, dict[str, int]]]


def gold_counts(rows: Iterable[Mapping[str, Any]]) -> Composition:
    """Section, key, gold label, number of cases. Target groups are counted in identity templates only, as measured."""
    found: Composition = {section: {} for section in (*SECTIONS, "by_label", "by_target")}
    for row in rows:
        gold = row["gold"]
        for section, name in SECTIONS.items():
            _count(found[section], row.get(name, ""), gold)
        _count(found["by_label"], gold, gold)
        if row["is_identity_template"]:
            for target in row["targets"]:
                _count(found["by_target"], target, gold)
    return found


def _count(section: dict[str, dict[str, int]], key: str, gold: str) -> None:
    if key:
        labels = section.setdefault(key, {})
        labels[gold] = labels.get(gold, 0) + 1
