"""A report as one HTML file that needs nothing else: style and charts are inside, no script."""

import html
from collections.abc import Mapping, Sequence
from pathlib import Path

from core.text import _
from evaluation.reports.figures import Figure, FigureTable
from evaluation.reports.tables import HUE, Cell, Line, Table, lightness_and_chroma, wants_white_letters

STYLE = Path(__file__).with_name("page.css")
UNDEFINED = _("undefined")
RIGHT_TO_LEFT = frozenset({"ar", "dv", "fa", "he", "ks", "ps", "sd", "ug", "ur", "yi"})
LEGEND = _(
    "Accuracy in per cent with its 95 % interval (Wilson on the effective number of cases: those of one template are "
    "not independent). Bold: best of the row. Wavy underline: below 50 %, worse than guessing. The last columns are "
    "models that always give one answer."
)


def as_html(
    release: str,
    facts: Mapping[str, str],
    tables: Sequence[Table],
    figures: Sequence[FigureTable],
    *,
    charts: Mapping[str, str] | None = None,
    language: str = "en",
) -> str:
    """Return the whole page. `facts` are shown as pairs, `charts` are SVG texts by title.

    `language` is the one in which texts are shown where this is called.
    """
    pairs = "".join(f"<dt>{escape(name)}</dt><dd><code>{escape(value)}</code></dd>" for name, value in facts.items())
    drawn = "".join(
        f"<figure><figcaption>{escape(title)}</figcaption>{svg}</figure>" for title, svg in (charts or {}).items()
    )
    drawn = f"<h2>{escape(_('Charts'))}</h2>{drawn}" if drawn else ""
    title = escape(_("Results on %(release)s", release=release))
    direction = ' dir="rtl"' if language.partition("-")[0] in RIGHT_TO_LEFT else ""
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"{direction}><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{STYLE.read_text(encoding='utf-8')}</style></head><body>"
        f'<h1>{title}</h1><p class="muted">{escape(LEGEND)}</p>'
        f"{''.join(map(_table, tables))}{''.join(map(_figures, figures))}{drawn}"
        f"<h2>{escape(_('How it was measured'))}</h2><dl>{pairs}</dl></body></html>\n"
    )


def escape(text: str) -> str:
    """Return a text, in the language of the page, as it may stand in HTML."""
    return html.escape(str(text))


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (*table.models, *table.baselines))
    rows = "".join(
        f'<tr><th scope="row">{escape(line.full_title)}{_note(line.label)}{_example(line)}</th><td>{line.n}</td>'
        f"<td>{line.printed_templates}</td>"
        f"{''.join(map(_cell, line.cells))}{''.join(map(_plain, line.baselines))}</tr>"
        for line in table.lines
    )
    note = f'<p class="muted">{escape(table.note)}</p>' if table.note else ""
    return (
        f'<h2>{escape(table.title)}</h2>{note}<div class="scroll"><table><thead><tr><td></td>'
        f'<th scope="col">{escape(_("Cases"))}</th><th scope="col">{escape(_("Templates"))}</th>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _example(line: Line) -> str:
    """Write class and example of a functionality below its title."""
    said = " · ".join(part for part in (line.class_title, f"“{line.example}”" if line.example else "") if part)
    return f'<br><small class="example">{escape(said)}</small>' if said else ""


def _figures(table: FigureTable) -> str:
    heads = "".join(f'<th scope="col">{escape(name)}</th>' for name in (*table.models, *table.baselines))
    rows = "".join(
        f'<tr><th scope="row">{escape(line.title)}</th>{"".join(map(_figure, (*line.figures, *line.baselines)))}</tr>'
        for line in table.lines
    )
    return (
        f'<h2>{escape(table.title)}</h2><p class="muted">{escape(table.note)}</p>'
        '<div class="scroll"><table><thead><tr><td></td>'
        f"{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return f'<td title="{escape(_("It is undefined here."))}">{escape(UNDEFINED)}</td>'
    bounds = (figure.low, figure.high)
    interval = "" if None in bounds else f"<small>{figure.low:.3f}–{figure.high:.3f}</small>"
    return f'<td class="{"best" if figure.is_best else ""}">{figure.printed}{interval}{_note(figure.note)}</td>'


def _cell(cell: Cell) -> str:
    """Write an accuracy of a model, on its shade of the heat map."""
    if cell.share is None:
        return f'<td title="{escape(_("No case of this kind was measured."))}">{escape(UNDEFINED)}</td>'
    classes = [name for name, on in (("best", cell.is_best), ("below", cell.is_below_chance)) if on]
    classes += ["dark"] if wants_white_letters(cell.share) else []
    return (
        f'<td class="{" ".join(classes)}" style="background:{shade(cell.share)}">{cell.printed}{_interval(cell)}'
        f"{_note(cell.note)}</td>"
    )


def _plain(cell: Cell) -> str:
    """Write an accuracy of a trivial baseline, without a shade."""
    return f'<td class="muted">{cell.printed}{_interval(cell)}</td>'


def _interval(cell: Cell) -> str:
    if cell.low is None or cell.high is None:
        return ""
    return f"<small>{100 * cell.low:.1f}–{100 * cell.high:.1f}</small>"


def _note(note: str) -> str:
    return f"<small>{escape(note)}</small>" if note else ""


def shade(share: float) -> str:
    """Return the colour as a style sheet writes it."""
    lightness, chroma = lightness_and_chroma(share)
    return f"oklch({lightness:.3f} {chroma:.3f} {HUE})"
