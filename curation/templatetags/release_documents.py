"""Markdown of releases as HTML. Raw HTML in it is shown, never run."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.safestring import SafeString

if TYPE_CHECKING:
    from markdown_it import MarkdownIt

register = template.Library()


@cache
def _renderer() -> MarkdownIt:
    from markdown_it import MarkdownIt

    renderer = MarkdownIt("commonmark", {"html": False}).enable("table")
    renderer.add_render_rule("table_open", _open_table)
    renderer.add_render_rule("table_close", _close_table)
    return renderer


def _open_table(self: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    # Focusable, because it scrolls sideways on phones.
    number = env["tables"] = env.get("tables", 0) + 1
    label = f"Table {number}"
    return f'<div class="table-scroll" tabindex="0" role="region" aria-label="{label}"><table class="table">'


def _close_table(self: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    return "</table></div>"


@register.filter
def markdown(text: str) -> SafeString:
    """Markdown as HTML: tables and CommonMark, no raw HTML, no addresses that run scripts."""
    html = str(_renderer().render(text or ""))
    return SafeString(html)  # the renderer escapes everything it does not make itself


@register.filter
def share_of(count: int, total: int) -> float | None:
    """A part of a whole; None of nothing."""
    return count / total if total else None
