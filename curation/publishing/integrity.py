"""One line per case that lets a verifier name the field that was changed, even if only one copy of the case exists.

The SHA-256 proves; the checksums of the fields (CRC-32, eight hexadecimal digits each, in the order of `FIELDS`) only
point.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from zlib import crc32

from curation.publishing.canonical import FIELDS, TARGET_SEPARATOR, json_text
from curation.publishing.cells import restore
from curation.publishing.errors import PublishingError
from curation.publishing.rows import RowWriter
from curation.publishing.values import FrozenCase

FILE_NAME = "integrity.csv"
COLUMNS = ("case_id", "sha256", "fields")
WIDTH = 8


@dataclass(frozen=True, slots=True)
class IntegrityLine:
    """What a case was when it was published."""

    key: str
    sha256: str
    fields: str


@lru_cache(maxsize=8192)  # most fields hold one of a few values, or nothing
def _checksum(value: str) -> str:
    return f"{crc32(value.encode('utf-8')):08x}"


@lru_cache(maxsize=8192)
def _checksum_of_json(value: bool | tuple[str, ...] | tuple[tuple[str, str], ...] | None) -> str:
    return _checksum(json_text(value))


def field_checksums(case: FrozenCase) -> str:
    """The checksums of all fields, one after the other, in the order of `FIELDS`."""
    return "".join(
        (
            _checksum(case.key),
            _checksum(case.functionality),
            _checksum(case.text),
            _checksum(case.label),
            _checksum(TARGET_SEPARATOR.join(case.targets)),
            _checksum(case.direction),
            _checksum(case.focus_words),
            _checksum(case.focus_lemma),
            _checksum(case.refers_to),
            _checksum(case.refers_to_template),
            _checksum(case.template),
            _checksum(case.template_text),
            _checksum(case.language),
            _checksum(case.functionality_class),
            _checksum(case.origin),
            _checksum_of_json(case.labels_given),
            _checksum(case.majority),
            _checksum_of_json(case.disagreement_in_case),
            _checksum_of_json(case.disagreement_in_template),
            _checksum(case.provenance),
            _checksum_of_json(tuple(sorted(case.extra))),
        )
    )


def changed_fields(before: str, after: str) -> list[str]:
    """Names of the fields whose checksums differ."""
    return [
        name
        for position, name in enumerate(FIELDS)
        if before[position * WIDTH : (position + 1) * WIDTH] != after[position * WIDTH : (position + 1) * WIDTH]
    ]


class IntegrityWriter:
    """Writes `integrity.csv`, case by case."""

    def __init__(self, path: Path) -> None:
        self._rows = RowWriter(path, COLUMNS)

    def write(self, case: FrozenCase, sha256: str) -> None:
        self._rows.write((case.key, sha256, field_checksums(case)))

    def close(self) -> None:
        self._rows.close()


def read_integrity(path: Path) -> Iterator[IntegrityLine]:
    """The lines of an integrity file; refuses a file that is not one, naming the row."""
    with path.open(encoding="utf-8", newline="") as file:
        for number, row in enumerate(csv.reader(file), start=1):
            if number == 1 and tuple(row) == COLUMNS:
                continue
            if number == 1 or len(row) != len(COLUMNS) or len(row[2]) != WIDTH * len(FIELDS):
                raise PublishingError(
                    f"{path.name}, row {number}: this is not an integrity line; export the release again"
                )
            yield IntegrityLine(restore(row[0]), row[1], row[2])
