"""One line per case that lets a verifier name the field that was changed, even if only one copy of the case exists.

The SHA-256 proves; the checksums of the fields (CRC-32, eight hexadecimal digits each, in the order of
`curation.fields`) only point.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from zlib import crc32

from core.tables.cells import csv_cell, restore
from core.text import _
from curation.fields import FIELDS, REQUIRED, Field
from curation.publishing.blocks import Block, Spelling
from curation.publishing.canonical import json_text
from curation.publishing.errors import PublishingError
from curation.publishing.rows import RowWriter

FILE_NAME = "integrity.csv"
COLUMNS = ("case_id", "sha256", "fields")
WIDTH = 8
WIDTHS = {WIDTH * len(fields) for fields in (FIELDS, REQUIRED)}  # without optional fields, and with them


@dataclass(frozen=True, slots=True)
class IntegrityLine:
    """What a case was when it was published."""

    key: str
    sha256: str
    fields: str


def _checksum(value: str) -> str:
    return f"{crc32(value.encode('utf-8')):08x}"


def _checksum_of_json(value: object) -> str:
    return _checksum(json_text(value))


CHECKSUMS = Spelling(
    text=_checksum,
    labels=_checksum_of_json,
    flag=_checksum_of_json,
    extra=lambda extra: _checksum_of_json(sorted(extra)),
)


def field_checksums(block: Block, fields: Sequence[Field] = FIELDS) -> list[str]:
    """Return the checksums of the fields of each case, one after the other."""
    columns = CHECKSUMS.columns(block)
    return list(map("".join, zip(*(columns[field.column] for field in fields), strict=True)))


def changed_fields(before: str, after: str) -> list[str]:
    """Return the names of the fields whose checksums differ, among those that were noted before."""
    return [
        field.column
        for position, field in enumerate(FIELDS[: len(before) // WIDTH])
        if before[position * WIDTH : (position + 1) * WIDTH] != after[position * WIDTH : (position + 1) * WIDTH]
    ]


class IntegrityWriter:
    """Writes `integrity.csv`."""

    def __init__(self, path: Path, fields: Sequence[Field]) -> None:
        self._fields = fields
        self._rows = RowWriter(path, COLUMNS)

    def write(self, block: Block) -> None:
        keys = list(map(csv_cell, block["key"]))
        self._rows.write_columns((keys, block.sha256, field_checksums(block, self._fields)))

    def close(self) -> None:
        self._rows.close()


def read_integrity(path: Path) -> Iterator[IntegrityLine]:
    """Yield the lines of an integrity file; refuses a file that is not one, naming the row."""
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file), start=1):
            if number == 1 and tuple(row) == COLUMNS:
                continue
            if number == 1 or len(row) != len(COLUMNS) or len(row[2]) not in WIDTHS:
                raise PublishingError(
                    _(
                        "%(file)s, row %(row)s: this is not an integrity line; export the release again",
                        file=path.name,
                        row=number,
                    )
                )
            yield IntegrityLine(restore(row[0]), row[1], row[2])
