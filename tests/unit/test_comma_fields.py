"""Several values in one line of a form."""

from __future__ import annotations

import pytest
from django import forms

from evaluation.views.comma_fields import NumbersField, split_at_commas


def test_values_stand_between_commas_and_blanks_do_not_matter():
    assert split_at_commas(" hate, offensive ,,two words, ") == ["hate", "offensive", "two words"]
    assert split_at_commas("") == []


@pytest.mark.parametrize(("kind", "line", "numbers"), [(int, "1, 2,3", [1, 2, 3]), (float, "5e-5,0.1", [5e-5, 0.1])])
def test_numbers_are_read_as_their_kind(kind, line, numbers):
    assert NumbersField(kind).clean(line) == numbers


@pytest.mark.parametrize(
    ("kind", "line", "said"),
    [(int, "1, x", "whole numbers with commas"), (float, "fast", "numbers with commas"), (int, " , ", "at least one")],
)
def test_what_is_no_number_is_said(kind, line, said):
    with pytest.raises(forms.ValidationError, match=said):
        NumbersField(kind).clean(line)
