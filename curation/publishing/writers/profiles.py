"""Columns of a CSV file: ours, and those of published formats, so that existing scripts run."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from core.tables.cells import csv_cell
from curation.fields import Field
from curation.formats.base import SuiteFormat
from curation.publishing.blocks import Block, Memo, Spelling
from curation.publishing.canonical import json_text

Cells = Sequence[Sequence[str]]


@dataclass(frozen=True, slots=True)
class Profile:
    """The header of a file, and the cells of its columns; rows are numbered from the number given."""

    name: str
    columns: tuple[str, ...]
    cells: Callable[[Block, int], Cells]


def _flag(value: bool | None) -> str:
    """True, False, or nothing where it is undefined."""
    return "" if value is None else str(value)


CELLS = Spelling(
    text=csv_cell,
    labels=lambda labels: csv_cell(json_text(labels)) if labels else "",
    flag=_flag,
    extra=lambda extra: csv_cell(json_text(dict(extra))) if extra else "",
)
PYTHON_LISTS = Memo(lambda labels: csv_cell(str(list(labels))))


def own_profile(fields: Sequence[Field]) -> Profile:
    """Return our own columns for these fields."""
    columns = tuple(field.column for field in fields)

    def cells(block: Block, first: int) -> Cells:
        written = CELLS.columns(block)
        return [*(written[name] for name in columns), block.sha256]

    return Profile("touchstone", (*columns, "sha256"), cells)


def profile_of(format_: SuiteFormat) -> Profile:
    """Return how the cases of a release are written in the columns of a published format."""

    def cells(block: Block, first: int) -> Cells:
        written = CELLS.columns(block)
        if format_.release_lists_as_python:
            written["label_annotated"] = PYTHON_LISTS.all(block["labels_given"])
        written[""] = [str(number) for number in range(first, first + len(block))]
        extras = [dict(extra) for extra in block["extra"]]

        def column(name: str) -> list[str]:
            source = format_.release_sources.get(name, name)
            return written.get(source) or [csv_cell(extra.get(name, "")) for extra in extras]

        return [column(name) for name in format_.release_columns]

    return Profile(format_.name, format_.release_columns, cells)
