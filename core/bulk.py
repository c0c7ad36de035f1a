"""Writing very many rows: COPY on PostgreSQL, executemany on SQLite; several times faster than bulk_create."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from django.db import connection, models

from core.batches import in_batches
from core.fields import SentenceField

BATCH = 5_000


class JsonText(str):
    """JSON that is text already, for rows whose values repeat: it is written as it is."""

    __slots__ = ()


def insert_rows(model: type[models.Model], fields: Sequence[str], rows: Iterable[Sequence[Any]]) -> int:
    """Insert plain tuples in the order of `fields` (names as in the model, foreign keys as ids). Returns how many.

    Fields that are not named must have a database default or be null; Python defaults are not applied. Broken
    constraints raise IntegrityError as usual.
    """
    columns: list[Any] = [model._meta.get_field(name) for name in fields]
    names = ", ".join(connection.ops.quote_name(field.column) for field in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    ready = _prepared(columns, rows)
    marks = ", ".join(["%s"] * len(columns))
    written = 0
    with connection.cursor() as cursor:
        # In batches: rows may themselves come from a query, which cannot go on while a COPY holds the connection.
        for batch in in_batches(ready, BATCH):
            if connection.vendor == "postgresql":
                _copy(cursor, f"COPY {table} ({names}) FROM STDIN", batch)
            else:
                statement = f"INSERT INTO {table} ({names}) VALUES ({marks})"  # noqa: S608  (names come from the model)
                cursor.executemany(statement, batch)
            written += len(batch)
    return written


def _copy(cursor: Any, statement: str, rows: Iterable[Sequence[Any]]) -> None:
    # A COPY goes past Django's cursor, which would turn the driver's errors into Django's.
    with connection.wrap_database_errors, cursor.copy(statement) as copy:
        for row in rows:
            copy.write_row(row)


def _prepared(fields: Sequence[Any], rows: Iterable[Sequence[Any]]) -> Iterator[Sequence[Any]]:
    """Only dates, JSON and sentences need the backend's form; everything else is passed through untouched."""
    conversions: list[tuple[int, Callable[[Any], Any]]] = [
        (index, _conversion(field))
        for index, field in enumerate(fields)
        if isinstance(field, models.JSONField | models.DateTimeField | SentenceField)
    ]
    if not conversions:
        yield from rows
        return
    for row in rows:
        values = list(row)
        for index, convert in conversions:
            values[index] = convert(values[index])
        yield values


def _conversion(field: models.Field[Any, Any]) -> Callable[[Any], Any]:
    """Remembers the last value: whole batches share one time stamp and many share one JSON value."""
    last_given: Any = object()
    last_made: Any = None

    def convert(value: Any) -> Any:
        nonlocal last_given, last_made
        if value is None:
            return None
        if isinstance(value, JsonText):
            return str(value)
        if value is not last_given:
            last_given, last_made = value, field.get_db_prep_save(value, connection)
        return last_made

    return convert


_writing = threading.Lock()


@contextmanager
def write_lock() -> Iterator[None]:
    """Let one writer of this process write at a time on SQLite, in the order they came.

    SQLite lets writers poll with growing pauses, so ten threads of one server would wait a tenth of a second for a lock
    that is held for two milliseconds. A lock of the process wakes the next one at once. Inside a transaction it is too
    late to queue, and PostgreSQL needs no queue.
    """
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with _writing:
        yield
