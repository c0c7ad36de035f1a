"""Cases on disk between arriving in any order and being written in one order, so that memory stays flat."""

import hashlib
import json
import marshal
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from core.batches import in_batches
from core.text import _
from curation.publishing.blocks import SIZE, Block, values_of
from curation.publishing.canonical import ReleaseChecksum, canonical_lines, from_record, natural_order
from curation.publishing.errors import PublishingError
from curation.publishing.sorting import SortedRecords, content_of, keyed


def _packed(row: tuple[Any, ...], sha256: str, content: bytes) -> bytes:
    try:
        return marshal.dumps((sha256, row))
    except ValueError:  # a member of an enumeration among the texts: pack what is published of it
        return marshal.dumps((sha256, values_of(from_record(json.loads(content)))))


class CaseSpool:
    """Takes cases once, in any order; gives them back in natural order of their keys, as often as wanted."""

    def __init__(self, path: Path) -> None:
        self._records = SortedRecords(path)
        self.sha256 = ""
        self.has_optional = False

    def fill(self, blocks: Iterable[Block]) -> None:
        """Store all cases and compute the release's checksum. Refuses a release without cases and a repeated key."""
        checksum = ReleaseChecksum()
        for block in blocks:
            lines = canonical_lines(block)
            self.has_optional = self.has_optional or block.has_optional
            checksums = [hashlib.sha256(line).hexdigest() for line in lines]
            checksum.add_block(block, checksums)
            orders = map(natural_order, block["key"])
            self._records.extend([*map(keyed, orders, map(_packed, block.rows(), checksums, lines))])
        if not self._records:
            raise PublishingError(_("a release without cases cannot be exported; include at least one case"))
        self.sha256 = checksum.hexdigest()

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Block]:
        """Yield all cases with their checksums, in natural order of the keys."""
        if not self.sha256:
            raise PublishingError("the spool was not filled")
        for some in in_batches(self._records, SIZE):
            sha256: list[str] = []
            rows: list[tuple[Any, ...]] = []
            for record in some:
                checksum, row = marshal.loads(content_of(record))  # noqa: S302 - written by this object
                sha256.append(checksum)
                rows.append(row)
            yield Block.of_rows(rows, sha256)
