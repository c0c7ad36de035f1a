"""Markdown of releases as HTML."""

from collections.abc import Mapping

from django import template
from django.utils.safestring import SafeString

from core.markdown import renderer

register = template.Library()


@register.filter
def markdown(text: str) -> SafeString:
    """Return Markdown as HTML: tables and CommonMark, no raw HTML, no addresses that run scripts."""
    html = str(renderer().render(text or ""))
    return SafeString(html)  # the renderer escapes everything it does not make itself


@register.filter
def named(key: str, names: Mapping[str, str] | None) -> str:
    """Return the name that a key has for people, and the key itself where none is known."""
    return (names or {}).get(key) or key


@register.filter
def share_of(count: int, total: int) -> float | None:
    """Return a part of a whole; None of nothing."""
    return count / total if total else None
