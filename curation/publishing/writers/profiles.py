"""Columns of a CSV file: ours, and those of HateCheck and Multilingual HateCheck, so that existing scripts run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from curation.formats.writing_hatecheck import CASE_HEADER as HATECHECK_COLUMNS
from curation.formats.writing_mhc import CASE_COLUMNS as MHC_COLUMNS
from curation.publishing.blocks import Block, Memo, Spelling
from curation.publishing.canonical import FIELDS, json_text
from curation.publishing.cells import csv_cell

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


def _touchstone(block: Block, first: int) -> Cells:
    return [*CELLS.columns(block).values(), block.sha256]


def _hatecheck(block: Block, first: int) -> Cells:
    cells = CELLS.columns(block)
    numbers = [str(number) for number in range(first, first + len(block))]
    return [numbers, *(cells[name] for name in HATECHECK_COLUMNS[1:])]


def _mhc(block: Block, first: int) -> Cells:
    cells = CELLS.columns(block)
    extras = [dict(extra) for extra in block["extra"]]
    cells["mhc_case_id"] = cells["case_id"]
    cells["label_annotated"] = PYTHON_LISTS.all(block["labels_given"])
    for name in ("gender_male", "gender_female"):
        cells[name] = [csv_cell(extra.get(name, "")) for extra in extras]
    return [cells[name] for name in MHC_COLUMNS]


TOUCHSTONE = Profile("touchstone", (*FIELDS, "sha256"), _touchstone)
HATECHECK = Profile("hatecheck", HATECHECK_COLUMNS, _hatecheck)
MHC = Profile("mhc", MHC_COLUMNS, _mhc)
