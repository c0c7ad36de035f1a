"""JSON Lines.

A line is the canonical object of a case with one more member at its end, `sha256`: the digest of the line without it.
"""

from __future__ import annotations

from pathlib import Path

from curation.publishing.canonical import canonical_bytes
from curation.publishing.values import FrozenCase


class JsonlWriter:
    """One file with all cases."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def write(self, case: FrozenCase, sha256: str) -> None:
        self._file.write(canonical_bytes(case)[:-1] + b',"sha256":"' + sha256.encode("ascii") + b'"}\n')

    def close(self) -> None:
        self._file.close()
