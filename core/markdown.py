"""Markdown as HTML. Raw HTML in it is shown, never run. Pure: no web framework in here."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from core.text import _

if TYPE_CHECKING:
    from markdown_it import MarkdownIt


@cache
def renderer() -> MarkdownIt:
    """Return the one renderer: CommonMark with tables, no raw HTML, no addresses that run scripts."""
    from markdown_it import MarkdownIt

    made = MarkdownIt("commonmark", {"html": False}).enable("table")
    made.add_render_rule("table_open", _open_table)
    made.add_render_rule("table_close", _close_table)
    return made


def _open_table(self: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    # Focusable, because it scrolls sideways on phones.
    number = env["tables"] = env.get("tables", 0) + 1
    label = _("Table %(number)s", number=number)
    return f'<div class="table-scroll" tabindex="0" role="region" aria-label="{label}"><table class="table">'


def _close_table(self: Any, tokens: Sequence[Any], index: int, options: Any, env: Any) -> str:
    return "</table></div>"
