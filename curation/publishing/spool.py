"""Cases on disk between arriving in any order and being written in one order, so that memory stays flat.

The index holds a few bytes per case; the cases themselves are read back one at a time.
"""

from __future__ import annotations

import hashlib
import json
import marshal
from array import array
from collections.abc import Iterable, Iterator
from dataclasses import fields
from operator import attrgetter
from pathlib import Path

from curation.publishing.canonical import ReleaseChecksum, canonical_bytes, from_record, natural_order
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase

values_of = attrgetter(*(field.name for field in fields(FrozenCase)))


def _packed(case: FrozenCase, sha256: str, content: bytes) -> bytes:
    try:
        return marshal.dumps((sha256, values_of(case)))
    except ValueError:  # a member of an enumeration among the texts: pack what is published of it
        return marshal.dumps((sha256, values_of(from_record(json.loads(content)))))


class CaseSpool:
    """Takes cases once, in any order; gives them back in natural order of their keys, as often as wanted."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._keys: list[str] = []
        self._offsets = array("Q")
        self._lengths = array("Q")
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
                length = file.write(_packed(case, sha256, content))
                self._offsets.append(offset)
                self._lengths.append(length)
                offset += length
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
        with self._path.open("rb") as file:
            at = 0
            for position in self._order:
                offset = self._offsets[position]
                # cases mostly arrive in order already: seeking would throw away the read buffer each time
                if offset != at:
                    file.seek(offset)
                length = self._lengths[position]
                at = offset + length
                sha256, values = marshal.loads(file.read(length))  # noqa: S302 - written by this object a moment ago
                yield FrozenCase(*values), sha256
