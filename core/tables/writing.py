"""Rows written as CSV text, the one way all writers use."""

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from core.batches import in_batches


def csv_bytes(rows: Iterable[Sequence[str]], *, newline: str = "\n", ends_with_newline: bool = True) -> bytes:
    """UTF-8 CSV with commas; a cell stands in quotation marks only where it must."""
    buffer = io.StringIO(newline="")
    plain = csv.writer(buffer, lineterminator=newline)
    # Where lines end in a line feed Python's writer leaves a carriage return bare, and its reader breaks the row there.
    quoted = csv.writer(buffer, lineterminator=newline, quoting=csv.QUOTE_ALL)
    for row in rows:
        (quoted if any("\r" in cell for cell in row) else plain).writerow(row)
    text = buffer.getvalue()
    return (text if ends_with_newline else text.removesuffix(newline)).encode("utf-8")


def csv_stream(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[bytes]:
    """CSV for a download, a batch at a time, so that memory stays flat."""
    yield csv_bytes([header])
    for batch in in_batches(rows):
        yield csv_bytes(batch)
