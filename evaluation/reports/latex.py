r"""LaTeX tables for a paper: booktabs, the best of a row in bold, below 50 % underlined."""

from __future__ import annotations

from collections.abc import Sequence

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
}
HEAD = r"""% Accuracy in per cent on {release} (SHA-256 {sha256}). Needs \usepackage{{booktabs}}.
% Bold: best of the row. Underlined: below 50 %.
"""


def as_latex(release: str, sha256: str, tables: Sequence[Table]) -> str:
    """All tables, one after the other, each ready to be input."""
    head = HEAD.format(release=release, sha256=sha256)
    return head + "\n".join(_table(release, table) for table in tables)


def escape(text: str) -> str:
    return "".join(SPECIAL.get(letter, letter) for letter in text)


def _table(release: str, table: Table) -> str:
    columns = "l r" + " r" * len(table.models) + (" | " + " r" * len(table.baselines) if table.baselines else "")
    heads = [escape(name) for name in (*table.models, *table.baselines)]
    lines = [
        r"\begin{table}[t]",
        r"  \centering",
        rf"  \begin{{tabular}}{{{columns}}}",
        r"    \toprule",
        "    " + " & ".join([escape(table.title), "$n$", *heads]) + r" \\",
        r"    \midrule",
    ]
    for line in table.lines:
        cells = [_cell(cell) for cell in line.cells]
        if table.baselines:
            cells += [cell.printed for cell in line.baselines] or ["--"] * len(table.baselines)
        lines.append("    " + " & ".join([escape(line.title), str(line.n), *cells]) + r" \\")
    name = table.key.replace("_", "-").replace(".", "-")
    return "\n".join(
        [
            *lines,
            r"    \bottomrule",
            r"  \end{tabular}",
            rf"  \caption{{{escape(table.title)}: accuracy (\%) on {escape(release)}. {escape(table.note)}}}",
            rf"  \label{{tab:{name}}}",
            r"\end{table}",
            "",
        ]
    )


def _cell(cell: Cell) -> str:
    if cell.share is None:
        return "--"
    text = rf"\underline{{{cell.printed}}}" if cell.is_below_chance else cell.printed
    return rf"\textbf{{{text}}}" if cell.is_best else text
