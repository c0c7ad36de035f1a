"""Figures as stored measures hold them: a value and a list of two bounds, either of which may be undefined."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString

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
    return measure(value, low, high, unit=unit, digits=digits, reason=reason)
