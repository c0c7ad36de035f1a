"""One archive with everything an instance holds: all rows as plain JSON, the files, and the checksum of each part.

The rows are those of one moment, taken while others write, and belong to no kind of database: they go back into SQLite
or PostgreSQL (config/restoring.py).
"""

import base64
import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile

from django.apps import apps
from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import AutoField, Model
from django.utils import timezone
from django.utils.duration import duration_string

from core.errors import BadInput
from core.fields import SentenceField
from core.json_fields import SentencesField
from core.text import keep

FORMAT = 1
MANIFEST = "manifest.json"
SNAPSHOT = "snapshot"
# What the product makes anew, and what belongs to running processes. The database's own files are added to it.
NOT_KEPT = {"spool", "up", "static", "exports", "charts"}
CHUNK = 2**20
Tell = Callable[[int, int | None, str], None]


def back_up(target: Path, *, tell: Tell = lambda *_: None) -> dict[str, Any]:
    """Write the whole instance to a new archive that only its owner reads. Returns what it holds, with its checksum.

    Refuses a target that exists and a database that is damaged.
    """
    if target.exists():
        raise BadInput(f"{target} exists already. Name another file.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    try:
        with ZipFile(draft, "w", ZIP_DEFLATED, compresslevel=3) as archive:
            with snapshot(draft.parent) as alias:
                manifest: dict[str, Any] = {
                    "format": FORMAT,
                    "version": settings.VERSION,
                    "made_at": timezone.now().isoformat(),
                    "database": connection.vendor,
                    "migrations": sorted(MigrationRecorder(connections[alias]).applied_migrations()),
                    "tables": {},
                    "files": {},
                }
                models = stored_models(apps)
                for number, model in enumerate(models, 1):
                    tell(number, len(models), "tables")
                    manifest["tables"][model._meta.db_table] = _write_table(archive, model, connections[alias])
            for path in kept_files():
                name = path.relative_to(settings.VAR).as_posix()
                with path.open("rb") as source:
                    part = _write_part(archive, f"files/{name}", iter(lambda: source.read(CHUNK), b""))
                manifest["files"][name] = part
            archive.writestr(MANIFEST, json.dumps(manifest, indent=1))
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    with target.open("rb") as made:
        sha256 = hashlib.file_digest(made, "sha256").hexdigest()
    return {"file": str(target), "sha256": sha256, "bytes": target.stat().st_size, **summary(manifest)}


def summary(manifest: dict[str, Any]) -> dict[str, Any]:
    return {
        "version": manifest["version"],
        "made_at": manifest["made_at"],
        "database": manifest["database"],
        "rows": sum(table["rows"] for table in manifest["tables"].values()),
        "files": len(manifest["files"]),
    }


@contextmanager
def snapshot(folder: Path) -> Iterator[str]:
    """Yield the name of a connection that sees the database at one moment, whatever others write meanwhile.

    PostgreSQL keeps the moment for a transaction. SQLite would keep writers waiting with the transactions we use, so
    its own online copy is made and read; a plain copy of the file would miss what is still in the write-ahead log.
    """
    if connection.vendor == "postgresql":
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            yield DEFAULT_DB_ALIAS
        return
    connection.ensure_connection()
    with tempfile.TemporaryDirectory(dir=folder, prefix=".backup-") as own:
        path = Path(own) / "copy.sqlite3"
        with closing(sqlite3.connect(path)) as copy:
            connection.connection.backup(copy)
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise BadInput(f"The database is damaged: {found}. Check the disk, and restore an earlier backup.")
        connections.databases[SNAPSHOT] = {**connection.settings_dict, "NAME": str(path), "OPTIONS": {}}
        try:
            yield SNAPSHOT
        finally:
            connections[SNAPSHOT].close()
            del connections[SNAPSHOT]
            del connections.databases[SNAPSHOT]


def stored_models(registry: Any) -> list[type[Model]]:
    """Return the model of every table, by the name of the table."""
    found = [
        model
        for model in registry.get_models(include_auto_created=True)
        if model._meta.managed and not model._meta.proxy and not model._meta.swapped
    ]
    return sorted(found, key=lambda model: str(model._meta.db_table))


def kept_files() -> list[Path]:
    """Return the files of TOUCHSTONE_VAR that a restored instance needs."""
    database = Path(str(connection.settings_dict["NAME"])).name if connection.vendor == "sqlite" else ""
    found = []
    for entry in sorted(settings.VAR.iterdir()):
        is_database = database and entry.name.startswith(database)
        if entry.name in NOT_KEPT or is_database or entry.name.startswith((".", "beat-schedule")):
            continue
        found += sorted(path for path in entry.rglob("*") if path.is_file()) if entry.is_dir() else [entry]
    return [path for path in found if not path.name.endswith((".part", ".zip.draft"))]


def _write_table(archive: ZipFile, model: type[Model], database: BaseDatabaseWrapper) -> dict[str, Any]:
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    columns = [field.attname for field in fields]
    sentences = [place for place, field in enumerate(fields) if isinstance(field, SentenceField | SentencesField)]
    rows = model._base_manager.using(database.alias).order_by("pk").values_list(*columns).iterator(2_000)
    count = 0

    def lines() -> Iterator[bytes]:
        nonlocal count
        for row in rows:
            count += 1
            values = list(row)
            for place in sentences:  # with message and values, as the table keeps them
                is_text = isinstance(fields[place], SentenceField)
                values[place] = fields[place].get_prep_value(row[place]) if is_text else keep(row[place])
            yield json.dumps(values, default=plain, separators=(",", ":")).encode() + b"\n"

    part = _write_part(archive, f"tables/{model._meta.db_table}.jsonl", lines())
    return {"columns": columns, "rows": count, "last_key": last_key(model, database), **part}


def _write_part(archive: ZipFile, name: str, chunks: Iterator[bytes]) -> dict[str, Any]:
    digest, size = hashlib.sha256(), 0
    with archive.open(name, "w", force_zip64=True) as out:
        for chunk in chunks:
            digest.update(chunk)
            size += len(chunk)
            out.write(chunk)
    return {"bytes": size, "sha256": digest.hexdigest()}


def last_key(model: type[Model], database: BaseDatabaseWrapper) -> int:
    """Return the highest number ever given to a row: numbers of deleted people must not be given out again."""
    key = model._meta.pk
    if not isinstance(key, AutoField):
        return 0
    with database.cursor() as cursor:
        if database.vendor == "sqlite":
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
            row = cursor.fetchone()
            return int(row[0]) if row else 0
        cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{model._meta.db_table}"', key.column])
        cursor.execute(f"SELECT last_value, is_called FROM {cursor.fetchone()[0]}")  # noqa: S608  (a sequence's name)
        value, was_given = cursor.fetchone()
        return int(value) if was_given else 0


def plain(value: Any) -> str:
    """Return a value that JSON lacks, as the field reads it back."""
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return duration_string(value)
    if isinstance(value, Decimal | UUID):
        return str(value)
    if isinstance(value, bytes | memoryview):
        return base64.b64encode(value).decode()
    raise TypeError(f"{type(value).__name__} cannot be stored in a backup")
