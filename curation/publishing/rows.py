"""The one way CSV is written here: UTF-8, comma, line feed, quotes only where needed, dangerous cells defused."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from pathlib import Path
from typing import TextIO

from curation.publishing.cells import SUSPICIOUS, defuse


class _LineFeeds:
    """Ends each row with a line feed alone.

        The csv module leaves a carriage return inside a cell unquoted unless it is part of the line end it was told
    to write.
    """

    def __init__(self, file: TextIO) -> None:
        self._file = file

    def write(self, row: str) -> int:
        return self._file.write(row[:-2] + "\n")


class RowWriter:
    """A CSV file that is written row by row."""

    def __init__(self, path: Path, columns: Iterable[str]) -> None:
        self._file = path.open("w", encoding="utf-8", newline="")
        self._rows = csv.writer(_LineFeeds(self._file), lineterminator="\r\n")
        self._rows.writerow(columns)

    def write(self, cells: Iterable[str]) -> None:
        self._rows.writerow([defuse(cell) if cell[:1] in SUSPICIOUS else cell for cell in cells])

    def close(self) -> None:
        self._file.close()
