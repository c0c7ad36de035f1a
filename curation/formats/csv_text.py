"""Rows written as CSV text, the one way all writers use."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence


def csv_bytes(rows: Iterable[Sequence[str]], *, newline: str = "\n", ends_with_newline: bool = True) -> bytes:
    """UTF-8 CSV with commas; a cell stands in quotation marks only where it must."""
    buffer = io.StringIO(newline="")
    csv.writer(buffer, lineterminator=newline).writerows(rows)
    text = buffer.getvalue()
    return (text if ends_with_newline else text.removesuffix(newline)).encode("utf-8")
