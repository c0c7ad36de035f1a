"""Results by any key: functionality, class, language, target group, and so on."""

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Places, listed
from core.statistics.shares import Share, share_of
from core.statistics.tables import table_interval
from evaluation.metrics.columns import Columns, Factor
from evaluation.metrics.scores import (
    accuracy,
    confusion_counts_by,
    f1_of,
    f1_of_label,
    macro_f1,
    micro_f1,
    template_tables,
)

Slice = dict[str, Any]


def f1_intervals(columns: Columns, rows: Places | None = None) -> dict[str, Any]:
    """Return the 95% intervals of macro F1, micro F1 and the F1 of each label, over all rows or the given ones."""
    tables = template_tables(columns, rows)
    of_labels = (
        listed(table_interval(tables, partial(f1_of_label, place=place))) for place in range(len(columns.labels))
    )
    return {
        "macro_f1": listed(table_interval(tables, macro_f1)),
        "micro_f1": listed(table_interval(tables, micro_f1)),
        "f1": dict(zip(columns.labels, of_labels, strict=True)),
    }


def slice_by(columns: Columns, key: str, *, only: Flags | None = None, with_f1: bool = False) -> dict[str, Slice]:
    """Return measures for each value of a key, in order of first appearance: n, templates, correct, accuracy, ci95, F1.

    All intervals count templates. `only` restricts the rows. `with_f1` adds intervals of F1 where macro F1 is defined.
    """
    factor = columns.factors[key] if only is None else columns.factors[key].only(only)
    found = slice_factor(columns, factor)
    for code, result in enumerate(found.values()):
        if with_f1 and result["macro_f1"] is not None:
            bounds = f1_intervals(columns, factor.rows[factor.codes == code])
            result |= {"macro_f1_ci95": bounds["macro_f1"], "f1_ci95": bounds["f1"]}
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
