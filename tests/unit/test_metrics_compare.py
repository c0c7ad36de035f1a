"""Comparison of models and suites."""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.metrics.columns import Columns
from evaluation.metrics.compare import compare_models
from evaluation.metrics.holm import holm
from evaluation.metrics.intervals import newcombe
from evaluation.metrics.mcnemar import mcnemar_exact, smallest_detectable_difference
from evaluation.metrics.paired import common_rows
from evaluation.metrics.ranking import rank_models
from evaluation.metrics.rows import Row
from evaluation.metrics.suites import compare_suites, verdict_of

HATEFUL, FINE = LABELS = ("hateful", "non-hateful")

p_values = st.dictionaries(st.text(max_size=4), st.floats(0, 1), max_size=12)


def model(rights, cases=None, **keys):
    """Columns of a model that is right on the cases marked true; gold labels alternate."""
    names = cases or [str(n) for n in range(len(rights))]
    return Columns.of(
        [
            Row(
                name,
                LABELS[n % 2],
                LABELS[n % 2] if right else LABELS[1 - n % 2],
                functionality=f"f{n % 3}",
                template=str(n // 4),
                **keys,
            )
            for n, (name, right) in enumerate(zip(names, rights, strict=True))
        ],
        labels=LABELS,
    )


def lucky(chance, cases=300, seed=0):
    generator = random.Random(seed)
    return model([generator.random() < chance for _ in range(cases)])


@pytest.fixture(scope="module")
def binomtest():
    from scipy.stats import binomtest as of_scipy

    return of_scipy


@settings(deadline=None)
@given(first=st.integers(0, 400), second=st.integers(0, 400))
def test_mcnemar_equals_the_exact_binomial_test(binomtest, first, second):
    expected = binomtest(first, first + second).pvalue if first + second else 1.0
    assert mcnemar_exact(first, second) == pytest.approx(expected, abs=1e-10)
    assert mcnemar_exact(first, second) == mcnemar_exact(second, first)


def test_mcnemar_copes_with_a_whole_suite(binomtest):
    assert mcnemar_exact(9000, 9300) == pytest.approx(binomtest(9000, 18300).pvalue, rel=1e-8)


def test_mcnemar_refuses_negative_numbers():
    with pytest.raises(ValueError, match="never below 0"):
        mcnemar_exact(-1, 2)


@settings(deadline=None)
@given(p_values)
def test_holm_never_lowers_a_p_value_and_keeps_their_order(given_values):
    found = holm(given_values)
    assert list(found) == list(given_values)
    for one, p in given_values.items():
        assert p <= found[one] <= 1
        for other, q in given_values.items():
            if p < q:
                assert found[one] <= found[other]


@settings(deadline=None)
@given(p_values, st.floats(0.001, 0.999))
def test_holm_rejects_what_the_stepwise_procedure_rejects(given_values, level):
    rejected = set()
    for step, (key, p) in enumerate(sorted(given_values.items(), key=lambda item: item[1])):
        if p * (len(given_values) - step) > level:
            break
        rejected.add(key)
    assert {key for key, p in holm(given_values).items() if p <= level} == rejected


def test_holm_gives_the_textbook_values():
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


@settings(deadline=None)
@given(st.integers(1, 5000), st.floats(0.01, 1))
def test_a_larger_suite_finds_smaller_differences(cases, share):
    small, large = (smallest_detectable_difference(n, share) for n in (cases, 4 * cases))
    if small is not None:
        assert large is not None
        assert 0 < large < small <= share
        assert large < 0.75 * small


def test_the_promised_power_is_about_right():
    cases, share = 400, 0.2
    difference = smallest_detectable_difference(cases, share)
    generator = random.Random(1)
    found = 0
    for _ in range(1000):
        draws = [generator.random() for _ in range(cases)]
        first = sum(draw < (share + difference) / 2 for draw in draws)
        second = sum((share + difference) / 2 <= draw < share for draw in draws)
        found += mcnemar_exact(first, second) < 0.05
    assert found / 1000 == pytest.approx(0.8, abs=0.07)


def test_too_small_a_suite_detects_nothing():
    assert smallest_detectable_difference(5, 0.2) is None
    assert smallest_detectable_difference(100, 0.0) is None
    assert smallest_detectable_difference(0, 0.5) is None
    with pytest.raises(ValueError, match="between 0 and 1"):
        smallest_detectable_difference(10, 1.5)


def test_a_better_model_is_significantly_better():
    found = compare_models(lucky(0.9), lucky(0.6, seed=1), seed=1, draws=200)
    assert found["overall"]["is_significant"]
    assert found["overall"]["difference_ci95"][0] > 0
    assert found["overall"]["macro_f1_difference"] > 0.1
    assert all(result["is_significant"] for result in found["by_functionality"].values())


def test_a_model_does_not_differ_from_itself():
    found = compare_models(lucky(0.7), lucky(0.7), seed=1, draws=50)
    assert (found["overall"]["difference"], found["overall"]["p"]) == (0, 1)
    assert found["overall"]["difference_ci95"] == [0, 0]
    assert found["overall"]["smallest_detectable"] is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_swapping_the_models_swaps_the_signs(rights):
    first, second = (model(list(column)) for column in zip(*rights, strict=True))
    one, other = compare_models(first, second, seed=1, draws=20), compare_models(second, first, seed=1, draws=20)
    assert one["overall"]["difference"] == -other["overall"]["difference"]
    assert one["overall"]["p"] == other["overall"]["p"]
    for key, result in one["by_functionality"].items():
        assert result["only_first_right"] == other["by_functionality"][key]["only_second_right"]
        assert result["p"] <= result["p_holm"]


def test_only_common_cases_are_compared():
    first, second = model([True, False, True], cases=["a", "b", "c"]), model([True, True, True], cases=["x", "b", "y"])
    shared, other = common_rows(first, second)
    assert shared.cases == other.cases == ("b",)
    assert shared.factors["functionality"].values == ("f1",)
    found = compare_models(first, second, seed=1, draws=10)
    assert (found["n"], found["left_out"]) == (1, 4)
    assert found["overall"]["only_second_right"] == 1


def test_different_gold_labels_for_one_case_are_refused():
    first = Columns.of([Row("a", HATEFUL, HATEFUL)], labels=LABELS)
    second = Columns.of([Row("a", FINE, FINE)], labels=LABELS)
    with pytest.raises(ValueError, match="case a has two gold labels"):
        compare_models(first, second, seed=1)


def test_different_labels_are_refused():
    with pytest.raises(ValueError, match="different labels"):
        compare_models(model([True]), Columns.of([Row("a", "x", "x")], labels=("x", "y")), seed=1)


def test_models_that_cannot_be_told_apart_share_a_rank():
    ranking = rank_models({"weak": lucky(0.5, seed=1), "one": lucky(0.9, seed=2), "two": lucky(0.9, seed=3)})
    assert [entry["rank"] for entry in ranking] == [1, 1, 3]
    assert ranking[-1]["model"] == "weak"
    assert ranking[0]["tied_with"] == [ranking[1]["model"]]


def test_a_single_model_is_first():
    assert rank_models({"only": lucky(0.5)})[0]["rank"] == 1


def sliced(**counts):
    return {key: {"correct": correct, "n": cases} for key, (correct, cases) in counts.items()}


def test_suites_are_compared_within_three_points():
    found = compare_suites(
        sliced(a=(50, 100), b=(50, 100), c=(50, 100), d=(1, 1), e=(0, 0)),
        sliced(a=(47, 100), b=(46, 100), c=(54, 100), z=(1, 1), e=(1, 1)),
    )
    assert {key: result["verdict"] for key, result in found["by_key"].items()} == {
        "a": "tie",
        "b": "lower",
        "c": "higher",
    }
    assert (found["lower"], found["higher"], found["tie"]) == (1, 1, 1)
    assert found["only_first"] == ["d", "e"]
    assert found["only_second"] == ["z", "e"]


def test_exactly_three_points_are_a_tie_whatever_the_fraction():
    for cases in range(100, 2000, 100):
        for correct in range(3, cases // 2, 37):
            assert verdict_of(Fraction(correct, cases), Fraction(correct, cases) + Fraction(3, 100)) == "tie"


def test_a_difference_between_suites_comes_with_its_interval():
    found = compare_suites(sliced(a=(56, 70), b=(50, 100)), sliced(a=(48, 80), b=(0, 1)))["by_key"]
    # Newcombe (1998), table II, the first example: 56/70 - 48/80 is 0.2, 0.0524 to 0.3339.
    low, high = found["a"]["difference_ci95"]
    assert (round(-high, 4), round(-low, 4)) == (0.0524, 0.3339)
    assert not found["a"]["may_be_chance"]
    assert (found["b"]["verdict"], found["b"]["may_be_chance"]) == ("lower", True)


def test_a_difference_of_nothing_has_no_interval():
    assert newcombe(0, 0, 1, 2) is None
