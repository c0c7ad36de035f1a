"""From XLSX workbooks and Parquet files to rows of text, within limits that no packed file can stretch."""

import io
import warnings
import zipfile
from collections.abc import Iterable, Iterator
from typing import Any

from core.tables.cells import as_text
from core.tables.decoding import MAX_FILE_BYTES, Unreadable
from core.text import _

PARQUET = b"PAR1"
ZIP = b"PK\x03\x04"
MAX_CELLS = 20_000_000
MAX_SHEET_ROWS = 2**20  # the most that Excel has
TOO_LARGE = _("split it into several files")


def is_workbook(data: bytes) -> bool:
    """Tell a workbook from other zip archives."""
    if not data.startswith(ZIP):
        return False
    try:
        return "xl/workbook.xml" in zipfile.ZipFile(io.BytesIO(data)).namelist()
    except zipfile.BadZipFile:
        return False


def read_workbook(data: bytes, *, sheet: str | None = None) -> tuple[list[list[str]], list[str]]:
    """Return the rows of a sheet, the first one unless `sheet` names another, and the names of the sheets not read.

    Formulas have the value that the spreadsheet program stored. Refuses damaged and enormous workbooks, and a name
    that no sheet has.
    """
    import openpyxl

    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        # The size that the archive states is also the most that is ever unpacked of a member.
        size = sum(member.file_size for member in archive.infolist())
    if size > MAX_FILE_BYTES:
        raise Unreadable(
            _(
                "the workbook holds %(size)s bytes when unpacked; at most %(most)s are read",
                size=size,
                most=MAX_FILE_BYTES,
            ),
            TOO_LARGE,
        )
    try:
        with warnings.catch_warnings(action="ignore"):  # about colours and validation rules, which we do not read
            book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
            sheets = {one.title: one for one in book.worksheets if one.sheet_state == "visible"}
            chosen = next(iter(sheets)) if sheet is None else sheet
            if chosen not in sheets:
                raise Unreadable(
                    _("the workbook has no sheet '%(sheet)s'", sheet=chosen),
                    _("choose from: %(sheets)s", sheets=list(sheets)),
                )
            sheets[chosen].reset_dimensions()  # what a sheet says about its size may be wrong
            rows = list(_bounded(_sheet_rows(sheets[chosen])))
    except Unreadable:
        raise
    except Exception:  # the library checks little: a damaged part fails wherever it is first used
        fix = _("open it in a spreadsheet program and save it again, as XLSX or CSV UTF-8")
        raise Unreadable(_("this is a damaged Excel workbook"), fix) from None
    return rows, [title for title in sheets if title != chosen]


def _sheet_rows(sheet: Any) -> Iterator[list[str]]:
    for number, row in enumerate(sheet.iter_rows(values_only=True), 1):
        if number > MAX_SHEET_ROWS:  # a row may state any number, and the library fills the gap
            raise Unreadable(_("the sheet has more than %(most)s rows", most=MAX_SHEET_ROWS), TOO_LARGE)
        yield [as_text(float(f"{value:.15g}") if isinstance(value, float) else value) for value in row]


def read_parquet(data: bytes) -> list[list[str]]:
    """Return the names of the columns and then the rows. Refuses damaged and enormous files."""
    import pyarrow
    import pyarrow.parquet

    try:
        file = pyarrow.parquet.ParquetFile(pyarrow.BufferReader(data))
        return [list(file.schema_arrow.names), *_bounded(_parquet_rows(file))]
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError):
        fix = _("write it again, or save the table as CSV UTF-8")
        raise Unreadable(_("this is a damaged Parquet file"), fix) from None


def _parquet_rows(file: Any) -> Iterator[list[str]]:
    for batch in file.iter_batches(batch_size=1_000):
        columns = [[as_text(value) for value in column.to_pylist()] for column in batch.columns]
        yield from map(list, zip(*columns, strict=True))


def _bounded(rows: Iterable[list[str]]) -> Iterator[list[str]]:
    """Yield the rows. Refuses more cells or characters than are read: packed, they can take very little room."""
    cells = characters = 0
    for row in rows:
        cells += len(row)
        characters += sum(map(len, row))
        if cells > MAX_CELLS or characters > MAX_FILE_BYTES:
            problem = _(
                "the file holds more than %(cells)s cells or %(characters)s characters",
                cells=MAX_CELLS,
                characters=MAX_FILE_BYTES,
            )
            raise Unreadable(problem, TOO_LARGE)
        yield row
