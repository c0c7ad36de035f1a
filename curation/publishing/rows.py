"""The one way CSV is written here: UTF-8, comma, line feed, quotes only where needed, dangerous cells defused."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path

from core.batches import in_batches
from core.tables.cells import csv_cell
from curation.publishing.blocks import Memo

AT_ONCE = 2_000


class RowWriter:
    """A CSV file, written some rows at a time."""

    def __init__(self, path: Path, columns: Sequence[str]) -> None:
        self._file = path.open("wb")
        self._file.writelines(csv_pieces(columns, ()))

    def write_columns(self, columns: Sequence[Sequence[str]]) -> None:
        """Rows given column by column, their cells written as `csv_cell` does."""
        self._file.write(_lines(zip(*columns, strict=True)))

    def close(self) -> None:
        self._file.close()


def csv_pieces(columns: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """Yield the bytes of a CSV file, some thousand rows at a time."""
    cells = Memo(csv_cell)
    for some in in_batches(chain([columns], rows), AT_ONCE):
        yield _lines([cells.all(row) for row in some])


def _lines(rows: Iterable[Iterable[str]]) -> bytes:
    # a row of a single empty cell would be an empty line, which readers skip
    lines = [line or '""' for line in map(",".join, rows)]
    return ("\n".join(lines) + "\n").encode()
