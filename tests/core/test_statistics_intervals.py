"""Wilson's interval and the bootstrap over templates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.statistics.intervals import bootstrap, wilson

shares = st.integers(0, 400).flatmap(lambda cases: st.tuples(st.integers(0, cases), st.just(cases)))


@settings(deadline=None)
@given(shares)
def test_wilson_contains_the_share_and_stays_between_zero_and_one(share):
    correct, cases = share
    found = wilson(correct, cases)
    if not cases:
        assert found is None
    else:
        assert 0 <= found[0] <= correct / cases + 1e-12
        assert correct / cases - 1e-12 <= found[1] <= 1


@settings(deadline=None)
@given(shares)
def test_wilson_is_the_same_seen_from_the_other_side(share):
    correct, cases = share
    found, mirrored = wilson(correct, cases), wilson(cases - correct, cases)
    if cases:
        assert found == pytest.approx((1 - mirrored[1], 1 - mirrored[0]), abs=1e-12)


@settings(deadline=None)
@given(st.integers(1, 200), st.integers(2, 20))
def test_more_cases_make_wilson_narrower(cases, times):
    narrow, wide = wilson(cases * times, 2 * cases * times), wilson(cases, 2 * cases)
    assert narrow[1] - narrow[0] < wide[1] - wide[0]


@pytest.mark.parametrize(("correct", "cases"), [(0, 5), (3, 7), (81, 263), (15, 15)])
def test_wilson_equals_scipy(correct, cases):
    from scipy.stats import binomtest

    peer = binomtest(correct, cases).proportion_ci(method="wilson")
    assert wilson(correct, cases) == pytest.approx((peer.low, peer.high), abs=1e-12)


@pytest.mark.parametrize(("correct", "cases"), [(3, 2), (-1, 2)])
def test_impossible_counts_are_refused(correct, cases):
    with pytest.raises(ValueError, match="cannot be"):
        wilson(correct, cases)


def mean(sums):
    return sums[:, 1:2] / sums[:, 0:1]


def facts_of(values):
    return np.column_stack([np.ones(len(values)), values])


@settings(max_examples=40, deadline=None)
@given(st.lists(st.booleans(), min_size=2, max_size=50), st.integers(0, 100))
def test_the_bootstrap_stays_within_the_data(values, seed):
    (bounds,) = bootstrap(facts_of(np.asarray(values, float)), np.arange(len(values)), mean, seed=seed, draws=80)
    assert min(values) <= bounds[0] <= bounds[1] <= max(values)


def test_the_bootstrap_equals_one_draw_at_a_time():
    generator = np.random.default_rng(1)
    values, clusters = generator.random(90), generator.integers(20, size=90)
    (found,) = bootstrap(facts_of(values), clusters, mean, seed=3, draws=70)
    used = np.unique(clusters)
    drawn = [
        np.concatenate([values[clusters == used[pick]] for pick in picks]).mean()
        for picks in np.random.default_rng(3).integers(len(used), size=(70, len(used)))
    ]
    assert found == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=1e-12)


def test_blocks_of_draws_do_not_change_the_result(monkeypatch):
    values, clusters = np.random.default_rng(1).random(90), np.arange(90)
    whole = bootstrap(facts_of(values), clusters, mean, seed=3, draws=70)
    monkeypatch.setattr("core.statistics.intervals.CELLS_AT_ONCE", 200)
    assert bootstrap(facts_of(values), clusters, mean, seed=3, draws=70)[0] == pytest.approx(whole[0], abs=1e-12)


@pytest.mark.parametrize(("clusters", "draws"), [([1, 1, 1], 50), ([1, 2, 3], 0)])
def test_one_template_or_no_draws_give_no_interval(clusters, draws):
    assert bootstrap(facts_of(np.ones(3)), np.asarray(clusters), mean, seed=1, draws=draws) == [None]


def test_a_statistic_that_is_often_undefined_gives_no_interval():
    facts = np.column_stack([np.asarray([1.0] + [0.0] * 9), np.zeros(10)])
    assert bootstrap(facts, np.arange(10), mean, seed=1, draws=100) == [None]
