"""Parquet in row groups of fixed size: the same bytes for the same cases and version of the library, memory flat."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from curation.publishing.canonical import FIELDS, json_text, to_record
from curation.publishing.values import FrozenCase

ROWS_PER_GROUP = 10_000


@cache
def schema() -> Any:
    """The columns: all text but a list of labels and two flags."""
    import pyarrow as pa

    special = {
        "label_annotated": pa.list_(pa.string()),
        "disagreement_in_case": pa.bool_(),
        "disagreement_in_template": pa.bool_(),
    }
    return pa.schema([(name, special.get(name, pa.string())) for name in (*FIELDS, "sha256")])


class ParquetWriter:
    """One file with all cases."""

    def __init__(self, path: Path) -> None:
        import pyarrow.parquet as pq

        self._writer = pq.ParquetWriter(path, schema(), compression="zstd", version="2.6", write_statistics=True)
        self._columns: dict[str, list[Any]] = {name: [] for name in schema().names}

    def write(self, case: FrozenCase, sha256: str) -> None:
        record = to_record(case)
        record["extra"] = json_text(record["extra"]) if record["extra"] else ""
        record["sha256"] = sha256
        for name, values in self._columns.items():
            values.append(record[name])
        if len(self._columns["sha256"]) >= ROWS_PER_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        batch = pa.record_batch(self._columns, schema=schema())
        self._writer.write_batch(batch, row_group_size=ROWS_PER_GROUP)
        for values in self._columns.values():
            values.clear()

    def close(self) -> None:
        if self._columns["sha256"]:
            self._flush()
        self._writer.close()
