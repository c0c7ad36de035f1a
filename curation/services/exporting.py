"""Writing the working set, or giving an imported suite back in the format it came in."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from curation.formats.writing_plain import COLUMNS
from curation.models import Suite, TestCase


def case_rows(suite: Suite) -> Iterator[tuple[str, ...]]:
    """Every case in use, in the columns of `export_cases`, streamed from the database."""
    cases = TestCase.objects.of(suite).in_use().in_order().values_list(
        "key", "functionality__key", "text", "functionality__gold_label", "target__name", "direction", "focus_words",
        "focus_lemma", "refers_to", "template__refers_to", "template__key", "variant__text",
    )  # fmt: skip
    for row in cases.iterator(chunk_size=2000):
        yield tuple(value or "" for value in row)


def write_cases(suite: Suite, stream: TextIO) -> int:
    """Write the working set as CSV; returns how many cases."""
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    count = 0
    for row in case_rows(suite):
        writer.writerow(row)
        count += 1
    return count


def export_cases(suite: Suite, out: Path) -> int:
    """Write the working set to a file, which appears only when it is whole."""
    partial = out.with_name(out.name + ".partial")
    with partial.open("w", encoding="utf-8", newline="") as stream:
        count = write_cases(suite, stream)
    partial.replace(out)
    return count
