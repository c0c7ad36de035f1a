"""Sorting more than fits into memory: what is too much waits on disk, in sorted runs that are merged when it is read.

Where records arrive in order, as they mostly do, there is one run, and nothing to merge.
"""

import marshal
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO

from core.batches import in_batches

IN_MEMORY = 16_000_000  # bytes
AT_ONCE = 64_000  # bytes that are read of each run
OVERHEAD = 41  # bytes that Python adds to each record in a list
LENGTH = 4  # bytes that a length takes
ROWS_AT_ONCE = 2_000


@dataclass(slots=True)
class _Run:
    """Where sorted records lie in the file."""

    start: int
    end: int
    last: bytes


class SortedRecords:
    """Takes byte strings in any order and gives them back sorted, as often as wanted.

    Memory is flat: `IN_MEMORY` bytes while they arrive, and `AT_ONCE` per run, of which there is one per `IN_MEMORY`
    bytes at most, while they are read. The file is `path`, or a temporary one.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._waiting: list[bytes] = []
        self._weight = 0
        self._count = 0
        self._runs: list[_Run] = []
        self._file: IO[bytes] | None = None

    def __len__(self) -> int:
        return self._count

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()

    def extend(self, records: list[bytes]) -> None:
        self._waiting += records
        self._count += len(records)
        self._weight += sum(map(len, records)) + OVERHEAD * len(records)
        if self._weight >= IN_MEMORY:
            self._put_away()

    def __iter__(self) -> Iterator[bytes]:
        if not self._runs:
            self._waiting.sort()
            yield from self._waiting
            return
        if self._waiting:
            self._put_away()
        for lot in self._merged():
            yield from lot

    def _merged(self) -> Iterator[list[bytes]]:
        """All records in order, as many at a time as can be told: up to the first end of what was read of the runs."""
        runs = [(pieces, next(pieces)) for pieces in map(self._read, self._runs)]
        while runs:
            until = min(piece[-1] for _, piece in runs)
            lot: list[bytes] = []
            rest = []
            for pieces, piece in runs:
                end = bisect_right(piece, until)
                lot += piece[:end]
                left = piece[end:] or next(pieces, [])
                if left:
                    rest.append((pieces, left))
            lot.sort()
            yield lot
            runs = rest

    def _put_away(self) -> None:
        records, self._waiting = self._waiting, []
        each, self._weight = max(1, len(records) * AT_ONCE // self._weight), 0
        records.sort()
        if self._file is None:
            self._file = self._path.open("w+b") if self._path else TemporaryFile()  # noqa: SIM115 - closed at the end
        start = self._file.seek(0, 2)
        for some in in_batches(records, each):
            piece = marshal.dumps(some)
            self._file.write(len(piece).to_bytes(LENGTH) + piece)
        if not self._runs or self._runs[-1].last > records[0]:
            self._runs.append(_Run(start, start, b""))
        self._runs[-1].end, self._runs[-1].last = self._file.tell(), records[-1]

    def _read(self, run: _Run) -> Iterator[list[bytes]]:
        assert self._file is not None
        place = run.start
        while place < run.end:
            self._file.seek(place)
            size = int.from_bytes(self._file.read(LENGTH))
            piece = self._file.read(size)
            place += LENGTH + size
            yield marshal.loads(piece)  # noqa: S302 - written by this object


def keyed(key: Sequence[str], content: bytes) -> bytes:
    """A record that is sorted by some texts, none of which holds a null character, in order of their code points."""
    start = "\0".join(key).encode() + b"\0"
    return start + content + len(start).to_bytes(LENGTH)


def content_of(record: bytes) -> bytes:
    """Return what `keyed` was given."""
    return record[int.from_bytes(record[-LENGTH:]) : -LENGTH]


def in_order(rows: Iterable[list[str]], *, key: Callable[[list[str]], Sequence[str]]) -> Iterator[list[str]]:
    """Rows of texts, sorted by some texts. They are read once, all of them, and few are held in memory."""
    records = SortedRecords()
    for some in in_batches(rows, ROWS_AT_ONCE):
        records.extend([keyed(key(row), marshal.dumps(row)) for row in some])
    for record in records:
        yield marshal.loads(content_of(record))  # noqa: S302 - written above
