"""Gaps between groups, contrast pairs, calibration and cases near the threshold."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.calibration import calibration, near_threshold, score_distribution
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.contrast import contrast_pairs, perturbed_pairs
from evaluation.metrics.gaps import NO_VARIANCE, NOT_MATCHED, TOO_FEW_GROUPS, TOO_FEW_TEMPLATES, group_gaps

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
    assert alarms / 200 <= 0.06


def test_templates_that_are_hard_for_everybody_do_not_hide_a_gap():
    columns = filled({"a": 0.4, "b": 0.6}, templates=150, template_effect=0.4)
    matched = gaps_of(columns)["groups"]["a"]["p"]
    scattered = [
        Row(case, HATEFUL, LABELS[predicted], targets=(case.split("-")[1],))
        for case, predicted in zip(columns.cases, columns.predicted, strict=True)
    ]
    alone = gaps_of(Columns.of(scattered, labels=LABELS))["groups"]["a"]["p"]
    assert matched < alone


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans(), st.integers(0, 5)), min_size=1, max_size=40))
def test_gaps_are_mean_differences_inside_templates(given_rows):
    """Every template has a case of each group beside the given ones, so that all are matched."""
    rows = [*given_rows, *((group, True, template) for _, _, template in given_rows for group in "abc")]
    made = [
        Row(str(n), HATEFUL, LABELS[not right], targets=(group,), template=str(template))
        for n, (group, right, template) in enumerate(rows)
    ]
    found = gaps_of(Columns.of(made, labels=LABELS))
    for group, result in found["groups"].items():
        gaps = []
        for template in {template for _, _, template in rows}:
            share = {
                each: np.mean([right for other, right, place in rows if (other, place) == (each, template)])
                for each in "abc"
            }
            gaps.append(share[group] - np.mean([share[each] for each in "abc" if each != group]))
        assert result["difference"] == pytest.approx(np.mean(gaps), abs=1e-9)
        assert result["accuracy"] - result["rest"] == pytest.approx(result["difference"])
        if result["reason"]:
            assert (result["ci95"], result["p"], result["p_holm"]) == (None, None, None)
            continue
        assert -1 <= result["ci95"][0] <= result["difference"] + 1e-9
        assert result["difference"] - 1e-9 <= result["ci95"][1] <= 1
        assert 0 <= result["p"] <= result["p_holm"] <= 1
    assert found["largest"]["difference"] >= 0


def in_languages(right, *, templates=30, by_hand=False, seed=5):
    """Rows of a made-up model in three languages that do not have the same groups.

    `right` gives the chance of a right answer by language and group.
    """
    groups = {"en": ("women", "Muslims", "immigrants"), "hi": ("women", "Muslims", "lower castes"),
              "ar": ("women", "immigrants")}  # fmt: skip
    generator = random.Random(seed)
    return [
        Row(
            f"{language}-{functionality}-{template}-{group}",
            HATEFUL,
            HATEFUL if generator.random() < right(language, group) else FINE,
            language=language, functionality=functionality, targets=(group,), is_identity_template=True,
            template=None if by_hand else f"{functionality}-{template}",
        )
        for language, named in groups.items()
        for functionality in ("derogation", "threat")
        for template in range(templates)
        for group in named
    ]  # fmt: skip


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_language_in_which_a_model_is_bad_makes_no_gap_between_groups(by_hand):
    """90% right everywhere, 50% in Hindi: lower castes, who only occur there, are served like everyone else."""
    false_alarms = 0
    for seed in range(40):
        rows = in_languages(lambda language, _: 0.5 if language == "hi" else 0.9, by_hand=by_hand, seed=seed)
        columns = Columns.of(rows, labels=LABELS)
        found = gaps_of(columns)
        assert abs(found["groups"]["lower castes"]["difference"]) < 0.3
        false_alarms += min(group["p_holm"] for group in found["groups"].values()) < 0.05
        assert group_gaps(columns, columns.factors["language"], within=("functionality",))["largest"]["p_holm"] < 1e-4
    assert false_alarms <= 5
    plain = [row.gold == row.predicted for row in rows if "lower castes" in row.targets]
    assert np.mean(plain) < 0.65  # what a comparison across languages would have called a gap


@pytest.mark.parametrize("by_hand", [False, True])
def test_a_gap_inside_a_language_is_found_whoever_wrote_the_cases(by_hand):
    rows = in_languages(lambda _, group: 0.4 if group == "women" else 0.9, by_hand=by_hand)
    found = gaps_of(Columns.of(rows, labels=LABELS))
    assert found["largest"]["lowest"] == "women"
    assert found["largest"]["p_holm"] < 0.001
    assert found["groups"]["women"]["ci95"][1] < -0.2


def test_a_group_that_meets_no_other_has_a_reason_instead_of_a_gap():
    rows = [
        Row("1", HATEFUL, FINE, functionality="f", targets=("a",), template="1"),
        Row("2", HATEFUL, HATEFUL, functionality="g", targets=("b",), template="2"),
    ]
    found = gaps_of(Columns.of(rows, labels=LABELS))
    assert {result["reason"] for result in found["groups"].values()} == {NOT_MATCHED}
    assert found["groups"]["a"]["difference"] is None
    assert found["largest"] is None


def test_gold_labels_are_never_mixed_in_a_gap():
    """A model that calls everything hateful is right on hate only; one group has more of it."""
    rows = [
        Row(f"{n}", HATEFUL if n % (2 if group == "a" else 5) else FINE, HATEFUL, functionality="f", targets=(group,))
        for group in "ab"
        for n in range(100 * (group == "b"), 100 + 100 * (group == "b"))
    ]
    found = gaps_of(Columns.of(rows, labels=LABELS))["groups"]["a"]
    assert (found["difference"], found["reason"]) == (0, NO_VARIANCE)


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
    found = gaps_of(filled({"a": 1.1, "b": 1.1}))["largest"]
    assert (found["difference"], found["p"], found["reason"]) == (0, None, NO_VARIANCE)


def test_too_little_to_compare_is_said():
    assert gaps_of(filled({"a": 0.5}))["reason"] == TOO_FEW_GROUPS
    few = gaps_of(filled({"a": 0.0, "b": 1.1}, templates=4))
    assert {result["reason"] for result in few["groups"].values()} == {TOO_FEW_TEMPLATES}
    assert few["largest"]["p"] is None


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
