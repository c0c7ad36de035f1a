"""One model on one release: every measure in one plain dictionary."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any

import numpy as np

from core.statistics.shares import share_of
from evaluation.metrics.calibration import THRESHOLD, WITHIN, calibration, near_threshold, score_distribution
from evaluation.metrics.columns import Columns, Factor, Row
from evaluation.metrics.contrast import contrast_pairs, contrast_sets, perturbed_pairs
from evaluation.metrics.discrimination import discrimination, mixed_up_labels
from evaluation.metrics.gaps import group_gaps
from evaluation.metrics.scores import confusion_counts, confusion_report
from evaluation.metrics.slices import (
    Slice,
    by_label,
    f1_intervals,
    gold_label_of,
    measure_table,
    slice_by,
    slice_factor,
    trivial_baselines,
)
from evaluation.metrics.soft_labels import soft_labels

SLUR_PREFIX = "slur_"


def measure(
    rows: Iterable[Row],
    *,
    labels: Sequence[str],
    positive: str,
    threshold: float = THRESHOLD,
    within: float = WITHIN,
    trained_on: Collection[str] | None = None,
) -> dict[str, Any]:
    """Measure one model: overall, by every key, pairs, gaps, calibration and baselines; shares between 0 and 1.

    `trained_on` names the languages the model was trained on. The same rows give the same figures: nothing is drawn.
    Refuses labels outside `labels`, a positive label that is none of them, and a case named twice.
    """
    columns = Columns.of(rows, labels=labels)
    if positive not in columns.labels:
        raise ValueError(f"the positive label '{positive}' is unknown; known: {', '.join(columns.labels)}")
    identity = columns.factors["target"].only(columns.is_identity)
    sliced = {key: slice_by(columns, key, with_f1=True) for key in ("language", "direction", "origin", "agreement")}
    return {
        "overall": _overall(columns),
        "by_functionality": _by_functionality(columns),
        "by_class": slice_by(columns, "functionality_class", with_f1=True),
        "by_label": by_label(columns),
        "by_target": slice_by(columns, "target", only=columns.is_identity, with_f1=True),
        "by_language": mark_training(sliced["language"], trained_on),
        "by_direction": sliced["direction"],
        "by_focus_word": slice_by(columns, "focus_word"),
        "by_slur": _by_slur(columns),
        "by_origin": sliced["origin"],
        "by_agreement": sliced["agreement"],
        "by_perturbation_set": slice_by(columns, "perturbation_set"),
        "contrast_pairs": contrast_pairs(columns),
        "contrast_sets": contrast_sets(columns),
        "perturbed_pairs": perturbed_pairs(columns),
        "gaps": {
            "target": group_gaps(columns, identity),
            "language": group_gaps(columns, columns.factors["language"], within=("functionality",)),
            "direction": group_gaps(columns, columns.factors["direction"]),
        },
        "confusion": confusion_report(columns),
        "baselines": trivial_baselines(columns),
        "calibration": calibration(columns, positive=positive),
        "scores": score_distribution(columns),
        "discrimination": discrimination(columns, positive=positive, threshold=threshold),
        "mixed_up_labels": mixed_up_labels(columns, positive=positive),
        "soft_labels": soft_labels(columns, positive=positive),
        "near_threshold": near_threshold(columns, threshold=threshold, within=within),
        "settings": {"labels": list(columns.labels), "positive": positive},
    }


def _overall(columns: Columns) -> Slice:
    share = share_of(columns.is_correct, columns.clusters)
    found = measure_table(confusion_counts(columns), columns.labels, share)
    found["ci95_over_templates"] = {"accuracy": share.listed, **f1_intervals(columns)}
    return found


def _by_functionality(columns: Columns) -> dict[str, Slice]:
    found = slice_by(columns, "functionality")
    for key, label in gold_label_of(columns, columns.factors["functionality"]).items():
        found[key]["label"] = label
    return found


def _by_slur(columns: Columns) -> dict[str, dict[str, Slice]]:
    """By focus word inside each functionality about slurs, as HateCheck's table of reclaimed slurs."""
    functionality = columns.factors["functionality"]
    found = {}
    for code, key in enumerate(functionality.values):
        if key.startswith(SLUR_PREFIX):
            keep = np.zeros(len(columns.cases), dtype=bool)
            keep[functionality.rows[functionality.codes == code]] = True
            words: Factor = columns.factors["focus_word"].only(keep)
            found[key] = slice_factor(columns, words)
    return found


def mark_training(languages: dict[str, Slice], trained_on: Collection[str] | None) -> dict[str, Slice]:
    """Say for each language whether the model has seen it in training; None when that is unknown."""
    for language, found in languages.items():
        found["shots"] = None if trained_on is None else ("many" if language in trained_on else "zero")
    return languages
