"""One row per model and slice, for spreadsheets and scripts."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from io import StringIO

from evaluation.reports.tables import Cell, Table

COLUMNS = ("release", "section", "key", "gold_label", "model", "n", "correct", "accuracy", "ci95_low", "ci95_high")
F1 = "f1_"
FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(release: str, tables: Sequence[Table]) -> str:
    """Every cell of every table, the baselines among the models; an undefined accuracy is an empty cell."""
    out = StringIO()
    writer = csv.writer(out, lineterminator="\n")
    scores = list(dict.fromkeys(name for table in tables for line in table.lines for name in _names(line.cells)))
    writer.writerow([*COLUMNS, *(F1 + name for name in scores), "shots"])
    for table in tables:
        for line in table.lines:
            for model, cell in zip((*table.models, *table.baselines), (*line.cells, *line.baselines), strict=False):
                row = [release, table.key, line.key, line.label, model, cell.n, *_figures(cell)]
                row += ["" if cell.f1.get(name) is None else repr(cell.f1[name]) for name in scores]
                row.append(cell.note)
                writer.writerow([_harmless(value) for value in row])
    return out.getvalue()


def _names(cells: Sequence[Cell]) -> list[str]:
    return [name for cell in cells for name in cell.f1]


def _figures(cell: Cell) -> list[object]:
    return [cell.correct, *("" if value is None else repr(value) for value in (cell.share, cell.low, cell.high))]


def _harmless(value: object) -> object:
    """Spreadsheets run what begins like a formula; names of models come from people."""
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value
