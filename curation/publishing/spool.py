"""Cases on disk between arriving in any order and being written in one order, so that memory stays flat.

The index holds a few bytes per case; the cases themselves are read back one at a time.
"""

from __future__ import annotations

import hashlib
import json
import marshal
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO

from curation.publishing.blocks import SIZE, Block, values_of
from curation.publishing.canonical import ReleaseChecksum, canonical_lines, from_record, natural_order
from curation.publishing.errors import PublishingError


def _packed(row: tuple[Any, ...], sha256: str, content: bytes) -> bytes:
    try:
        return marshal.dumps((sha256, row))
    except ValueError:  # a member of an enumeration among the texts: pack what is published of it
        return marshal.dumps((sha256, values_of(from_record(json.loads(content)))))


class CaseSpool:
    """Takes cases once, in any order; gives them back in natural order of their keys, as often as wanted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: list[str] = []
        self._offsets = array("Q", [0])
        self._order: array[int] | None = None
        self.sha256 = ""

    def fill(self, blocks: Iterable[Block]) -> None:
        """Store all cases and compute the release's checksum. Refuses a release without cases and a repeated key."""
        checksum = ReleaseChecksum()
        with self._path.open("wb") as file:
            for block in blocks:
                lines = canonical_lines(block)
                checksums = [hashlib.sha256(line).hexdigest() for line in lines]
                checksum.add_block(block, checksums)
                self._keys += block["key"]
                self._store(file, [*map(_packed, block.rows(), checksums, lines)])
        if not self._keys:
            raise PublishingError("a release without cases cannot be exported; include at least one case")
        self.sha256 = checksum.hexdigest()
        del checksum  # as large as what sorting needs
        self._order = _natural_order(self._keys)
        self._keys = []

    def _store(self, file: BinaryIO, packed: list[bytes]) -> None:
        offset = self._offsets[-1]
        for piece in packed:
            offset += len(piece)
            self._offsets.append(offset)
        file.write(b"".join(packed))

    def __len__(self) -> int:
        return len(self._offsets) - 1

    def __iter__(self) -> Iterator[Block]:
        """All cases with their checksums, in natural order of the keys."""
        if self._order is None:
            raise PublishingError("the spool was not filled")
        with self._path.open("rb") as file:
            at = 0
            sha256: list[str] = []
            rows: list[tuple[Any, ...]] = []
            for position in self._order:
                offset, end = self._offsets[position], self._offsets[position + 1]
                # cases mostly arrive in order already: seeking would throw away the read buffer each time
                if offset != at:
                    file.seek(offset)
                at = end
                checksum, row = marshal.loads(file.read(end - offset))  # noqa: S302 - written by this object
                sha256.append(checksum)
                rows.append(row)
                if len(rows) == SIZE:
                    yield Block.of_rows(rows, sha256)
                    sha256, rows = [], []
            if rows:
                yield Block.of_rows(rows, sha256)


def _natural_order(keys: list[str]) -> array[int]:
    """Positions of the keys in their natural order, in a few bytes each."""
    return array("Q", sorted(range(len(keys)), key=lambda position: natural_order(keys[position])))
