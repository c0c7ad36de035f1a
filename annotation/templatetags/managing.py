"""Agreement on managers' pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.utils.safestring import SafeString

from ui.numbers import format_number
from ui.templatetags.ui import measure

register = template.Library()


@register.filter
def basis(values: Mapping[str, Any]) -> str:
    """What a summary was measured on: "3,901 cases, 5 labels per case"."""
    cases, fewest, most = values["cases"], values.get("fewest_labels"), values.get("most_labels")
    said = f"{format_number(cases)} case{'' if cases == 1 else 's'}"
    if fewest is None:
        return said
    labels = str(most) if fewest == most else f"{fewest} to {most}"
    return f"{said}, {labels} label{'' if most == 1 else 's'} per case"


@register.simple_tag
def measured(values: Mapping[str, Any], name: str, unit: str = "number") -> SafeString:
    """A figure of a summary with its interval where there is one, or "undefined" with the reason."""
    low, high = values.get(f"{name}_ci95") or (None, None)
    reason = str(values.get(f"{name}_reason") or "")
    return measure(values[name], low, high, unit=unit, digits=3 if unit == "number" else 1, reason=reason)
