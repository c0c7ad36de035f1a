"""Fleiss' kappa in its three forms."""

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.measures.coefficients import (
    NO_CASE,
    NO_PAIR,
    ONE_CASE,
    ONE_LABEL,
    fleiss_kappa,
    fleiss_kappa_of_table,
    fleiss_kappa_unequal,
)

FLEISS_1971 = [
    [0, 0, 0, 0, 14],
    [0, 2, 6, 4, 2],
    [0, 0, 3, 5, 6],
    [0, 3, 9, 2, 0],
    [2, 2, 8, 1, 1],
    [7, 7, 0, 0, 0],
    [3, 2, 6, 3, 0],
    [2, 5, 3, 2, 2],
    [6, 5, 2, 1, 0],
    [0, 2, 2, 3, 7],
]


@st.composite
def equal_tables(draw):
    """Between 1 and 30 cases with the same number of raters."""
    raters, labels = draw(st.integers(2, 7)), draw(st.integers(2, 4))
    given_labels = st.lists(st.integers(0, labels - 1), min_size=raters, max_size=raters)
    cases = draw(st.lists(given_labels, min_size=1, max_size=30))
    return [[case.count(label) for label in range(labels)] for case in cases]


unequal_tables = st.integers(2, 4).flatmap(
    lambda labels: st.lists(st.lists(st.integers(0, 4), min_size=labels, max_size=labels), min_size=1, max_size=30)
)


def test_the_textbook_example_gives_the_textbook_value():
    assert fleiss_kappa(FLEISS_1971).value == pytest.approx(0.20993, abs=1e-5)


@pytest.fixture(scope="module")
def peer():
    from statsmodels.stats.inter_rater import fleiss_kappa as of_statsmodels

    return of_statsmodels


@settings(deadline=None)
@given(table=equal_tables())
def test_all_forms_equal_statsmodels(peer, table):
    assume(np.count_nonzero(np.sum(table, axis=0)) > 1)
    expected = peer(np.asarray(table))
    if len(table) == 1:
        assert (fleiss_kappa(table).value, fleiss_kappa(table).reason) == (None, ONE_CASE)
    else:
        assert fleiss_kappa(table).value == pytest.approx(expected, abs=1e-12)
    assert fleiss_kappa_of_table(table).value == pytest.approx(expected, abs=1e-12)
    assert fleiss_kappa_unequal(table).value == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(equal_tables(), st.randoms())
def test_the_order_of_cases_and_labels_does_not_matter(table, random):
    value = fleiss_kappa_of_table(table).value
    columns = list(range(len(table[0])))
    random.shuffle(columns)
    shuffled = [[row[column] for column in columns] for row in table]
    random.shuffle(shuffled)
    assert fleiss_kappa_of_table(shuffled).value == pytest.approx(value, abs=1e-12)


@settings(deadline=None)
@given(equal_tables())
def test_counting_equal_patterns_first_changes_nothing(table):
    patterns, cases = np.unique(np.asarray(table), axis=0, return_counts=True)
    value = fleiss_kappa_of_table(table).value
    assert fleiss_kappa_of_table(patterns, cases_per_row=cases).value == pytest.approx(value, abs=1e-12)
    assert fleiss_kappa_unequal(patterns, cases_per_row=cases).value == pytest.approx(value, abs=1e-12)


@settings(deadline=None)
@given(unequal_tables)
def test_kappa_of_unequal_raters_never_exceeds_one(table):
    found = fleiss_kappa_unequal(table)
    assert found.value is None or found.value <= 1 + 1e-12
    assert (found.value is None) == bool(found.reason)


@settings(deadline=None)
@given(unequal_tables)
def test_kappa_of_unequal_raters_follows_its_definition(table):
    labelled = [row for row in table if sum(row)]
    paired = [row for row in labelled if sum(row) > 1]
    assume(paired and sum(any(row[label] for row in labelled) for label in range(len(table[0]))) > 1)
    observed = sum(sum(n * (n - 1) for n in row) / (sum(row) * (sum(row) - 1)) for row in paired) / len(paired)
    shares = [sum(row[label] / sum(row) for row in labelled) / len(labelled) for label in range(len(table[0]))]
    expected = sum(share**2 for share in shares)
    assert fleiss_kappa_unequal(table).value == pytest.approx((observed - expected) / (1 - expected), abs=1e-9)


def test_cases_without_a_label_are_left_out():
    assert fleiss_kappa_unequal([*FLEISS_1971, [0] * 5]) == fleiss_kappa_unequal(FLEISS_1971)


def test_perfect_agreement_on_two_labels_is_one():
    assert fleiss_kappa_of_table([[5, 0], [0, 5]]).value == 1


@pytest.mark.parametrize("kappa", [fleiss_kappa, fleiss_kappa_of_table, fleiss_kappa_unequal])
@pytest.mark.parametrize(
    ("table", "reason"), [([], NO_CASE), (np.zeros((0, 2)), NO_CASE), ([[5, 0], [5, 0]], ONE_LABEL)]
)
def test_undefined_is_none_with_the_reason(kappa, table, reason):
    found = kappa(table)
    assert found.value is None
    assert found.reason == reason


def test_single_labels_leave_nothing_to_compare():
    assert fleiss_kappa_unequal([[1, 0], [0, 1]]).reason == NO_PAIR


@pytest.mark.parametrize("table", [[[3, 2], [4, 0]], [[1, 0], [0, 1]]])
def test_unequal_or_single_raters_need_the_generalised_form(table):
    with pytest.raises(ValueError, match="same number of raters"):
        fleiss_kappa_of_table(table)
    assert fleiss_kappa(table) == fleiss_kappa_unequal(table)


@pytest.mark.parametrize("table", [[[1.5, 0.5]], [[-1, 3]], [1, 2]])
def test_what_is_no_vote_table_is_refused(table):
    with pytest.raises(ValueError, match="vote table"):
        fleiss_kappa_of_table(table)


def test_a_wrong_number_of_weights_is_refused():
    with pytest.raises(ValueError, match="cases_per_row"):
        fleiss_kappa_of_table([[1, 1]], cases_per_row=[1, 2])
