"""Bootstrap intervals over templates."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.measures.coefficients import (
    fleiss_kappa_unequal,
    krippendorff_alpha,
    pairwise_agreement,
    unanimity,
)
from annotation.measures.intervals import agreement_intervals, fleiss_interval


def invented(seed, cases=120, templates=30, labels=2, raters=5):
    """A table with real but imperfect agreement, and the template of each case."""
    generator = np.random.default_rng(seed)
    truth = generator.integers(labels, size=cases)
    noisy = generator.random((cases, raters)) < 0.15
    given_labels = np.where(noisy, generator.integers(labels, size=(cases, raters)), truth[:, None])
    table = np.stack([(given_labels == label).sum(axis=1) for label in range(labels)], axis=1)
    return table, generator.integers(templates, size=cases).tolist()


def naive(statistic, table, templates, seed, draws):
    """The same resampling, one draw at a time, with the point estimators."""
    names = list(dict.fromkeys(templates))
    rows_of = {name: [row for row, template in enumerate(templates) if template == name] for name in names}
    generator = np.random.default_rng(seed)
    values = []
    for picks in generator.integers(len(names), size=(draws, len(names))):
        rows = [row for pick in picks for row in rows_of[names[pick]]]
        values.append(statistic(table[rows]).value)
    return np.quantile(values, [0.025, 0.975])


def test_the_kappa_interval_equals_one_draw_at_a_time():
    table, templates = invented(1)
    table[::7, 0] += 1
    found = fleiss_interval(table, templates, seed=5, draws=60)
    assert found == pytest.approx(naive(fleiss_kappa_unequal, table, templates, 5, 60), abs=1e-9)


def test_the_intervals_of_percent_agreement_equal_one_draw_at_a_time():
    table, templates = invented(1)
    table[::7, 0] += 1
    table[3] = 0
    found = agreement_intervals(table, templates, seed=5, draws=60)
    assert found.pairwise == pytest.approx(naive(pairwise_agreement, table, templates, 5, 60), abs=1e-9)
    assert found.kappa == fleiss_interval(table, templates, seed=5, draws=60)
    assert found.unanimity == pytest.approx(naive(unanimity, table, templates, 5, 60), abs=1e-9)


def test_the_alpha_interval_equals_one_draw_at_a_time():
    table, templates = invented(2, labels=4)
    found = agreement_intervals(table, templates, seed=5, draws=40).alpha
    expected = naive(krippendorff_alpha, table, templates, 5, 40)
    assert found == pytest.approx(expected, abs=1e-9)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_the_same_seed_gives_the_same_interval(seed):
    table, templates = invented(3, cases=40)
    assert fleiss_interval(table, templates, seed=seed, draws=50) == fleiss_interval(
        table, templates, seed=seed, draws=50
    )


def share_interval(holds, templates, *, seed, draws=2000):
    """The interval of a share: of cases on which two people agree."""
    table = [[2, 0] if one else [1, 1] for one in holds]
    return agreement_intervals(table, templates, seed=seed, draws=draws).unanimity


@settings(max_examples=40, deadline=None)
@given(st.lists(st.booleans(), min_size=4, max_size=60), st.integers(0, 100))
def test_a_share_interval_stays_between_zero_and_one(holds, seed):
    bounds = share_interval(holds, list(range(len(holds))), seed=seed, draws=100)
    assert bounds is not None
    assert 0 <= bounds[0] <= bounds[1] <= 1


def test_cases_of_one_template_that_move_together_widen_the_interval():
    holds = [True] * 50 + [False] * 50
    alone = share_interval(holds, list(range(100)), seed=1)
    together = share_interval(holds, [case // 10 for case in range(100)], seed=1)
    assert together[1] - together[0] > 2 * (alone[1] - alone[0])


def test_the_interval_covers_the_truth_about_as_often_as_it_says():
    generator = np.random.default_rng(7)
    hits = 0
    for world in range(200):
        holds = generator.random(150) < 0.6
        low, high = share_interval(holds.tolist(), list(range(150)), seed=world, draws=300)
        hits += low <= 0.6 <= high
    assert 0.89 <= hits / 200 <= 0.99


def test_the_blocks_of_draws_do_not_change_the_result(monkeypatch):
    table, templates = invented(4)
    whole = fleiss_interval(table, templates, seed=9, draws=200)
    monkeypatch.setattr("core.statistics.intervals.CELLS_AT_ONCE", 500)
    assert fleiss_interval(table, templates, seed=9, draws=200) == pytest.approx(whole)


def test_one_template_gives_no_interval():
    assert fleiss_interval([[3, 2], [2, 3]], ["a", "a"], seed=1) is None


def test_a_value_that_is_mostly_undefined_gives_no_interval():
    assert fleiss_interval([[5, 0]] * 9 + [[4, 1]], list(range(10)), seed=1) is None


def test_a_case_without_a_template_is_refused():
    with pytest.raises(ValueError, match="same length"):
        fleiss_interval([[3, 2], [2, 3], [1, 4]], ["a", "b"], seed=1)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 1000))
def test_the_interval_holds_the_value_of_the_whole(seed):
    table, templates = invented(seed, cases=200, templates=60)
    bounds = fleiss_interval(table, templates, seed=seed, draws=400)
    value = fleiss_kappa_unequal(table).value
    assume(bounds is not None)
    assert bounds[0] <= value <= bounds[1]
