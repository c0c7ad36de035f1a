"""Which formats a reader gets."""

import pytest
from django.utils import formats, translation

from config.locales import locale_of


@pytest.mark.parametrize(
    ("accepted", "locale"),
    [
        ("", "en"),
        ("en-US,en;q=0.9", "en"),
        ("en-GB", "en-gb"),
        ("de-AT,de;q=0.8,en;q=0.5", "en-de"),
        ("ja,fr;q=0.5", "en-fr"),
        ("ja", "en"),
        ("*", "en"),
        ("x" * 2000, "en"),
        ("en-US,de;q=0.9", "en"),
    ],
)
def test_the_first_locale_with_formats_wins(accepted, locale):
    assert locale_of(accepted) == locale


def test_numbers_follow_the_locale_and_form_fields_stay_readable_for_browsers():
    with translation.override("en-de"):
        assert formats.number_format(1234.5, decimal_pos=1, force_grouping=True) == "1.234,5"
        assert formats.get_format("DATE_INPUT_FORMATS")[0] == "%Y-%m-%d"
        assert translation.gettext("This field is required.") == "This field is required."
