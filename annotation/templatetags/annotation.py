"""Guidelines in Markdown (raw HTML in them stays text), spans of time, and figures of agreement."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

from ui.numbers import format_number
from ui.templatetags.ui import measure

register = template.Library()


@cache
def _renderer() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML, one heading level down, because the page has its own first heading."""
    lowered = "\n".join(f"#{line}" if line.startswith("#") else line for line in text.splitlines())
    html: str = _renderer().render(lowered)
    return mark_safe(html)  # noqa: S308  (the renderer escapes HTML)


@register.filter
def minutes(seconds: float | None) -> str:
    """A span of time as people say it."""
    if seconds is None:
        return "unknown"
    total = round(seconds / 60)
    if total < 60:
        return f"{total} min"
    hours, rest = divmod(total, 60)
    return f"{hours} h {rest} min" if rest and hours < 10 else f"{hours} h"


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
