"""Results as pandas frames, from which the CSV and the LaTeX tables are made."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from evaluation.reports.tables import Cell, Line, Table

if TYPE_CHECKING:
    from pandas import DataFrame

F1 = "f1_"


def cells_frame(release: str, tables: Sequence[Table]) -> DataFrame:
    """Return one row per table, line and model, the baselines among the models; what is undefined is missing."""
    import pandas

    scores = list(dict.fromkeys(name for table in tables for line in table.lines for name in _scores_of(line)))
    rows = [
        {
            "release": release,
            "section": table.key,
            "key": line.key,
            "gold_label": line.label,
            "model": model,
            **_figures(cell),
            **{F1 + name: cell.f1.get(name) for name in scores},
            "shots": cell.note,
        }
        for table in tables
        for line in table.lines
        for model, cell in zip((*table.models, *table.baselines), (*line.cells, *line.baselines), strict=False)
    ]
    return pandas.DataFrame(rows).astype({"templates": "Int64"})  # a whole number although some are missing


def printed_frame(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> DataFrame:
    """Return the texts of one table as they will be printed; heads may repeat."""
    import pandas

    return pandas.DataFrame(rows, columns=list(heads), dtype=object)


def _scores_of(line: Line) -> list[str]:
    return [name for cell in line.cells for name in cell.f1]


def _figures(cell: Cell) -> dict[str, Any]:
    return {
        "n": cell.n,
        "templates": cell.templates,
        "correct": cell.correct,
        "accuracy": cell.share,
        "ci95_low": cell.low,
        "ci95_high": cell.high,
    }
