"""Scores, their uncertainty, and what happens to a model that looks away from hashtags."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.attacks.algorithm.scoring import (
    HashtagCheck,
    Rate,
    check_hashtags,
    chi_squared_p,
    difference_interval,
    geometric_mean,
    pareto_frontier,
    rate_of,
    score_answers,
)
from evaluation.attacks.algorithm.values import NAMES, AttackPost, AttackSet, Name

LABELS: dict[Name, list[bool]] = {
    "original": [True] * 50 + [False] * 50,
    "hashtag_check": [True] * 50 + [False] * 50,
    "quo": [False] * 50,
    "corr_nn": [False] * 50,
    "corr_aa": [True] * 50,
    "flip": [True] * 50,
}
SETS: dict[Name, AttackSet] = {
    name: AttackSet(name, tuple(AttackPost(f"{name} {row}", label, row) for row, label in enumerate(labels)))
    for name, labels in LABELS.items()
}


def answers(**changes) -> dict:
    return {**LABELS, **changes}


def with_wrong(name: Name, wrong: int) -> list[bool]:
    return [not label if row < wrong else label for row, label in enumerate(LABELS[name])]


def test_a_perfect_model_scores_one_everywhere():
    scores = score_answers(SETS, answers())
    assert scores.aaa == scores.aaa_with_f1 == scores.f1 == 1.0
    assert all(scores.passes(name) for name in LABELS)
    assert scores.notes == ()


def test_the_aaa_score_is_the_geometric_mean_of_the_four_rates():
    given_answers = answers(quo=with_wrong("quo", 40), flip=with_wrong("flip", 10), corr_nn=with_wrong("corr_nn", 25))
    scores = score_answers(SETS, given_answers)
    assert scores.aaa == pytest.approx((0.2 * 0.8 * 0.5 * 1.0) ** (1 / 4))
    assert scores.aaa_with_f1 == pytest.approx((1.0 * 0.2 * 0.8 * 0.5 * 1.0) ** (1 / 5))
    assert scores.passes("quo") is False
    assert scores.passes("flip") is True


def test_sixty_per_cent_passes_and_a_little_less_does_not():
    assert score_answers(SETS, answers(quo=with_wrong("quo", 20))).passes("quo") is True
    assert score_answers(SETS, answers(quo=with_wrong("quo", 21))).passes("quo") is False


def test_a_model_that_drops_hashtags_gets_nothing_for_both_corr_attacks():
    blind = answers(hashtag_check=[False] * 100)
    scores = score_answers(SETS, blind)
    assert scores.scores["corr_nn"] == scores.scores["corr_aa"] == scores.aaa == 0.0
    assert scores.rates["corr_aa"].share == 1.0
    assert "ignores hashtags" in scores.notes[0]


def test_under_warn_the_scores_stay_and_the_note_says_why_they_mean_nothing():
    scores = score_answers(SETS, answers(hashtag_check=[False] * 100), policy="warn")
    assert scores.aaa == 1.0
    assert "mean nothing" in scores.notes[0]


def hashtag_rates(found: float, left_alone: float) -> HashtagCheck:
    """The hashtag check of the paper's table 2: 622 abusive posts and 1,342 others."""
    positive, negative = Rate(round(622 * found), 622), Rate(round(1342 * left_alone), 1342)
    before = Rate(540, 622), Rate(1200, 1342)
    return HashtagCheck(
        (before[0], positive), (before[1], negative),
        chi_squared_p(before[0], positive), chi_squared_p(before[1], negative),
    )  # fmt: skip


@pytest.mark.parametrize("left_alone", [0.55, 0.7, 0.85, 0.95, 0.99])
@pytest.mark.parametrize("information", [0.121, 0.386, 0.495])
def test_models_of_the_papers_table_that_still_tell_abuse_apart_read_hashtags(information, left_alone):
    """However TPR and TNR share it out. A drop is significant for all three, and the paper scores them all the same."""
    check = hashtag_rates(information + 1 - left_alone, left_alone)
    assert check.information == pytest.approx(information, abs=0.002)
    assert check.p_true_positive is not None
    assert check.p_true_negative is not None
    assert min(check.p_true_positive, check.p_true_negative) < 0.05
    assert not check.ignores_hashtags


@pytest.mark.parametrize("left_alone", [0.0, 0.3, 0.7, 1.0])
def test_the_model_of_the_papers_table_that_tells_nothing_apart_ignores_hashtags(left_alone):
    check = hashtag_rates(1 - left_alone, left_alone)
    assert check.information == pytest.approx(0, abs=0.002)
    assert check.ignores_hashtags


def test_few_posts_show_nothing_unless_the_difference_is_large():
    labels = [True] * 10 + [False] * 10
    a_little = [True] * 6 + [False] * 4 + [True] * 4 + [False] * 6
    assert check_hashtags(labels, labels, a_little).information == pytest.approx(0.2)
    assert check_hashtags(labels, labels, a_little).ignores_hashtags
    assert not check_hashtags(labels, labels, labels).ignores_hashtags


def test_the_note_gives_the_figure_and_its_interval():
    note = score_answers(SETS, answers(hashtag_check=[False] * 100)).notes[0]
    assert "TPR + TNR - 1 = 0.0, 95% interval -0.07 to 0.07" in note


def test_the_interval_of_a_difference_equals_that_of_statsmodels():
    from statsmodels.stats.proportion import confint_proportions_2indep

    expected = confint_proportions_2indep(56, 70, 48, 80, compare="diff", method="newcomb")
    assert difference_interval(Rate(56, 70), Rate(48, 80)) == pytest.approx(expected)
    assert difference_interval(Rate(0, 0), Rate(1, 2)) is None


def test_better_answers_to_hashtags_are_reported_as_a_change():
    check = check_hashtags(LABELS["original"], [False] * 100, LABELS["original"])
    assert check.p_true_positive is not None
    assert check.p_true_positive < 0.05
    assert not check.ignores_hashtags


def test_a_large_drop_alone_does_not_mean_that_hashtags_are_ignored():
    check = check_hashtags(LABELS["original"], LABELS["original"], with_wrong("original", 25))
    assert check.p_true_positive is not None
    assert check.p_true_positive < 1e-6
    assert not check.ignores_hashtags


def test_what_was_not_answered_is_undefined_with_a_reason():
    partly: dict[Name, list[bool]] = {"original": LABELS["original"], "quo": LABELS["quo"]}
    scores = score_answers(SETS, partly)
    assert scores.aaa is None
    assert scores.passes("flip") is None
    assert "Flip N→A: not answered." in scores.notes


def test_unequal_numbers_and_unknown_sets_are_refused():
    with pytest.raises(ValueError, match="49 answers for 50 posts"):
        score_answers(SETS, answers(quo=[False] * 49))
    with pytest.raises(ValueError, match="no posts for ident_nn"):
        score_answers(SETS, answers(ident_nn=[False]))


def test_the_chi_squared_test_equals_scipys():
    from scipy.stats import chi2_contingency

    first, second = Rate(80, 100), Rate(66, 95)
    expected = chi2_contingency([[80, 20], [66, 29]], correction=False).pvalue
    assert chi_squared_p(first, second) == pytest.approx(expected)


def test_the_interval_equals_scipys_wilson_interval():
    from scipy.stats import binomtest

    expected = binomtest(7, 40).proportion_ci(method="wilson")
    assert Rate(7, 40).interval == pytest.approx((expected.low, expected.high))


def test_nothing_measured_is_undefined_not_zero():
    assert Rate(0, 0).share is None
    assert Rate(0, 0).interval is None
    assert chi_squared_p(Rate(0, 0), Rate(1, 2)) is None
    assert rate_of([], []).share is None
    assert geometric_mean([]) is None
    assert geometric_mean([0.5, None]) is None


@settings(deadline=None)
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_interval_holds_the_share_and_stays_within_bounds(numbers):
    rate = Rate(*numbers)
    low, high = rate.interval or (1, 0)
    assert 0 <= low <= (rate.share or 0) + 1e-12
    assert (rate.share or 0) - 1e-12 <= high <= 1


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=6))
def test_the_geometric_mean_lies_between_the_extremes(values):
    mean = geometric_mean(values)
    assert mean is not None
    assert min(values) - 1e-9 <= mean <= max(values) + 1e-9
    assert math.isfinite(mean)


def test_the_frontier_keeps_what_nobody_beats():
    models = {"a": (0.9, 0.1), "b": (0.5, 0.5), "c": (0.4, 0.5), "d": (0.1, 0.9), "e": (0.99, None)}
    assert pareto_frontier(models) == ["a", "b", "d"]


def test_equal_models_are_both_on_the_frontier():
    assert pareto_frontier({"a": (0.5, 0.5), "b": (0.5, 0.5)}) == ["a", "b"]


@settings(deadline=None)
@given(st.dictionaries(st.text(max_size=3), st.tuples(*[st.floats(0, 1)] * 3), max_size=12))
def test_everyone_off_the_frontier_is_beaten_by_someone_on_it(models):
    frontier = pareto_frontier(models)
    for name in set(models) - set(frontier):
        assert any(all(a >= b for a, b in zip(models[best], models[name], strict=True)) for best in frontier)


def test_every_attack_has_a_name_and_a_file():
    from evaluation.attacks.algorithm.exchange import FILE_NAMES

    assert set(FILE_NAMES) == set(NAMES)


def test_aaa_has_an_interval_that_narrows_with_more_posts_and_none_where_it_is_zero():
    def sets_and_answers(n, right):
        labels = {"quo": False, "corr_aa": True, "corr_nn": False, "flip": True}
        sets = {name: AttackSet(name, tuple(AttackPost("a", w, i) for i in range(n))) for name, w in labels.items()}
        answers = {name: [w if i < right else not w for i in range(n)] for name, w in labels.items()}
        return sets, answers

    few, many = (score_answers(*sets_and_answers(n, n // 2)) for n in (40, 4000))
    for scores in (few, many):
        low, high = scores.aaa_interval
        assert low < scores.aaa < high
    assert many.aaa_interval[1] - many.aaa_interval[0] < (few.aaa_interval[1] - few.aaa_interval[0]) / 5
    assert score_answers(*sets_and_answers(40, 0)).aaa_interval is None
