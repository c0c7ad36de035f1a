"""One row per table, line and model, for spreadsheets and scripts."""

from collections.abc import Sequence

from core.tables.cells import defuse
from core.text import in_english
from evaluation.reports.figures import FigureTable
from evaluation.reports.tables import Line, Table


def as_csv(release: str, tables: Sequence[Table], figures: Sequence[FigureTable] = ()) -> str:
    """Return every cell of every table, the baselines among the models; an undefined figure is an empty cell.

    Scripts read it, so it is English in every language.
    """
    with in_english():
        return _as_csv(release, tables, figures)


def _as_csv(release: str, tables: Sequence[Table], figures: Sequence[FigureTable]) -> str:
    import pandas

    scores = list(
        dict.fromkeys(name for table in tables for line in table.lines for cell in line.cells for name in cell.f1)
    )
    rows = [
        {
            "release": release,
            "section": table.key.partition(": ")[0],
            "key": line.key,
            "gold_label": line.label,
            "model": str(table.model or head),
            "n": cell.n,
            "templates": cell.templates,
            "correct": cell.correct,
            "accuracy": cell.share,
            "ci95_low": cell.low,
            "ci95_high": cell.high,
            **{f"f1_{name}": cell.f1.get(name) for name in scores},
            "shots": str(cell.note),
            "title": _title(table, line),
            "column": column,
        }
        for table in tables
        for line in table.lines
        for head, column, cell in zip(
            (*table.models, *table.baselines),
            table.columns or [""] * (len(table.models) + len(table.baselines)),
            (*line.cells, *line.baselines),
            strict=False,
        )
    ]
    rows += [
        {"release": release, "section": table.key.partition(": ")[0], "key": str(line.title), "model": str(model),
         "value": figure.value, "ci95_low": figure.low, "ci95_high": figure.high}
        for table in figures
        for line in table.lines
        for model, figure in zip(table.models, line.figures, strict=True)
    ]  # fmt: skip
    # Whole numbers although some are missing.
    frame = pandas.DataFrame(rows).astype(dict.fromkeys(("n", "templates", "correct"), "Int64"))
    # Spreadsheets run what begins like a formula; names of models come from people.
    harmless = frame.map(lambda value: defuse(value) if isinstance(value, str) else value)
    text: str = harmless.to_csv(index=False, lineterminator="\n")
    return text


def _title(table: Table, line: Line) -> str:
    """Return the title of a line; origins have one for readers only, and keep their key."""
    is_origin = table.key == "by_origin" or table.key.startswith("origin_by_")
    return line.key if is_origin else str(line.title)
