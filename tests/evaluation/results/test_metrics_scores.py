"""Accuracy, F1, confusion, slices, baselines and rounding."""

import warnings
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.scores import (
    accuracy,
    confusion_counts,
    confusion_report,
    f1_of,
    f1_per_label,
    macro_f1,
    micro_f1,
    percent,
    round_exactly,
)
from evaluation.metrics.slices import by_label, gold_label_of, slice_by, trivial_baselines

LABELS = ("hateful", "non-hateful")
THREE = ("hate", "offensive", "neither")

answers = st.lists(st.tuples(st.sampled_from(LABELS), st.sampled_from([*LABELS, None])), max_size=40)
answers_of_three = st.lists(st.tuples(st.sampled_from(THREE), st.sampled_from(THREE)), min_size=1, max_size=40)


def columns_of(pairs, labels=LABELS, **keys):
    rows = [Row(str(place), gold, predicted, **keys) for place, (gold, predicted) in enumerate(pairs)]
    return Columns.of(rows, labels=labels)


@settings(deadline=None)
@given(answers)
def test_the_confusion_table_counts_every_row_once(pairs):
    counted = Counter((gold, predicted or "unanswered") for gold, predicted in pairs)
    for gold, row in confusion_report(columns_of(pairs)).items():
        for predicted, cases in row.items():
            assert cases == counted[gold, predicted]


@settings(deadline=None)
@given(answers_of_three)
def test_f1_equals_scikit_learn_where_every_label_has_cases(pairs):
    from sklearn.metrics import f1_score

    found = f1_of(confusion_counts(columns_of(pairs, THREE)))
    gold, predicted = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = f1_score(gold, predicted, labels=THREE, average=None, zero_division=0)
        micro = f1_score(gold, predicted, labels=THREE, average="micro")
    for place, label in enumerate(THREE):
        assert found.per_label[place] == (pytest.approx(peer[place]) if label in gold else None)
    assert found.macro == (pytest.approx(peer.mean()) if set(gold) == set(THREE) else None)
    assert found.micro == pytest.approx(micro)


@settings(deadline=None)
@given(answers)
def test_every_measure_lies_between_zero_and_one_or_is_none(pairs):
    found = f1_of(confusion_counts(columns_of(pairs)))
    for value in (*found.per_label, found.macro, found.micro):
        assert value is None or 0 <= value <= 1
    assert (found.micro is None) == (not pairs)


@settings(deadline=None)
@given(answers)
def test_micro_f1_is_accuracy_when_everything_is_answered(pairs):
    answered = [(gold, predicted) for gold, predicted in pairs if predicted]
    right = sum(gold == predicted for gold, predicted in answered)
    micro = f1_of(confusion_counts(columns_of(answered))).micro
    assert micro == (pytest.approx(right / len(answered)) if answered else None)


def test_a_missing_answer_counts_as_wrong_and_apart():
    found = by_label(columns_of([("hateful", "hateful"), ("hateful", None)]))["hateful"]
    assert (found["n"], found["unanswered"], found["accuracy"]) == (2, 1, 0.5)
    assert found["f1"]["hateful"] == pytest.approx(2 / 3), "precision 1, recall 1/2"
    assert found["micro_f1"] == pytest.approx(2 / 3)


def test_a_stack_of_tables_is_measured_at_once():
    tables = np.asarray([[[3, 1, 0], [0, 2, 1]], [[1, 0, 0], [0, 0, 0]]])
    assert f1_per_label(tables)[0].tolist() == f1_per_label(tables[0]).tolist()
    assert np.isnan(macro_f1(tables)[1])
    assert micro_f1(tables)[1] == 1


def test_accuracy_of_nothing_is_undefined():
    assert accuracy(0, 0) is None
    assert accuracy(1, 4) == 0.25
    with pytest.raises(ValueError, match="cannot be"):
        accuracy(2, 1)


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from("abc "), st.booleans()), max_size=40))
def test_slices_add_up_to_the_rows_that_have_the_key(given_rows):
    rows = [
        Row(str(n), LABELS[0], LABELS[not right], functionality=key.strip())
        for n, (key, right) in enumerate(given_rows)
    ]
    found = slice_by(Columns.of(rows, labels=LABELS), "functionality")
    assert set(found) == {key for key, _ in given_rows} - {" "}
    for key, result in found.items():
        mine = [right for other, right in given_rows if other == key]
        assert (result["n"], result["correct"]) == (len(mine), sum(mine))
        assert result["accuracy"] == sum(mine) / len(mine)


@settings(deadline=None)
@given(answers, st.randoms())
def test_the_order_of_rows_does_not_matter(pairs, random):
    shuffled = list(pairs)
    random.shuffle(shuffled)
    assert (confusion_counts(columns_of(pairs)) == confusion_counts(columns_of(shuffled))).all()


def test_a_case_with_two_targets_counts_for_both():
    rows = [Row("1", "hateful", "hateful", targets=("women", "Muslims")), Row("2", "hateful", None, targets=("women",))]
    found = slice_by(Columns.of(rows, labels=LABELS), "target")
    assert {group: result["n"] for group, result in found.items()} == {"women": 2, "Muslims": 1}


def test_a_functionality_with_two_gold_labels_has_none():
    mixed = columns_of([("hateful", None), ("non-hateful", None)], functionality="mixed")
    assert gold_label_of(mixed, mixed.factors["functionality"]) == {"mixed": None}


@settings(deadline=None)
@given(answers)
def test_one_trivial_baseline_gets_at_least_half(pairs):
    found = trivial_baselines(columns_of(pairs))
    shares = [result["accuracy"] for result in found.values()]
    assert list(found) == ["always hateful", "always non-hateful"]
    if pairs:
        assert sum(shares) == pytest.approx(1)
        assert max(shares) >= 0.5
    else:
        assert shares == [None, None]


def test_a_trivial_baseline_never_finds_the_other_label():
    found = trivial_baselines(columns_of([("hateful", None), ("non-hateful", None)]))["always hateful"]
    assert found["f1"] == {"hateful": pytest.approx(2 / 3), "non-hateful": 0}


def test_unknown_labels_and_repeated_cases_are_refused():
    with pytest.raises(ValueError, match="case 0: the predicted label 'maybe' is unknown; known: hateful, non-hateful"):
        columns_of([("hateful", "maybe")])
    with pytest.raises(ValueError, match="case 0: the gold label 'None' is unknown"):
        columns_of([(None, "hateful")])
    with pytest.raises(ValueError, match="case 7 is named twice"):
        Columns.of([Row("7", "hateful", None)] * 2, labels=LABELS)


@pytest.mark.parametrize(
    ("correct", "cases", "printed"),
    [(1, 16, "6.2"), (3, 16, "18.8"), (1, 3, "33.3"), (2, 3, "66.7"), (1, 1, "100.0"), (0, 9, "0.0")],
)
def test_tables_round_exact_fractions_half_to_even(correct, cases, printed):
    assert str(percent(correct, cases)) == printed


def test_the_percentage_of_nothing_is_undefined():
    assert percent(0, 0) is None


@settings(deadline=None)
@given(st.fractions(min_value=-100, max_value=100), st.integers(0, 4))
def test_rounding_is_never_off_by_more_than_half_a_step(value, decimals):
    rounded = Fraction(round_exactly(value, decimals=decimals))
    assert abs(rounded - value) <= Fraction(1, 2 * 10**decimals)
