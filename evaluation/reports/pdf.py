"""A report as PDF, set by Typst, which comes as a Python package and needs no other program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evaluation.reports.tables import Cell, Table

HEAD = """#set document(title: {title})
#set page(paper: "a4", margin: 1.8cm, numbering: "1 / 1")
#set text(size: 9pt)
#set table(stroke: none, inset: 3.5pt)
#show heading: set block(above: 1.6em, below: .8em)
= #{title}
#text(fill: luma(80))[Accuracy in per cent with 95 % intervals (Wilson). Bold: best of the row.
Underlined: below 50 %, worse than guessing.
The last columns are models that always give one answer.]
"""


def as_typst(release: str, facts: Mapping[str, str], tables: Sequence[Table]) -> str:
    """The source that is set; every text of ours goes in as a string, so nothing in a name is taken for markup."""
    parts = [HEAD.format(title=_text(f"Results on {release}")), *map(_table, tables), "== How it was measured\n"]
    pairs = "".join(f"  [#{_text(name)}], [#raw({_text(value)})],\n" for name, value in facts.items())
    return "\n".join([*parts, f"#table(columns: (auto, 1fr),\n{pairs})\n"])


def as_pdf(release: str, facts: Mapping[str, str], tables: Sequence[Table]) -> bytes:
    """The PDF."""
    import typst

    compiled: bytes = typst.compile(as_typst(release, facts, tables).encode())
    return compiled


def _table(table: Table) -> str:
    names = (*table.models, *table.baselines)
    head = ", ".join(f"[#{_text(name)}]" for name in ("", "n", *names))
    rows = []
    for line in table.lines:
        baselines = line.baselines or tuple(Cell(None) for _ in table.baselines)
        cells = [f"[#{_text(line.title)}]", f"[{line.n}]", *map(_cell, (*line.cells, *baselines))]
        rows.append("  " + ", ".join(cells) + ",\n")
    columns = ", ".join(["1fr", "auto", *["auto"] * len(names)])
    # Many models side by side: smaller letters rather than a table that leaves the page.
    size = 9 if len(names) <= 5 else 6.5
    return (
        f"== #{_text(table.title)}\n#text(fill: luma(80))[#{_text(table.note)}]\n"
        f"#[#set text(size: {size}pt)\n#table(columns: ({columns}),\n"
        "  align: (col, row) => if col == 0 { left } else { right },\n"
        f"  table.hline(), table.header({head}), table.hline(stroke: .5pt),\n{''.join(rows)}  table.hline()\n)]\n"
    )


def _cell(cell: Cell) -> str:
    if cell.share is None:
        return "[–]"
    text = f"#underline[{cell.printed}]" if cell.is_below_chance else cell.printed
    text = f"*{text}*" if cell.is_best else text
    if cell.low is None or cell.high is None:
        return f"[{text}]"
    return f"[{text} #text(size: .75em, fill: luma(90))[{100 * cell.low:.0f}–{100 * cell.high:.0f}]]"


def _text(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
    return f'"{escaped}"'
