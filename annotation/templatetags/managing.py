"""Agreement on managers' pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from ui.templatetags.ui import measure

register = template.Library()


@register.simple_tag
def measured(values: Mapping[str, Any], name: str, unit: str = "number") -> SafeString:
    """A figure of a summary with its interval where there is one, or "undefined" with the reason."""
    low, high = values.get(f"{name}_ci95") or (None, None)
    reason = str(values.get(f"{name}_reason") or "")
    return measure(values[name], low, high, unit=unit, digits=3 if unit == "number" else 1, reason=reason)
