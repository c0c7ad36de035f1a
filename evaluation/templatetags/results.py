"""Figures as stored measures hold them: a value and a list of two bounds, either of which may be undefined."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from ui import numbers
from ui.templatetags.ui import measure

register = template.Library()


@register.simple_tag
def figure(
    value: float | None,
    interval: Sequence[float] | None,
    unit: str = "percent",
    digits: int | None = None,
    reason: str = "",
) -> SafeString:
    """A value with its interval; without one the value alone."""
    low, high = interval or (None, None)
    if value is None or low is None or high is None or low >= 0:
        return measure(value, low, high, unit=unit, digits=digits, reason=reason)
    # A dash between two negative numbers would be read as a third minus.
    show = numbers.format_percent if unit == "percent" else numbers.format_number
    places = digits if digits is not None else (1 if unit == "percent" else 3)
    alone = measure(value, unit=unit, digits=digits)
    return format_html('{} <span class="interval">({} to {})</span>', alone, show(low, places), show(high, places))
