"""A report as one HTML file that needs nothing else: style and charts are inside, no script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from evaluation.reports.tables import Cell, Table

STYLE = Path(__file__).with_name("page.css")
LEGEND = (
    "Accuracy in per cent with its 95 % interval (Wilson). Bold: best of the row. Wavy underline: below 50 %, worse "
    "than guessing. The last columns are models that always give one answer."
)


def as_html(
    release: str, facts: Mapping[str, str], tables: Sequence[Table], *, charts: Mapping[str, str] | None = None
) -> str:
    """The whole page. `facts` are shown as pairs, `charts` are SVG texts by title."""
    pairs = "".join(f"<dt>{escape(name)}</dt><dd><code>{escape(value)}</code></dd>" for name, value in facts.items())
    figures = "".join(
        f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>" for title, svg in (charts or {}).items()
    )
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Results on {escape(release)}</title><style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f'<h1>Results on {escape(release)}</h1><p class="muted">{LEGEND}</p>'
        f"{''.join(map(_table, tables))}{figures}<h2>How it was measured</h2><dl>{pairs}</dl></body></html>\n"
    )


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (*table.models, *table.baselines))
    rows = "".join(
        f'<tr><th scope="row">{escape(line.title)}</th><td>{line.n}</td>'
        f"{''.join(map(_cell, (*line.cells, *line.baselines)))}</tr>"
        for line in table.lines
    )
    note = f'<p class="muted">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h2>{escape(table.title)}</h2>{note}<div class="scroll"><table><thead><tr><td></td><th scope="col">Cases</th>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _cell(cell: Cell) -> str:
    if cell.share is None:
        return '<td title="No case of this kind was measured.">undefined</td>'
    classes = [name for name, on in (("best", cell.is_best), ("below", cell.is_below_chance)) if on]
    classes += ["dark"] if cell.share > 0.6 else []
    interval = (
        "" if cell.low is None or cell.high is None else f"<small>{100 * cell.low:.1f}–{100 * cell.high:.1f}</small>"
    )
    return f'<td class="{" ".join(classes)}" style="background:{shade(cell.share)}">{cell.printed}{interval}</td>'


def shade(share: float) -> str:
    """Pale to deep blue in even steps of lightness."""
    return f"oklch({0.97 - 0.55 * share:.3f} {0.02 + 0.1 * share:.3f} 250)"
