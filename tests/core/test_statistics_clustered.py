"""Intervals and tests for cases that come in templates."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.statistics.intervals import wilson
from core.statistics.shares import Share, difference_interval, effective_cases, share_of
from core.statistics.significance import NO_DIFFERENCE, TOO_FEW, sign_flip_p, why_no_p
from evaluation.metrics.columns import Columns, Row
from evaluation.metrics.contrast import contrast_pairs
from evaluation.metrics.report import measure

LABELS = ("hateful", "non-hateful")
cases_in_templates = st.lists(st.tuples(st.booleans(), st.integers(0, 8)), min_size=1, max_size=80)
template_differences = st.lists(st.integers(-7, 7), max_size=11).map(lambda given: np.asarray(given, dtype=np.int64))


def counted(cases):
    return share_of(np.asarray([right for right, _ in cases]), np.asarray([template for _, template in cases]))


@given(cases_in_templates)
def test_the_interval_holds_the_share_and_stays_between_zero_and_one(cases):
    share = counted(cases)
    low, high = share.interval
    assert 0 <= low <= share.correct / share.cases + 1e-12
    assert share.correct / share.cases - 1e-12 <= high <= 1
    assert low < high


@given(cases_in_templates)
def test_templates_never_make_cases_worth_more_than_they_are(cases):
    share = counted(cases)
    assert 0 < share.effective <= share.cases
    plain = wilson(share.correct, share.cases)
    assert share.interval[0] <= plain[0] + 1e-12
    assert plain[1] - 1e-12 <= share.interval[1]


@given(cases_in_templates)
def test_the_interval_is_the_same_seen_from_the_other_side(cases):
    share, mirrored = counted(cases), counted([(not right, template) for right, template in cases])
    assert share.interval == pytest.approx((1 - mirrored.interval[1], 1 - mirrored.interval[0]), abs=1e-9)


@given(st.lists(st.booleans(), min_size=1, max_size=60))
def test_cases_without_a_template_are_independent_and_get_wilson(rights):
    rows = [Row(str(n), "hateful", LABELS[not right], functionality="f") for n, right in enumerate(rights)]
    found = measure(rows, labels=LABELS, positive="hateful")
    for result in (found["overall"], found["by_functionality"]["f"]):
        assert result["ci95"] == pytest.approx(wilson(sum(rights), len(rights)))
        assert result["templates"] == result["n"] == len(rights)


def test_templates_whose_cases_are_as_mixed_as_chance_give_about_wilson():
    generator = np.random.default_rng(5)
    right, clusters = generator.random(4000) < 0.7, np.repeat(np.arange(400), 10)
    share = share_of(right, clusters)
    assert share.interval == pytest.approx(wilson(share.correct, share.cases), abs=0.01)


def test_templates_that_are_all_right_or_all_wrong_count_as_one_case_each():
    clusters = np.repeat(np.arange(20), 7)
    every, none = share_of(np.ones(140, bool), clusters), share_of(np.zeros(140, bool), clusters)
    assert every.interval == pytest.approx(wilson(20, 20))
    assert none.interval == pytest.approx(wilson(0, 20))
    halved = share_of(clusters < 10, clusters)
    assert halved.effective < 20


def test_one_template_counts_as_one_case_however_large():
    share = share_of(np.arange(50) < 30, np.zeros(50, dtype=int))
    assert (share.templates, share.effective) == (1, 1)
    assert share.interval == pytest.approx(wilson(0.6, 1))


def test_nothing_has_no_interval():
    share = share_of(np.zeros(0, bool), np.zeros(0, dtype=int))
    assert (share.cases, share.templates, share.interval, share.listed) == (0, 0, None, None)


def test_the_effective_number_follows_the_recipe():
    """20 templates of 7: n over the design effect, times (1.96 / t quantile with 19 degrees of freedom) squared."""
    right = np.asarray([7] * 10 + [0] * 8 + [3] * 2, dtype=float)
    cases = np.full(20, 7.0)
    p = right.sum() / 140
    effect = np.var(right / 7, ddof=1) / 20 / (p * (1 - p) / 140)
    recipe = 140 / effect * (1.959964 / 2.093024) ** 2
    # The quarter template that guards rare answers may only take away, and nearly nothing from common ones.
    assert 0.98 * recipe < effective_cases(right, cases) <= recipe * (1 + 1e-6)


def test_one_wrong_case_does_not_make_templates_independent():
    """One wrong case of 140 in 20 templates must tell hardly more than none, not seven times as much."""
    right, cases = np.full(20, 7.0), np.full(20, 7.0)
    right[0] = 6
    assert effective_cases(np.full(20, 7.0), cases) == 20
    assert effective_cases(right, cases) < 40


def test_a_few_large_templates_leave_few_degrees_of_freedom():
    generator = np.random.default_rng(11)
    even, uneven = np.full(12, 10.0), np.asarray([40.0] * 2 + [4.0] * 10)
    shares = generator.random(12).round(1)
    assert effective_cases(shares * uneven, uneven) < effective_cases(shares * even, even)


# Where Wilson's interval on the recipe's effective number covered least: 89 to 92%.
HARD = [(4, 0.8, 0.5), (8, 0.5, 0.75), (12, 0.5, 0.1), (20, 0.5, 0.05), (30, 0.5, 0.05), (50, 0.8, 0.05)]


@pytest.mark.parametrize("sizes", [(7,), (1, 2, 7, 40)])
@pytest.mark.parametrize(("templates", "together", "chance"), [*HARD, (20, 0.5, 0.5)])
def test_the_interval_holds_in_every_cell_not_only_on_average(templates, together, chance, sizes):
    generator = np.random.default_rng(templates)
    strength, covered = (1 - together) / together, 0
    for _ in range(1500):
        cases = generator.choice(sizes, templates).astype(float)
        chances = generator.beta(chance * strength, (1 - chance) * strength, templates)
        right = generator.binomial(cases.astype(int), chances).astype(float)
        share = Share(int(right.sum()), int(cases.sum()), templates, effective_cases(right, cases))
        covered += share.interval[0] <= chance <= share.interval[1]
    assert covered / 1500 >= 0.93


@pytest.mark.parametrize("templates", [4, 8, 12, 20])
def test_the_interval_covers_what_it_promises(templates):
    """Beta-binomial templates of seven cases; Wilson on cases covers about three quarters here."""
    generator = np.random.default_rng(templates)
    covered, covered_by_wilson = [], []
    for together, chance in product((0.0, 0.2, 0.5, 0.8), (0.05, 0.3, 0.5, 0.75, 0.9)):
        for _ in range(30):
            strength = (1 - together) / together if together else 1e9
            chances = generator.beta(chance * strength, (1 - chance) * strength, templates)
            right = generator.binomial(7, chances).astype(float)
            correct, cases = int(right.sum()), 7 * templates
            share = Share(correct, cases, templates, effective_cases(right, np.full(templates, 7.0)))
            covered.append(share.interval[0] <= chance <= share.interval[1])
            plain = wilson(correct, cases)
            covered_by_wilson.append(plain[0] <= chance <= plain[1])
    assert np.mean(covered) >= 0.93
    assert np.mean(covered_by_wilson) < 0.88


def test_templates_of_unequal_size_are_covered_too():
    generator = np.random.default_rng(3)
    covered = []
    for together, chance in product((0.1, 0.4, 0.7), (0.1, 0.5, 0.8)):
        for _ in range(60):
            strength = (1 - together) / together
            cases = generator.choice([1, 2, 7, 40], 12).astype(float)
            chances = generator.beta(chance * strength, (1 - chance) * strength, 12)
            right = generator.binomial(cases.astype(int), chances).astype(float)
            share = Share(int(right.sum()), int(cases.sum()), 12, effective_cases(right, cases))
            covered.append(share.interval[0] <= chance <= share.interval[1])
    assert np.mean(covered) >= 0.93


@pytest.mark.parametrize("chance", [0.2, 0.5])
def test_one_large_template_among_lone_cases_does_not_make_the_share_certain(chance):
    generator = np.random.default_rng(4)
    cases = np.asarray([40.0] + [1.0] * 19)
    covered = []
    for _ in range(300):
        chances = generator.beta(chance / 4, (1 - chance) / 4, 20)
        right = generator.binomial(cases.astype(int), chances).astype(float)
        share = Share(int(right.sum()), 59, 20, effective_cases(right, cases))
        covered.append(share.interval[0] <= chance <= share.interval[1])
    assert np.mean(covered) >= 0.93


def enumerated(differences):
    """The p value by going through all signs."""
    informative = differences[differences != 0]
    sums = np.asarray(list(product((1, -1), repeat=len(informative)))) @ informative
    return float(np.mean(np.abs(sums) >= abs(int(informative.sum()))))


@given(template_differences)
def test_the_p_value_is_that_of_all_signs(differences):
    found = sign_flip_p(differences)
    if np.count_nonzero(differences) < 5:
        assert found is None
    else:
        assert found == pytest.approx(enumerated(differences), abs=1e-12)


@given(template_differences)
def test_exchanging_the_models_changes_no_p_value(differences):
    assert sign_flip_p(differences) == sign_flip_p(-differences)


@given(template_differences, st.randoms())
def test_the_order_of_templates_changes_no_p_value(differences, random):
    shuffled = differences.tolist()
    random.shuffle(shuffled)
    assert sign_flip_p(np.asarray(shuffled, dtype=np.int64)) == sign_flip_p(differences)


def test_many_templates_agree_with_drawn_signs():
    generator = np.random.default_rng(7)
    differences = generator.integers(-7, 8, 300) + (generator.random(300) < 0.1)
    signs = generator.choice([1, -1], size=(40_000, 300))
    drawn = np.mean(np.abs(signs @ differences) >= abs(differences.sum()))
    assert sign_flip_p(differences) == pytest.approx(drawn, abs=0.01)


def test_templates_of_one_case_give_mcnemar():
    from core.statistics.significance import mcnemar_exact

    for only_first, only_second in ((5, 0), (9, 3), (400, 460)):
        differences = np.asarray([1] * only_first + [-1] * only_second + [0] * 50)
        assert sign_flip_p(differences) == pytest.approx(mcnemar_exact(only_first, only_second), rel=1e-9)


def test_too_few_templates_have_a_reason_instead_of_a_p_value():
    assert sign_flip_p(np.asarray([7, 7, 7, 7, 0, 0])) is None
    assert why_no_p(np.asarray([7, 7, 7, 7, 0, 0])) == TOO_FEW
    assert why_no_p(np.zeros(30, dtype=int)) == NO_DIFFERENCE
    assert sign_flip_p(np.asarray([7, 7, 7, 7, 7])) == pytest.approx(1 / 16)
    assert why_no_p(np.asarray([1] * 5)) == ""


def test_a_difference_has_an_interval_over_templates():
    differences, cases = np.asarray([7, 0, 7, -7, 7, 7, 0, 7]), np.full(8, 7)
    low, high = difference_interval(differences, cases)
    assert low < 0 < differences.sum() / 56 < high <= 1
    assert difference_interval(np.asarray([3]), np.asarray([7])) is None
    assert difference_interval(np.asarray([7, 7]), np.asarray([7, 7])) is None
    assert difference_interval(np.zeros(4, dtype=int), np.full(4, 7)) is None


def test_contrast_pairs_count_the_templates_they_go_back_to():
    rows = []
    for template in range(4):
        for case in range(6):
            right = template < 3
            rows.append(Row(f"o{template}-{case}", "hateful", "hateful", template=f"o{template}"))
            rows.append(
                Row(f"v{template}-{case}", "non-hateful", "non-hateful" if right else "hateful",
                    template=f"v{template}", refers_to=f"o{template}-{case}", functionality="f")
            )  # fmt: skip
    found = contrast_pairs(Columns.of(rows, labels=LABELS))
    assert (found["n"], found["templates"], found["consistency"]) == (24, 4, 0.75)
    plain = wilson(18, 24)
    assert found["ci95"][1] - found["ci95"][0] > 1.5 * (plain[1] - plain[0])
    assert found["by_functionality"]["f"]["templates"] == 4
