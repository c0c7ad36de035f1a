r"""LaTeX tables for a paper: booktabs, the best of a row in bold, below 50 % underlined."""

import re
from collections.abc import Mapping, Sequence

from core.text import _
from evaluation.reports.figures import Figure, FigureTable
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
LAST_LATIN = "\u024f"
OTHER_SCRIPTS = _("It holds words in other scripts: compile with XeLaTeX or LuaLaTeX and a font that has them.")


def as_latex(release: str, sha256: str, tables: Sequence[Table], figures: Sequence[FigureTable]) -> str:
    """Return all tables, one after the other, each ready to be input."""
    return _document(
        release,
        sha256,
        [*(_table(release, table) for table in tables), *(_figures(release, table) for table in figures)],
    )


def as_paper(release: str, sha256: str, tables: Sequence[Table], figures: Sequence[FigureTable]) -> str:
    """Return the tables of the papers in their layout: without baselines and intervals, classes between rules.

    Functionalities have their number, title, an example, the gold label and the number of cases.
    """
    made = [_paper_table(release, table) for table in tables]
    return _document(release, sha256, [*made, *(_figures(release, table, with_intervals=False) for table in figures)])


def as_latex_figures(title: str, facts: Mapping[str, str], tables: Sequence[FigureTable]) -> str:
    """Return tables of other figures than accuracies on a release, ready to be input."""
    package = _("Needs %(package)s.", package=r"\usepackage{booktabs}")
    head = [f"{title}. {package}", *(f"{name}: {value}" for name, value in facts.items())]
    return "".join(map(_comment, head)) + "\n".join(_figures("", table) for table in tables)


def _document(release: str, sha256: str, parts: Sequence[str]) -> str:
    body = "\n".join(parts)
    head = [
        _(
            "Accuracy in per cent on %(release)s (SHA-256 %(sha256)s). Needs %(package)s.",
            release=release,
            sha256=sha256,
            package=r"\usepackage{booktabs}",
        ),
        _(
            "%(n)s: cases, %(t)s: templates. Bold: best of the row. Underlined: below 50 %%.",
            n="$n$",
            t="$T$",
        ),
        _(
            "In brackets: 95 %% interval, which counts templates. "
            "By language: superscript %(m)s is many-shot, %(z)s is zero-shot.",
            m="m",
            z="z",
        ),
        *([OTHER_SCRIPTS] if any(letter > LAST_LATIN for letter in body) else []),
    ]
    return "".join(map(_comment, head)) + body


def _comment(text: str) -> str:
    """Return a text as one line that LaTeX leaves out."""
    return f"% {' '.join(str(text).split())}\n"


def escape(text: str) -> str:
    """Return a text, in the language of the document, as LaTeX prints it."""
    return "".join(SPECIAL.get(letter, letter) for letter in " ".join(str(text).splitlines()))


def _table(release: str, table: Table) -> str:
    lines = []
    for line in table.lines:
        cells = [_cell(cell) + (_interval(cell) if table.key == "overall" else "") for cell in line.cells]
        if table.baselines:
            cells += [cell.printed for cell in line.baselines] or ["--"] * len(table.baselines)
        lines.append([escape(line.full_title), str(line.n), line.printed_templates.replace("–", "--"), *cells])
    columns = "l r r" + " r" * len(table.models) + (GAP + " r" * len(table.baselines) if table.baselines else "")
    heads = [escape(table.title), "$n$", "$T$", *(escape(name) for name in (*table.models, *table.baselines))]
    return _float(columns, heads, lines, caption=_caption(release, table), label=_label(table.key))


def _paper_table(release: str, table: Table) -> str:
    """Return one table of a paper; functionalities stand in their classes with an example and the gold label."""
    has_classes = any(line.class_title for line in table.lines)
    has_examples = any(line.example for line in table.lines)
    has_gold = any(line.label for line in table.lines)
    lines: list[list[str] | None] = []
    before = ""
    for line in table.lines:
        if has_classes and lines and line.class_title != before:
            lines.append(None)
        about = [escape(line.class_title) if line.class_title != before else ""] if has_classes else []
        about.append(escape(f"{line.number}: {line.title}" if line.number else line.title))
        about += [f"``{escape(line.example)}''" if line.example else ""] if has_examples else []
        about += [escape(line.label)] if has_gold else []
        lines.append([*about, str(line.n), *map(_cell, line.cells)])
        before = line.class_title
    named = [
        (has_classes, "p{2.2cm}", escape(_("Class"))),
        (True, "p{4.5cm}" if has_classes else "l", escape(table.title)),
        (has_examples, "p{5cm}", escape(_("Example test case"))),
        (has_gold, "l", escape(_("Gold label"))),
    ]
    shown = [(column, head) for is_there, column, head in named if is_there]
    columns = " ".join(column for column, _ in shown) + " r" + GAP + " r" * len(table.models)
    heads = [*(head for _, head in shown), "$n$", *map(escape, table.models)]
    return _float(
        columns, heads, lines, caption=_caption(release, table), label=f"paper-{_label(table.key)}", wide=True
    )


def _figures(release: str, table: FigureTable, *, with_intervals: bool = True) -> str:
    lines = []
    for line in table.lines:
        baselines = [figure.printed for figure in line.baselines] or ["--"] * len(table.baselines)
        figures = [_figure(figure) + (_bounds(figure) if with_intervals else "") for figure in line.figures]
        lines.append([escape(line.title), *figures, *baselines])
    columns = "l" + " r" * len(table.models) + (GAP + " r" * len(table.baselines) if table.baselines else "")
    heads = ["", *(escape(name) for name in (*table.models, *table.baselines))]
    said = _("%(title)s on %(release)s.", title=table.title, release=release) if release else f"{table.title}."
    caption = escape(said) if release else f"{escape(said)} {escape(table.note)}".strip()
    return _float(columns, heads, lines, caption=caption, label=_label(table.key))


def _caption(release: str, table: Table) -> str:
    said = _("%(title)s: accuracy (%%) on %(release)s.", title=table.title, release=release)
    return f"{escape(said)} {escape(table.note)}".strip()


def _label(key: str) -> str:
    return re.sub("[^A-Za-z0-9]+", "-", key)


def _float(
    columns: str,
    heads: Sequence[str],
    lines: Sequence[Sequence[str] | None],
    *,
    caption: str,
    label: str,
    wide: bool = False,
) -> str:
    """Return a table with its caption below; every text given here is LaTeX already, None is a rule."""
    rows = [r"\midrule" if line is None else " & ".join(line) + r" \\" for line in lines]
    inner = [rf"\begin{{tabular}}{{{columns}}}", r"\toprule", " & ".join(heads) + r" \\", r"\midrule", *rows]
    inner += [r"\bottomrule", r"\end{tabular}"]
    body = "\n".join(f"  {line}" for line in inner)
    below = f"  \\caption{{{caption}}}\n  \\label{{tab:{label}}}\n"
    kind = "table*" if wide else "table"
    return f"\\begin{{{kind}}}[t]\n  \\centering\n{body}\n{below}\\end{{{kind}}}\n"


def _figure(figure: Figure) -> str:
    text = figure.printed or "--"
    return (rf"\textbf{{{text}}}" if figure.is_best else text) + _note(figure.note)


def _bounds(figure: Figure) -> str:
    if figure.low is None or figure.high is None:
        return ""
    return rf" {{\scriptsize ({figure.low:.3f}--{figure.high:.3f})}}"


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
