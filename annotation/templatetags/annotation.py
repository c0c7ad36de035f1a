"""Guidelines and help pages are written in Markdown; raw HTML in them stays text."""

from __future__ import annotations

from functools import cache

from django import template
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt

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
