"""Reads back the case files of an exported folder (our own columns), with the checksum each row claims."""

import csv
import json
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from core.tables.cells import restore
from core.text import _
from curation.fields import COLUMNS as CASE_COLUMNS
from curation.fields import FIELDS, Kind, columns_of
from curation.publishing.canonical import from_record
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase

CaseAndChecksum = tuple[FrozenCase, str]
FLAGS = {"": None, "True": True, "False": False}
COLUMNS = (*CASE_COLUMNS, "sha256")
ALL_COLUMNS = (*(field.column for field in FIELDS), "sha256")  # of a release with optional fields


def read_csv(path: Path) -> Iterator[CaseAndChecksum]:
    """Cases of a `cases.csv`, defused cells restored.

    Refuses other columns and rows it cannot read, naming file and row.
    """
    csv.field_size_limit(sys.maxsize)
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        header = next(rows, [])
        if tuple(header) not in (COLUMNS, ALL_COLUMNS):
            raise PublishingError(
                _(
                    "%(file)s, row 1: the columns are not those of a release; expected %(columns)s",
                    file=path.name,
                    columns=list(COLUMNS),
                )
            )
        for number, row in enumerate(rows, start=2):
            try:
                record = dict(zip(header, map(restore, row), strict=True))
                yield _of_cells(record), record["sha256"]
            except (ValueError, KeyError) as error:
                raise PublishingError(
                    _(
                        "%(file)s, row %(row)s: cannot be read (%(error)s)",
                        file=path.name,
                        row=number,
                        error=_said(error),
                    )
                ) from error


def _of_cells(cells: Mapping[str, str]) -> FrozenCase:
    record: dict[str, Any] = dict(cells)
    record |= {name: json.loads(cells[name] or "[]") for name in columns_of(Kind.LABELS)}
    record |= {name: json.loads(cells[name] or "{}") for name in columns_of(Kind.COLUMNS)}
    for name in columns_of(Kind.FLAG):
        if cells[name] not in FLAGS:
            raise PublishingError(
                _("%(field)s is '%(value)s', expected True, False or nothing", field=name, value=cells[name])
            )
        record[name] = FLAGS[cells[name]]
    return from_record(record)


def read_jsonl(path: Path) -> Iterator[CaseAndChecksum]:
    """Cases of a `cases.jsonl`. Refuses lines that are not such records, naming file and line."""
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            try:
                record = json.loads(line)
                yield from_record(record), str(record.get("sha256", ""))
            except (ValueError, AttributeError) as error:
                raise PublishingError(
                    _(
                        "%(file)s, line %(line)s: cannot be read (%(error)s)",
                        file=path.name,
                        line=number,
                        error=_said(error),
                    )
                ) from error


def read_parquet(path: Path) -> Iterator[CaseAndChecksum]:
    """Cases of a `cases.parquet`, batch by batch. Refuses a file that is not Parquet or lacks columns."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=10_000):
                for record in batch.to_pylist():
                    record |= {name: json.loads(record[name] or "{}") for name in columns_of(Kind.COLUMNS)}
                    yield from_record(record), str(record["sha256"])
    except (pa.ArrowException, OSError, KeyError, ValueError) as error:
        raise PublishingError(
            _("%(file)s: cannot be read as Parquet (%(error)s)", file=path.name, error=_said(error))
        ) from error


def _said(error: Exception) -> str:
    return error.sentence if isinstance(error, PublishingError) else str(error)


READERS: Mapping[str, Callable[[Path], Iterator[CaseAndChecksum]]] = {
    "cases.csv": read_csv,
    "cases.jsonl": read_jsonl,
    "cases.parquet": read_parquet,
}
