"""Krippendorff's alpha: the package, wrapped."""

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from annotation.measures.coefficients import NO_PAIR, ONE_CASE, ONE_VALUE, krippendorff_alpha

# Krippendorff's own example (Computing Krippendorff's Alpha-Reliability, 2011, section C), values 1 to 5.
KRIPPENDORFF_2011 = [
    [3, 0, 0, 0, 0],
    [0, 3, 1, 0, 0],
    [0, 0, 4, 0, 0],
    [0, 0, 4, 0, 0],
    [0, 4, 0, 0, 0],
    [1, 1, 1, 1, 0],
    [0, 0, 0, 4, 0],
    [3, 1, 0, 0, 0],
    [0, 4, 0, 0, 0],
    [0, 0, 0, 0, 3],
    [2, 0, 0, 0, 0],
    [0, 0, 1, 0, 0],
]

tables = st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=20)


@pytest.mark.parametrize(("level", "value"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_the_published_example_gives_the_published_values(level, value):
    found = krippendorff_alpha(KRIPPENDORFF_2011, level=level, values=[1, 2, 3, 4, 5])
    assert found.value == pytest.approx(value, abs=0.0006)


@settings(deadline=None)
@given(tables)
def test_alpha_never_exceeds_one_and_says_why_when_undefined(table):
    for level in ("nominal", "ordinal", "interval"):
        found = krippendorff_alpha(table, level=level)
        assert found.value is None or found.value <= 1 + 1e-12
        assert (found.value is None) == bool(found.reason)


@settings(deadline=None)
@given(tables)
def test_cases_with_one_label_do_not_count(table):
    value = krippendorff_alpha(table).value
    assume(value is not None)
    assert krippendorff_alpha([*table, [1, 0, 0]]).value == pytest.approx(value, abs=1e-12)


def test_undefined_is_none_with_the_reason():
    assert krippendorff_alpha([[1, 0], [0, 1]]).reason == NO_PAIR
    assert krippendorff_alpha([[3, 0], [3, 0]]).reason == ONE_VALUE
    assert krippendorff_alpha([]).reason == NO_PAIR
    assert krippendorff_alpha([[3, 1], [1, 0]]).reason == ONE_CASE


@pytest.mark.parametrize("values", [[1, 2], [3, 2, 1], [1, 1, 2]])
def test_values_must_rise_and_fit_the_table(values):
    with pytest.raises(ValueError, match="rising order"):
        krippendorff_alpha([[1, 1, 1]], values=values)
