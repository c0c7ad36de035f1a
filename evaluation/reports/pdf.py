"""A report as PDF, set by Typst, which comes as a Python package and needs no other program."""

import re
from collections.abc import Mapping, Sequence

from core.text import _
from evaluation.reports.figures import Figure, FigureTable
from evaluation.reports.tables import HUE, Cell, Line, Table, lightness_and_chroma, wants_white_letters

HEAD = """#set document(title: {title})
#set page(paper: "a4", flipped: {flipped}, margin: 1.8cm, numbering: "1 / 1")
#set text(size: 9pt, lang: {language})
#set table(stroke: none, inset: 3.5pt, row-gutter: 1pt, column-gutter: 1pt)
#show heading: set block(above: 1.6em, below: .8em)
= #{title}
#text(fill: luma(80))[{legend}]
"""
# Letters that no text holds stand for what is set in another way.
MARKS = {"\ue000": "_n_", "\ue001": "_T_", "\ue002": "#super[m]", "\ue003": "#super[z]"}
LEGEND = (
    _(
        "Accuracy in per cent with 95 % intervals (Wilson on the effective number of cases: "
        "those of one template are not independent)."
    ),
    _("%(n)s: cases, %(t)s: templates. Bold: best of the row.", n="\ue000", t="\ue001"),
    _("Underlined: below 50 %, worse than guessing."),
    _("The last columns are models that always give one answer."),
    _("By language: %(m)s many-shot (trained on it), %(z)s zero-shot.", m="\ue002", z="\ue003"),
)
WIDTH, HEIGHT = 490, 660  # points: what an A4 page has inside its margins, without a heading
LOW = 420  # the height of one that lies on its side
NARROW = 5  # columns of figures that fit on an upright page
COUNTS = ("n", "T")
FACTS_TOGETHER = 20  # lines that stay together on one page
SVG_SIZE = re.compile(r'<svg[^>]*?\bwidth="([\d.]+)"[^>]*?\bheight="([\d.]+)"')


def as_typst(
    release: str,
    facts: Mapping[str, str],
    tables: Sequence[Table],
    figures: Sequence[FigureTable],
    *,
    charts: Mapping[str, str] | None = None,
    language: str = "en",
    title: str = "",
) -> str:
    """Return the source that is set; every text of ours goes in as a string, so nothing in a name is taken for markup.

    `charts` are SVG texts by title; `language` is the one in which texts are shown where this is called. Another
    `title` than that of results on a release comes without their legend.
    """
    many = any(_is_wide((*table.models, *table.baselines)) for table in tables)
    parts = [
        HEAD.format(
            title=_text(title or _("Results on %(release)s", release=release)),
            flipped="true" if many else "false",
            language=_text(language.partition("-")[0]),
            legend="" if title else " ".join(map(_marked, LEGEND)),
        ),
        *map(_table, tables),
        *map(_figures, figures),
        *([f"== #{_text(_('Charts'))}\n"] if charts else []),
        *(_chart(title, svg, height_there=LOW if many else HEIGHT) for title, svg in (charts or {}).items()),
    ]
    pairs = "".join(f"  [#{_text(name)}], [#raw({_text(value)})],\n" for name, value in facts.items())
    breakable = "true" if len(facts) > FACTS_TOGETHER else "false"
    source = f"== #{_text(_('How it was measured'))}\n#table(columns: (auto, 1fr),\n{pairs})"
    return "\n".join([*parts, f"\n#block(breakable: {breakable})[\n{source}\n]\n"])


def as_pdf(
    release: str,
    facts: Mapping[str, str],
    tables: Sequence[Table],
    figures: Sequence[FigureTable],
    *,
    charts: Mapping[str, str] | None = None,
    language: str = "en",
    title: str = "",
) -> bytes:
    """Return the PDF."""
    import typst

    source = as_typst(release, facts, tables, figures, charts=charts, language=language, title=title)
    compiled: bytes = typst.compile(source.encode())
    return compiled


def _marked(sentence: str) -> str:
    """Return a sentence of the legend with its marks set as they are in the tables."""
    parts = re.split(f"([{''.join(MARKS)}])", str(sentence))
    return "".join(MARKS.get(part) or f"#{_text(part)}" for part in parts if part)


def _chart(title: str, svg: str, *, height_there: float) -> str:
    """Draw a chart in its own size, or as large as a page allows; small ones stand side by side."""
    found = SVG_SIZE.search(str(svg))
    width, height = (float(side) * 0.75 for side in found.groups()) if found else (WIDTH, WIDTH)
    width *= min(1, WIDTH / width, height_there / height)
    return (
        f"#box(width: {width:.1f}pt)[#text(fill: luma(80))[#{_text(title)}]\\\n"
        f'#image(bytes({_text(svg)}), format: "svg", width: 100%, alt: {_text(title)})]#h(1em, weak: true)\n'
    )


def _table(table: Table) -> str:
    names = (*table.models, *table.baselines)
    rows = []
    for line in table.lines:
        baselines = line.baselines or tuple(Cell(None) for _ in table.baselines)
        cells = [
            f"[#{_text(line.full_title)}{_example(line)}]",
            f"[{line.n}]",
            f"[{line.printed_templates}]",
            *map(_cell, line.cells),
            *map(_plain, baselines),
        ]
        rows.append("  " + ", ".join(cells) + ",\n")
    return _block(table.title, table.note, (*COUNTS, *names), rows, is_wide=_is_wide(names))


def _example(line: Line) -> str:
    """Write class, gold label and example of a functionality below its title."""
    said = " · ".join(part for part in (line.class_title, line.label, line.example and f"“{line.example}”") if part)
    return f"\\ #text(size: .8em, fill: luma(80))[#{_text(said)}]" if line.class_title else ""


def _figures(table: FigureTable) -> str:
    names = (*table.models, *table.baselines)
    rows = []
    for line in table.lines:
        baselines = line.baselines or tuple(Figure(None) for _ in table.baselines)
        rows.append("  " + ", ".join([f"[#{_text(line.title)}]", *map(_figure, (*line.figures, *baselines))]) + ",\n")
    return _block(table.title, table.note, names, rows, is_wide=_is_wide(names))


def _is_wide(names: Sequence[str]) -> bool:
    return len(names) > NARROW


def _block(title: str, note: str, heads: Sequence[str], rows: Sequence[str], *, is_wide: bool) -> str:
    """Return a table with its heading; many models share the width in smaller letters, so that all stay on the page."""
    head = ", ".join(f"[#{_text(name)}]" for name in ("", *heads))
    counts = 2 if heads[:2] == COUNTS else 0
    others = ["auto"] * counts + ["1fr"] * (len(heads) - counts) if is_wide else ["auto"] * len(heads)
    columns = ", ".join(["auto" if is_wide else "1fr", *others])
    return (
        f"== #{_text(title)}\n{f'#text(fill: luma(80))[#{_text(note)}]' if note else ''}\n"
        f"#[#set text(size: {6.5 if is_wide else 9}pt)\n#table(columns: ({columns}),\n"
        "  align: (col, row) => if col == 0 { left } else { right },\n"
        f"  table.hline(), table.header({head}), table.hline(stroke: .5pt),\n{''.join(rows)}  table.hline()\n)]\n"
    )


def _figure(figure: Figure) -> str:
    if figure.value is None:
        return "[–]"
    text = (f"*{figure.printed}*" if figure.is_best else figure.printed) + _note(figure.note)
    if figure.low is None or figure.high is None:
        return f"[{text}]"
    return f"[{text} #text(size: .75em, fill: luma(90))[{figure.low:.2f}–{figure.high:.2f}]]"


def _cell(cell: Cell) -> str:
    """Write an accuracy of a model, on its shade of the heat map."""
    if cell.share is None:
        return "[–]"
    lightness, chroma = lightness_and_chroma(cell.share)
    ink = "white" if wants_white_letters(cell.share) else "black"
    return (
        f"table.cell(fill: oklch({100 * lightness:.1f}%, {chroma:.3f}, {HUE}deg))"
        f"[#set text(fill: {ink})\n{_accuracy(cell)}]"
    )


def _plain(cell: Cell) -> str:
    """Write an accuracy of a trivial baseline, without a shade."""
    return "[–]" if cell.share is None else f"[#set text(fill: luma(80))\n{_accuracy(cell)}]"


def _accuracy(cell: Cell) -> str:
    text = f"#underline[{cell.printed}]" if cell.is_below_chance else cell.printed
    text = (f"*{text}*" if cell.is_best else text) + _note(cell.note)
    if cell.low is None or cell.high is None:
        return text
    return f"{text} #text(size: .75em)[{100 * cell.low:.0f}–{100 * cell.high:.0f}]"


def _note(note: str) -> str:
    """Its first letter above the line: m for many-shot, z for zero-shot."""
    return f"#super[{note[0]}]" if note else ""


def _text(value: str) -> str:
    escaped = str(value).replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
