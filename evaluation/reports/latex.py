r"""LaTeX tables for a paper: booktabs, the best of a row in bold, below 50 % underlined."""

import re
from collections.abc import Sequence

from evaluation.reports.f1_table import F1Table, Figure
from evaluation.reports.tables import Cell, Table

SPECIAL = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    # After the end of a line or a rule a bracket would be read as its option.
    "[": "{[}",
    "]": "{]}",
}
GAP = r" @{\hspace{1.5em}}"  # booktabs goes without vertical rules
HEAD = r"""% Accuracy in per cent on {release} (SHA-256 {sha256}). Needs \usepackage{{booktabs}}.
% $n$: cases, $T$: templates. Bold: best of the row. Underlined: below 50 %.
% In brackets: 95 % interval, which counts templates. By language: superscript m is many-shot, z is zero-shot.
"""
LAST_LATIN = "\u024f"
OTHER_SCRIPTS = "% It holds words in other scripts: compile with XeLaTeX or LuaLaTeX and a font that has them.\n"


def as_latex(release: str, sha256: str, tables: Sequence[Table], f1: F1Table) -> str:
    """Return all tables, one after the other, each ready to be input."""
    head = HEAD.format(release=release, sha256=sha256)
    body = "\n".join([*(_table(release, table) for table in tables), _f1(release, f1)])
    return head + (OTHER_SCRIPTS if any(letter > LAST_LATIN for letter in body) else "") + body


def escape(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def _table(release: str, table: Table) -> str:
    lines = []
    for line in table.lines:
        cells = [_cell(cell) + (_interval(cell) if table.key == "overall" else "") for cell in line.cells]
        if table.baselines:
            cells += [cell.printed for cell in line.baselines] or ["--"] * len(table.baselines)
        lines.append([escape(line.title), str(line.n), line.printed_templates.replace("–", "--"), *cells])
    columns = "l r r" + " r" * len(table.models) + (GAP + " r" * len(table.baselines) if table.baselines else "")
    heads = [escape(table.title), "$n$", "$T$", *(escape(name) for name in (*table.models, *table.baselines))]
    caption = rf"{escape(table.title)}: accuracy (\%) on {escape(release)}. {escape(table.note)}".strip()
    return _float(columns, heads, lines, caption=caption, label=re.sub("[^A-Za-z0-9]+", "-", table.key))


def _f1(release: str, table: F1Table) -> str:
    lines = []
    for line in table.lines:
        baselines = [figure.printed for figure in line.baselines] or ["--"] * len(table.baselines)
        lines.append([escape(line.title), *map(_figure, line.figures), *baselines])
    columns = "l" + " r" * len(table.models) + GAP + " r" * len(table.baselines)
    heads = ["", *(escape(name) for name in (*table.models, *table.baselines))]
    return _float(columns, heads, lines, caption=f"F1 on {escape(release)}.", label="f1")


def _float(columns: str, heads: Sequence[str], lines: Sequence[Sequence[str]], *, caption: str, label: str) -> str:
    """Return a table with its caption below; every text given here is LaTeX already."""
    import pandas

    # The heads are numbered until they are printed: two models may share a name, and pandas styles unique columns only.
    frame = pandas.DataFrame(lines, columns=[str(place) for place in range(len(heads))], dtype=object)
    style = frame.style.hide(axis="index").format_index(lambda place: heads[int(str(place))], axis="columns")
    tabular: str = style.to_latex(column_format=columns, hrules=True)
    inner = "\n".join(f"  {line}" for line in tabular.splitlines())
    below = f"  \\caption{{{caption}}}\n  \\label{{tab:{label}}}\n"
    return f"\\begin{{table}}[t]\n  \\centering\n{inner}\n{below}\\end{{table}}\n"


def _figure(figure: Figure) -> str:
    text = figure.printed or "--"
    return (rf"\textbf{{{text}}}" if figure.is_best else text) + _note(figure.note)


def _cell(cell: Cell) -> str:
    if cell.share is None:
        return "--"
    text = rf"\underline{{{cell.printed}}}" if cell.is_below_chance else cell.printed
    return (rf"\textbf{{{text}}}" if cell.is_best else text) + _note(cell.note)


def _interval(cell: Cell) -> str:
    if cell.low is None or cell.high is None:
        return ""
    return rf" {{\scriptsize ({100 * cell.low:.1f}--{100 * cell.high:.1f})}}"


def _note(note: str) -> str:
    return rf"\textsuperscript{{{note[0]}}}" if note else ""
