"""Parquet in row groups of fixed size: the same bytes for the same cases and version of the library, memory flat."""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from curation.fields import FIELDS, Field, Kind
from curation.publishing.blocks import Block, Spelling
from curation.publishing.canonical import json_text

ROWS_PER_GROUP = 10_000
AS_THEY_ARE = (Kind.LABELS, Kind.FLAG)
TEXTS = Spelling(
    text=str,
    labels=str,
    flag=str,
    extra=lambda extra: json_text(dict(extra)) if extra else "",
)


@cache
def schema(fields: tuple[Field, ...]) -> Any:
    """Return the columns: all text but a list of labels and two flags."""
    import pyarrow as pa

    special = {Kind.LABELS: pa.list_(pa.string()), Kind.FLAG: pa.bool_()}
    columns = [(field.column, special.get(field.kind, pa.string())) for field in fields]
    return pa.schema([*columns, ("sha256", pa.string())])


class ParquetWriter:
    """One file with all cases."""

    def __init__(self, path: Path, fields: tuple[Field, ...]) -> None:
        import pyarrow.parquet as pq

        self._schema = schema(fields)
        self._writer = pq.ParquetWriter(path, self._schema, compression="zstd", version="2.6", write_statistics=True)
        self._columns: dict[str, list[Any]] = {name: [] for name in self._schema.names}

    def write(self, block: Block) -> None:
        columns: dict[str, Sequence[Any]] = {**TEXTS.columns(block)}
        columns |= {field.column: block[field.name] for field in FIELDS if field.kind in AS_THEY_ARE}
        columns["sha256"] = block.sha256
        for name, values in self._columns.items():
            values += columns[name]
        while len(self._columns["sha256"]) >= ROWS_PER_GROUP:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        group = {name: values[:ROWS_PER_GROUP] for name, values in self._columns.items()}
        self._writer.write_batch(pa.record_batch(group, schema=self._schema), row_group_size=ROWS_PER_GROUP)
        for values in self._columns.values():
            del values[:ROWS_PER_GROUP]

    def close(self) -> None:
        if self._columns["sha256"]:
            self._flush()
        self._writer.close()
