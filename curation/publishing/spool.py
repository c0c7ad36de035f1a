"""Cases on disk between arriving in any order and being written in one order, so that memory stays flat.

The index holds a few bytes per case; the cases themselves are read back one at a time.
"""

from __future__ import annotations

import hashlib
import json
from array import array
from collections.abc import Iterable, Iterator
from pathlib import Path

from curation.publishing.canonical import ReleaseChecksum, canonical_bytes, from_record, natural_order
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase


class CaseSpool:
    """Takes cases once, in any order; gives them back in natural order of their keys, as often as wanted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: list[str] = []
        self._offsets = array("Q")
        self._order: list[int] | None = None
        self.sha256 = ""

    def fill(self, cases: Iterable[FrozenCase]) -> None:
        """Store all cases and compute the release's checksum. Refuses a release without cases and a repeated key."""
        checksum = ReleaseChecksum()
        offset = 0
        with self._path.open("wb") as file:
            for case in cases:
                content = canonical_bytes(case)
                sha256 = hashlib.sha256(content).hexdigest()
                checksum.add(case.key, sha256)
                self._keys.append(case.key)
                self._offsets.append(offset)
                offset += file.write(sha256.encode("ascii") + content + b"\n")
        if not self._keys:
            raise PublishingError("a release without cases cannot be exported; include at least one case")
        self.sha256 = checksum.hexdigest()
        keys = self._keys
        self._order = sorted(range(len(keys)), key=lambda position: natural_order(keys[position]))
        self._keys = []

    def __len__(self) -> int:
        return len(self._offsets)

    def __iter__(self) -> Iterator[tuple[FrozenCase, str]]:
        """Each case with its SHA-256, in natural order of the keys."""
        if self._order is None:
            raise PublishingError("the spool was not filled")
        expected = 0
        with self._path.open("rb") as file:
            for position in self._order:
                offset = self._offsets[position]
                # cases mostly arrive in order already: seeking would throw away the read buffer each time
                if offset != expected:
                    file.seek(offset)
                line = file.readline()
                expected = offset + len(line)
                yield from_record(json.loads(line[64:])), line[:64].decode("ascii")
