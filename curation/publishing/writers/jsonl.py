"""JSON Lines.

A line is the canonical object of a case with one more member at its end, `sha256`: the digest of the line without it.
"""

from pathlib import Path

from curation.publishing.blocks import Block
from curation.publishing.canonical import canonical_lines


class JsonlWriter:
    """One file with all cases."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("wb")

    def write(self, block: Block) -> None:
        self._file.writelines(
            line[:-1] + b',"sha256":"' + sha256.encode("ascii") + b'"}\n'
            for line, sha256 in zip(canonical_lines(block), block.sha256, strict=True)
        )

    def close(self) -> None:
        self._file.close()
