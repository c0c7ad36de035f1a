"""Numbers in the reader's locale, with their uncertainty, and never a zero for nothing."""

import pytest
from django.template import Context, Template
from django.utils import translation
from hypothesis import given
from hypothesis import strategies as st

from ui import numbers


def drawn(source: str, **context: object) -> str:
    return Template("{% load ui %}" + source).render(Context(context))


@pytest.mark.parametrize(
    ("language", "expected"), [("en", "92.9%"), ("de", "92,9\u00a0%"), ("fr", "92,9\u00a0%"), ("es", "92,9\u00a0%")]
)
def test_a_share_is_written_as_per_cent_in_the_readers_way(language, expected):
    with translation.override(language):
        assert numbers.format_percent(0.9291) == expected


def test_thousands_are_grouped_in_the_readers_way():
    with translation.override("en"):
        assert numbers.format_number(36582) == "36,582"
    with translation.override("de"):
        assert numbers.format_number(36582) == "36.582"


def test_a_negative_number_has_a_real_minus_sign():
    assert numbers.format_number(-0.5, 1) == "\u22120.5"


def test_a_figure_is_shown_with_its_interval():
    shown = drawn("{% measure 0.929 0.918 0.939 %}")
    assert "92.9%" in shown
    assert "(91.8–93.9)" in shown


def test_a_plain_figure_keeps_three_digits():
    assert "0.929" in drawn('{% measure 0.92851 unit="number" %}')


@pytest.mark.parametrize(
    "source",
    ["{{ nothing|percent }}", "{{ nothing|number }}", "{% measure nothing %}", '{% stat "Accuracy" nothing %}'],
)
def test_nothing_is_undefined_and_never_zero(source):
    shown = drawn(source, nothing=None)
    assert "undefined" in shown
    assert "0" not in shown


@pytest.mark.parametrize(
    "source",
    [
        "{{ facts.missing|percent }}",
        "{{ facts.missing|number }}",
        "{% measure facts.missing facts.missing facts.missing %}",
        '{% stat "Cases" facts.missing|number %}',
    ],
)
def test_a_value_that_is_missing_from_a_dictionary_is_undefined(source):
    assert "undefined" in drawn(source, facts={})


def test_an_interval_that_is_missing_is_left_out():
    assert "interval" not in drawn("{% measure 0.9 facts.low facts.high %}", facts={})


def test_a_heat_map_cell_without_a_value_is_a_hole():
    assert drawn("{{ facts.missing|heat }}", facts={}) == "hole"


def test_undefined_says_why_to_eyes_and_ears():
    shown = drawn("{% measure nothing reason=reason %}", nothing=None, reason="All labels are <equal>.")
    assert 'title="All labels are &lt;equal&gt;."' in shown
    assert '<span class="visually-hidden"> (All labels are &lt;equal&gt;.)</span>' in shown


@given(st.floats(min_value=0, max_value=1), st.floats(min_value=0, max_value=1))
def test_a_higher_share_never_has_a_lower_heat(one, other):
    low, high = sorted((one, other))
    assert int(numbers.heat_step(low).removeprefix("heat-")) <= int(numbers.heat_step(high).removeprefix("heat-"))


@pytest.mark.parametrize(
    ("share", "expected"), [(0.0, "heat-0"), (1.0, "heat-10"), (-0.2, "heat-0"), (1.7, "heat-10"), (None, "hole")]
)
def test_the_heat_scale_ends_where_shares_end(share, expected):
    assert numbers.heat_step(share) == expected
