"""Gaps between groups, contrast pairs, calibration and cases near the threshold."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.calibration import calibration, near_threshold, score_distribution
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.contrast import contrast_pairs, perturbed_pairs
from evaluation.metrics.gaps import TOO_FEW_GROUPS, TOO_FEW_TEMPLATES, group_gaps

HATEFUL, FINE = LABELS = ("hateful", "non-hateful")


def filled(chances, templates=60, seed=1, template_effect=0.0):
    """Every template filled with every group; the model is right with the given chance."""
    generator = random.Random(seed)
    rows = []
    for template in range(templates):
        luck = generator.uniform(-template_effect, template_effect)
        for group, chance in chances.items():
            predicted = HATEFUL if generator.random() < chance + luck else FINE
            rows.append(Row(f"{template}-{group}", HATEFUL, predicted, targets=(group,), template=str(template)))
    return Columns.of(rows, labels=LABELS)


def gaps_of(columns):
    return group_gaps(columns, columns.factors["target"])


def test_a_group_that_is_served_worse_is_found():
    found = gaps_of(filled({"women": 0.3, "Muslims": 0.8, "immigrants": 0.8}))
    assert found["largest"]["lowest"] == "women"
    assert found["groups"]["women"]["p_holm"] < 0.001
    assert found["groups"]["women"]["ci95"][1] < 0


def test_equal_groups_are_rarely_called_unequal():
    alarms = sum(
        min(group["p_holm"] for group in gaps_of(filled(dict.fromkeys("abcd", 0.7), seed=seed))["groups"].values())
        < 0.05
        for seed in range(200)
    )
    assert alarms / 200 < 0.1


def test_templates_that_are_hard_for_everybody_do_not_hide_a_gap():
    columns = filled({"a": 0.4, "b": 0.6}, templates=150, template_effect=0.4)
    matched = gaps_of(columns)["groups"]["a"]["p"]
    scattered = [
        Row(case, HATEFUL, LABELS[predicted], targets=(case.split("-")[1],))
        for case, predicted in zip(columns.cases, columns.predicted, strict=True)
    ]
    alone = gaps_of(Columns.of(scattered, labels=LABELS))["groups"]["a"]["p"]
    assert matched < alone


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_gaps_are_differences_of_shares(given_rows):
    rows = [
        Row(str(n), HATEFUL, LABELS[not right], targets=(group,), template=str(template))
        for n, (group, right, template) in enumerate(given_rows)
    ]
    found = gaps_of(Columns.of(rows, labels=LABELS))
    for group, result in found["groups"].items():
        mine = [right for other, right, _ in given_rows if other == group]
        rest = [right for other, right, _ in given_rows if other != group]
        assert result["difference"] == pytest.approx(sum(mine) / len(mine) - sum(rest) / len(rest))
        if result["templates"] < 2 or len({template for other, _, template in given_rows if other != group}) < 2:
            assert (result["ci95"], result["p"], result["p_holm"]) == (None, None, None)
            continue
        assert -1 <= result["ci95"][0] <= result["difference"] + 1e-9
        assert result["difference"] - 1e-9 <= result["ci95"][1] <= 1
        assert 0 <= result["p"] <= result["p_holm"] <= 1
    if found["largest"]:
        assert found["largest"]["difference"] >= 0


@pytest.mark.parametrize("few", [1, 2, 4])
def test_a_group_with_few_templates_of_its_own_is_rarely_called_unequal(few):
    """Templates are right or wrong as a whole, and each is about one group only."""
    generator, alarms = random.Random(few), 0
    for _ in range(200):
        rows = []
        for group, templates in (("many", 40), ("few", few)):
            for template in range(templates):
                predicted = HATEFUL if generator.random() < 0.5 else FINE
                key = f"{group}{template}"
                rows += [Row(f"{key}-{n}", HATEFUL, predicted, targets=(group,), template=key) for n in range(5)]
        p = gaps_of(Columns.of(rows, labels=LABELS))["groups"]["few"]["p"]
        alarms += p is not None and p < 0.05
    assert alarms / 200 <= 0.08


def test_a_gap_without_any_variance_is_still_significant():
    found = gaps_of(filled({"a": 0.0, "b": 1.1}))["largest"]
    assert found["difference"] == 1
    assert found["p_holm"] < 1e-6


def test_no_gap_and_no_variance_is_no_finding():
    assert gaps_of(filled({"a": 1.1, "b": 1.1}))["largest"]["p"] == 1


def test_too_little_to_compare_is_said():
    assert gaps_of(filled({"a": 0.5}))["reason"] == TOO_FEW_GROUPS
    assert gaps_of(filled({"a": 0.5, "b": 0.5}, templates=1))["reason"] == TOO_FEW_TEMPLATES


def pairs_of(*rows):
    """Columns from (case, gold, is right, refers to)."""
    return Columns.of(
        [
            Row(case, gold, gold if right else None, functionality=f"f{case}", refers_to=origin)
            for case, gold, right, origin in rows
        ],
        labels=LABELS,
    )


def test_a_contrast_pair_counts_only_when_both_members_are_right():
    columns = pairs_of(
        ("1", HATEFUL, True, None),
        ("2", FINE, True, "1"),
        ("3", FINE, False, "1"),
        ("4", HATEFUL, True, "1"),
        ("5", FINE, True, "missing"),
    )
    found = contrast_pairs(columns)
    assert (found["n"], found["both_right"], found["only_original_right"], found["consistency"]) == (2, 1, 1, 0.5)
    assert found["by_functionality"]["f3"]["consistency"] == 0
    assert perturbed_pairs(columns)["n"] == 1
    assert list(perturbed_pairs(columns)["by_functionality"]) == ["f4"]


def test_no_pairs_give_no_consistency():
    found = contrast_pairs(pairs_of(("1", HATEFUL, True, None)))
    assert (found["n"], found["consistency"], found["ci95"]) == (0, None, None)


@settings(deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.booleans()), max_size=20))
def test_the_four_outcomes_of_pairs_add_up(outcomes):
    rows = []
    for number, (first, second, contrast) in enumerate(outcomes):
        rows.append((f"{number}a", HATEFUL, first, None))
        rows.append((f"{number}b", FINE if contrast else HATEFUL, second, f"{number}a"))
    for found in (contrast_pairs(pairs_of(*rows)), perturbed_pairs(pairs_of(*rows))):
        parts = ("both_right", "only_original_right", "only_variant_right", "both_wrong")
        assert found["n"] == sum(found[part] for part in parts)


def scored(*pairs):
    """Columns from (is hateful, score)."""
    rows = [Row(str(n), LABELS[not hateful], HATEFUL, score=score) for n, (hateful, score) in enumerate(pairs)]
    return Columns.of(rows, labels=LABELS)


scores = st.lists(st.tuples(st.booleans(), st.floats(0, 1)), min_size=1, max_size=50)


@settings(deadline=None)
@given(scores)
def test_the_calibration_error_is_the_weighted_gap_of_the_bins(pairs):
    found = calibration(scored(*pairs), positive=HATEFUL)
    assert 0 <= found["ece"] <= 1
    assert sum(part["n"] for part in found["bins"]) == found["n"] == len(pairs)
    by_hand = sum(
        part["n"] * abs(part["mean_score"] - part["positive_share"]) for part in found["bins"] if part["n"]
    ) / len(pairs)
    assert found["ece"] == pytest.approx(by_hand, abs=1e-9)


@settings(deadline=None)
@given(scores)
def test_every_score_falls_into_its_bin(pairs):
    for part in calibration(scored(*pairs), positive=HATEFUL)["bins"]:
        if part["n"]:
            assert part["from"] - 1e-9 <= part["mean_score"] <= part["to"] + 1e-9


def test_honest_scores_are_calibrated():
    generator = np.random.default_rng(1)
    chances = generator.random(20_000)
    found = calibration(scored(*zip(generator.random(20_000) < chances, chances, strict=True)), positive=HATEFUL)
    assert found["ece"] < 0.015


def test_calibration_says_why_it_is_undefined():
    assert "without scores" in calibration(scored((True, None)), positive=HATEFUL)["reason"]
    assert "not between 0 and 1" in calibration(scored((True, 3.2)), positive=HATEFUL)["reason"]


def test_the_distribution_is_told_for_each_gold_label():
    found = score_distribution(scored((True, 0.9), (True, 0.7), (False, None)))
    assert found["labels"][HATEFUL]["mean"] == pytest.approx(0.8)
    assert sum(found["labels"][HATEFUL]["histogram"]) == 2
    assert found["labels"][FINE] is None
    assert score_distribution(scored((True, None)))["labels"] == {HATEFUL: None, FINE: None}


def test_cases_near_the_threshold_are_named_nearest_first():
    found = near_threshold(scored((True, 0.51), (True, 0.499), (True, 0.52), (True, None)), within=0.01)
    assert found["cases"] == ["1", "0"]
    assert found["share"] == pytest.approx(2 / 3)


def test_without_scores_nothing_is_known_about_the_threshold():
    found = near_threshold(scored((True, None)))
    assert found["n"] is None
    assert found["reason"]
