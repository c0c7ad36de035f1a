"""Comparison of models and suites."""

import gc
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.intervals import wilson
from core.statistics.significance import (
    NO_DIFFERENCE,
    TOO_FEW,
    holm,
    mcnemar_exact,
    sign_flip_p,
    smallest_detectable_difference,
)
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.compare import common_rows, compare_models, rank_models
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


def test_holm_leaves_alone_what_a_worker_shares_with_its_parent():
    gc.freeze()
    try:
        shared = gc.get_freeze_count()
        holm({"a": 0.01, "b": 0.04})
        assert gc.get_freeze_count() > 0.99 * shared  # one object less may have died meanwhile
    finally:
        gc.unfreeze()
    holm({"a": 0.01, "b": 0.04})
    assert gc.get_freeze_count() == 0


def test_holm_gives_the_textbook_values():
    found = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert found == pytest.approx({"a": 0.03, "b": 0.06, "c": 0.06, "d": 0.02})


def lone(cases, share):
    """Template differences of one case each: the two models differ on the given share, in turn either way."""
    different = round(cases * share)
    return np.asarray([(-1) ** n for n in range(different)] + [0] * (cases - different), dtype=np.int64)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 120), st.floats(0.01, 1))
def test_a_larger_suite_finds_smaller_differences(cases, share):
    differences = lone(cases, share)
    small = smallest_detectable_difference(differences, cases)
    large = smallest_detectable_difference(np.tile(differences, 4), 4 * cases)
    if small is not None:
        assert large is not None
        assert 0 < large < small
        assert small <= np.abs(differences).mean() + 1e-9


@pytest.mark.parametrize("size", [1, 7])
def test_the_promised_power_is_about_right(size):
    """Also where the cases of a template move together: seven times the cases, no more power."""
    templates, share = 400, 0.2
    difference = smallest_detectable_difference(size * lone(templates, share), templates * size)
    assert difference == pytest.approx(smallest_detectable_difference(lone(templates, share), templates), abs=1e-6)
    generator = np.random.default_rng(1)
    chances = [(share + difference) / 2, (share - difference) / 2, 1 - share]
    drawn = generator.choice([size, -size, 0], size=(600, templates), p=chances)
    assert np.mean([sign_flip_p(one) < 0.05 for one in drawn]) == pytest.approx(0.8, abs=0.05)


@given(st.lists(st.integers(-7, 7), min_size=1, max_size=20), st.sampled_from([0.05, 0.05 / 29]))
def test_a_difference_can_be_detected_exactly_where_one_could_be_significant(given_differences, level):
    differences = np.asarray(given_differences)
    found = smallest_detectable_difference(differences, 7 * len(differences), level=level)
    one_sided = sign_flip_p(np.abs(differences))
    at_best = 2.0 ** (1 - np.count_nonzero(differences))
    assert one_sided is None or one_sided == pytest.approx(at_best)
    assert (found is None) == (at_best >= level or not differences.any())
    if found is not None:
        assert 0 < found <= np.abs(differences).sum() / (7 * len(differences)) + 1e-9


def test_nothing_is_called_undetectable_that_was_found():
    first, second = in_templates([(True, False)] * 16 + [(True, True)] * 4)
    found = compare_models(first, second)["by_functionality"]["f"]
    assert found["is_significant"]
    assert 0 < found["smallest_detectable"] <= found["difference"]


def test_too_small_a_suite_detects_nothing():
    assert smallest_detectable_difference(lone(5, 0.2), 5) is None
    assert smallest_detectable_difference(lone(100, 0.0), 100) is None
    assert smallest_detectable_difference(lone(0, 0.5), 0) is None
    # Seven templates reach a p value of 1/64 at best, whatever the number of their cases.
    assert smallest_detectable_difference(np.full(7, 20), 140, level=0.05 / 29) is None


def test_a_better_model_is_significantly_better():
    found = compare_models(lucky(0.9), lucky(0.6, seed=1))
    assert found["overall"]["is_significant"]
    assert found["overall"]["difference_ci95"][0] > 0
    assert found["overall"]["macro_f1_difference"] > 0.1
    assert all(result["is_significant"] for result in found["by_functionality"].values())


def test_a_model_does_not_differ_from_itself():
    found = compare_models(lucky(0.7), lucky(0.7))
    assert (found["overall"]["difference"], found["overall"]["p"]) == (0, None)
    assert found["overall"]["reason"] == NO_DIFFERENCE
    assert not found["overall"]["is_significant"]
    assert found["overall"]["difference_ci95"] is None
    assert found["overall"]["smallest_detectable"] is None


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=40))
def test_swapping_the_models_swaps_the_signs(rights):
    first, second = (model(list(column)) for column in zip(*rights, strict=True))
    one, other = compare_models(first, second), compare_models(second, first)
    assert one["overall"]["difference"] == -other["overall"]["difference"]
    assert one["overall"]["p"] == other["overall"]["p"]
    for key, result in one["by_functionality"].items():
        assert result["only_first_right"] == other["by_functionality"][key]["only_second_right"]
        assert result["p"] is result["p_holm"] is None or result["p"] <= result["p_holm"]


def test_only_common_cases_are_compared():
    first, second = model([True, False, True], cases=["a", "b", "c"]), model([True, True, True], cases=["x", "b", "y"])
    shared, other = common_rows(first, second)
    assert shared.cases == other.cases == ("b",)
    assert shared.factors["functionality"].values == ("f1",)
    found = compare_models(first, second)
    assert (found["n"], found["left_out"]) == (1, 4)
    assert found["overall"]["only_second_right"] == 1


def test_different_gold_labels_for_one_case_are_refused():
    first = Columns.of([Row("a", HATEFUL, HATEFUL)], labels=LABELS)
    second = Columns.of([Row("a", FINE, FINE)], labels=LABELS)
    with pytest.raises(ValueError, match="case a has two gold labels"):
        compare_models(first, second)


def test_different_labels_are_refused():
    with pytest.raises(ValueError, match="different labels"):
        compare_models(model([True]), Columns.of([Row("a", "x", "x")], labels=("x", "y")))


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


def test_the_interval_of_a_difference_is_wider_where_slices_have_few_templates():
    slices = {"correct": 70, "n": 140, "ci95": list(wilson(10, 20)), "templates": 20}
    other = {"correct": 98, "n": 140, "ci95": list(wilson(14, 20)), "templates": 20}
    found = compare_suites({"a": slices}, {"a": other})["by_key"]["a"]
    assert found["may_be_chance"]
    assert (found["first_templates"], found["second_templates"]) == (20, 20)
    assert found["first_ci95"] == slices["ci95"]
    alone = compare_suites(sliced(a=(70, 140)), sliced(a=(98, 140)))["by_key"]["a"]
    assert not alone["may_be_chance"]


def in_templates(templates, size=7):
    """Columns of one model by template, each right or wrong on all its cases, as (first, second)."""
    rights = [[right for right in column for _ in range(size)] for column in zip(*templates, strict=True)]
    return [
        Columns.of(
            [
                Row(f"c{n}", HATEFUL, HATEFUL if right else FINE, functionality="f", template=str(n // size))
                for n, right in enumerate(column)
            ],
            labels=LABELS,
        )
        for column in rights
    ]


def test_four_templates_are_too_few_to_tell_whatever_their_cases():
    first, second = in_templates([(True, False)] * 4, size=50)
    found = compare_models(first, second)
    for result in (found["overall"], found["by_functionality"]["f"]):
        assert (result["p"], result["is_significant"], result["reason"]) == (None, False, TOO_FEW)
        assert (result["n"], result["templates"], result["templates_that_differ"]) == (200, 4, 4)
        assert result["p_mcnemar"] < 1e-50
        assert result["smallest_detectable"] is None
    assert found["by_functionality"]["f"]["p_holm"] is None
    assert [entry["rank"] for entry in rank_models({"a": first, "b": second})] == [1, 1]


def test_the_cases_of_a_template_count_as_one_finding():
    """Seven cases of a template say it once: 9 of 12 templates are no finding, 63 of 84 cases would be one."""
    first, second = in_templates([(True, False)] * 9 + [(False, True)] * 3)
    found = compare_models(first, second)["by_functionality"]["f"]
    assert found["p_mcnemar"] < 1e-5
    assert found["p"] == pytest.approx(0.146, abs=0.001)
    assert not found["is_significant"]
    assert [entry["rank"] for entry in rank_models({"a": first, "b": second})] == [1, 1]
