"""One row per model and slice, for spreadsheets and scripts."""

from __future__ import annotations

from collections.abc import Sequence

from curation.publishing.cells import defuse
from evaluation.reports.frames import cells_frame
from evaluation.reports.tables import Table


def as_csv(release: str, tables: Sequence[Table]) -> str:
    """Every cell of every table, the baselines among the models; an undefined accuracy is an empty cell."""
    text: str = cells_frame(release, tables).map(_harmless).to_csv(index=False, lineterminator="\n")
    return text


def _harmless(value: object) -> object:
    """Spreadsheets run what begins like a formula; names of models come from people."""
    return defuse(value) if isinstance(value, str) else value
