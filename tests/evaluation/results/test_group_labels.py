"""Whose labels a model is close to: a simulated effect is recovered, and without one none is claimed."""

import numpy as np
import pytest
from sklearn.metrics import log_loss

from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.group_labels import LabelsOfGroups, compare_with_groups

LABELS = ["hateful", "non-hateful"]


def columns_of(scores: list[float | None], labels: list[str | None] | None = None) -> Columns:
    given = labels or ["hateful" if (score or 0) >= 0.5 else "non-hateful" for score in scores]
    rows = [
        Row(str(case), "hateful", label, score=score, functionality="f", template=str(case // 2))
        for case, (score, label) in enumerate(zip(scores, given, strict=True))
    ]
    return Columns.of(rows, labels=LABELS)


def compared(columns: Columns, labels: list[tuple[str, int, str]], group_of: list[str], *, draws: int = 200) -> dict:
    return compare_with_groups(columns, LabelsOfGroups(columns, labels, group_of, draws=draws), positive="hateful")


def simulated(
    effect: float, *, seed: int, people: int = 24, cases: int = 80, each: int = 5
) -> tuple[dict, float, float]:
    """A model whose score is how often group A says hateful; group B says so more often. People differ, too.

    Returns what is measured of B, and what its differences in cross-entropy and disagreement truly are.
    """
    generator = np.random.default_rng(seed)
    usual = generator.uniform(0.15, 0.65, cases)
    bias = generator.normal(0, 0.06, people)
    labels = []
    for case in range(cases):
        for person in generator.choice(people, each, replace=False):
            chance = usual[case] + bias[person] + (effect if person % 2 else 0.0)
            labels.append((str(case), int(person), LABELS[0] if generator.random() < chance else LABELS[1]))
    found = compared(columns_of(list(usual)), labels, ["AB"[person % 2] for person in range(people)])["B"]
    true_entropy = -effect * float(np.log(usual / (1 - usual)).mean())
    return found, true_entropy, effect * float(np.where(usual >= 0.5, -1, 1).mean())


def test_a_simulated_effect_is_recovered():
    runs = [simulated(0.25, seed=seed, cases=120, each=8) for seed in range(120)]
    for name, place in (("cross_entropy", 1), ("disagreement", 2)):
        differences = [run[0][f"{name}_difference"] for run in runs]
        assert np.mean(differences) == pytest.approx(np.mean([run[place] for run in runs]), abs=0.015)
        bounds = [run[0][f"{name}_difference_ci95"] for run in runs]
        inside = [low <= run[place] <= high for run, (low, high) in zip(runs, bounds, strict=True)]
        assert np.mean(inside) >= 0.92
    assert np.mean([run[0]["cross_entropy_p_value"] < 0.05 for run in runs]) > 0.8


def test_without_an_effect_no_more_than_one_in_twenty_is_called_one():
    runs = [simulated(0.0, seed=seed)[0] for seed in range(200)]
    for name in ("cross_entropy", "disagreement"):
        assert np.mean([run[f"{name}_p_value"] < 0.05 for run in runs]) <= 0.08


def test_a_group_with_few_labels_per_case_is_not_called_farther_away():
    """Everyone labels alike; B gave one label per case, so its shares are noisy and the divergence is high."""
    generator = np.random.default_rng(1)
    usual = generator.uniform(0.2, 0.8, 120)
    labels = [
        (str(case), person, LABELS[0] if generator.random() < usual[case] else LABELS[1])
        for case in range(120)
        for person in [*generator.choice(20, 6, replace=False), 20 + generator.integers(6)]
    ]
    found = compared(columns_of(list(usual)), labels, ["A"] * 20 + ["B"] * 6, draws=1000)
    assert found["B"]["jensen_shannon"] > 2 * found["A"]["jensen_shannon"]
    low, high = found["B"]["cross_entropy_difference_ci95"]
    assert low < 0 < high
    assert found["B"]["cross_entropy_p_value"] > 0.05


def test_cross_entropy_of_one_label_per_case_is_the_log_loss_of_scikit_learn():
    scores, said = [0.9, 0.2, 0.4, 0.7], ["hateful", "non-hateful", "hateful", "non-hateful"]
    labels = [(str(case), case % 2, label) for case, label in enumerate(said)]
    found = compared(columns_of(scores), labels, ["A", "A"])["A"]
    assert found["cross_entropy"] == pytest.approx(log_loss([label == "hateful" for label in said], scores))
    assert (found["n"], found["labels"], found["annotators"], found["disagreement"]) == (4, 4, 2, 0.5)


def test_unanswered_cases_are_left_out_and_labels_alone_have_no_cross_entropy():
    columns = columns_of([None] * 4, ["hateful", "non-hateful", None, "hateful"])
    labels = [(str(case), person, LABELS[person % 2]) for case in range(4) for person in range(8)]
    found = compared(columns, labels, [f"{LABELS[person % 2]}" for person in range(8)])
    assert found["hateful"]["labels"] == 12
    assert found["hateful"]["cross_entropy"] is None
    assert found["hateful"]["cross_entropy_p_value"] is None
    assert found["hateful"]["disagreement"] == pytest.approx(1 / 3)
    assert found["non-hateful"]["disagreement"] == pytest.approx(2 / 3)
    assert found["non-hateful"]["disagreement_difference"] == pytest.approx(1 / 3)


def test_labels_of_cases_the_release_does_not_hold_are_left_out():
    labels = [("0", 0, "hateful"), ("gone", 1, "hateful"), ("0", 1, "unheard of")]
    assert compared(columns_of([0.9]), labels, ["A", "B"])["A"]["labels"] == 1
