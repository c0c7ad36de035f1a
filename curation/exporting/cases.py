"""Writing the working set, or giving an imported suite back in the format it came in."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from core.batches import in_batches
from core.errors import BadInput
from core.tables.writing import csv_bytes
from core.text import _
from curation.fields import FIELDS, OPTIONAL
from curation.formats.plain import COLUMNS
from curation.models import Suite, TestCase

LOOKUPS = {field.column: field.lookup for field in FIELDS}


def case_columns(suite: Suite) -> tuple[str, ...]:
    """Return the columns of `export_cases`, with the language where there are several, and optional fields in use."""
    cases = TestCase.objects.of(suite).in_use().order_by()
    mixed = cases.values("language").distinct().count() > 1
    used = (field.column for field in OPTIONAL if cases.exclude(**{field.lookup: ""}).exists())
    return (*COLUMNS, *(("language",) if mixed else ()), *used)


def case_rows(suite: Suite, columns: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Yield every case in use, in the columns of `case_columns`, streamed from the database."""
    lookups = [LOOKUPS[column] for column in columns]
    for row in TestCase.objects.of(suite).in_use().in_order().values_list(*lookups).iterator(chunk_size=2000):
        yield tuple(value or "" for value in row)


def write_cases(suite: Suite, stream: TextIO) -> int:
    """Write the working set as CSV; returns how many cases."""
    columns = case_columns(suite)
    stream.write(csv_bytes([columns]).decode())
    count = 0
    for rows in in_batches(case_rows(suite, columns)):
        stream.write(csv_bytes(rows).decode())
        count += len(rows)
    return count


def export_cases(suite: Suite, out: Path) -> int:
    """Write the working set to a file, which appears only when it is whole. Refuses a folder or a device."""
    if out.exists() and not out.is_file():
        raise BadInput(_("'%(path)s' is not a file. Name the CSV file to write.", path=str(out)))
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_name(out.name + ".partial")
    try:
        with partial.open("w", encoding="utf-8", newline="") as stream:
            count = write_cases(suite, stream)
        partial.replace(out)
    except OSError:
        partial.unlink(missing_ok=True)
        raise
    return count
