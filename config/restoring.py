"""Bring a backup back: into an empty instance, on SQLite or PostgreSQL, by this version or a later one."""

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import BadZipFile, ZipFile

from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection, models, transaction
from django.db.migrations.executor import MigrationExecutor

from accounts.models import User
from config.backup import CHUNK, FORMAT, MANIFEST, Tell, stored_models, summary
from core.bulk import insert_rows
from core.errors import BadInput
from core.guards import drop_guards
from curation.models import Suite

# insert_rows passes other values as they are; these need the form of the database.
CONVERTED = (models.DurationField, models.UUIDField, models.TimeField, models.DecimalField)


def restore(source: Path, *, replace: bool = False, tell: Tell = lambda *_: None) -> dict[str, Any]:
    """Load a backup into this instance. Returns what was loaded.

    Refuses a damaged archive, one of a later version, and an instance that holds people or suites, unless it may be
    replaced. Everything is checked before anything is changed, and the rows are loaded as a whole or not at all.
    """
    try:
        archive = ZipFile(source)
    except (OSError, BadZipFile) as error:
        raise BadInput(f"{source} is no backup that can be read: {error}.") from error
    with archive:
        manifest = read_manifest(archive, source)
        check_parts(archive, manifest, tell)
        targets = known_migrations(manifest)
        if not replace:
            refuse_used_instance()
        empty_database(set(manifest["tables"]))
        state = MigrationExecutor(connection).migrate(targets)
        load_rows(archive, manifest, stored_models(state.apps), tell)
        for name in manifest["files"]:
            write_file(archive, name)
    call_command("migrate", interactive=False, verbosity=0)  # what later versions changed; then the guards
    return summary(manifest)


def read_manifest(archive: ZipFile, source: Path) -> dict[str, Any]:
    try:
        manifest: dict[str, Any] = json.loads(archive.read(MANIFEST))
        if manifest["format"] != FORMAT:
            raise BadInput(f"{source} has the format {manifest['format']}; this version reads {FORMAT}.")
    except (KeyError, TypeError, ValueError, BadZipFile) as error:
        raise BadInput(f"{source} is not a backup of Touchstone: it has no list of contents.") from error
    for name in manifest["files"]:
        path = PurePosixPath(name)
        if path.is_absolute() or ".." in path.parts:
            raise BadInput(f"{source} would write outside of the folder for run-time data: '{name}'.")
    return manifest


def check_parts(archive: ZipFile, manifest: dict[str, Any], tell: Tell) -> None:
    """Refuse an archive in which a part is missing or is not what was written."""
    parts = {f"tables/{name}.jsonl": facts for name, facts in manifest["tables"].items()}
    parts |= {f"files/{name}": facts for name, facts in manifest["files"].items()}
    for number, (name, facts) in enumerate(parts.items(), 1):
        tell(number, len(parts), "checksums")
        digest = hashlib.sha256()
        try:
            with archive.open(name) as part:
                while chunk := part.read(CHUNK):
                    digest.update(chunk)
        except (KeyError, BadZipFile, EOFError, OSError) as error:
            raise BadInput(f"The backup is damaged: {name} is missing or cannot be read.") from error
        if digest.hexdigest() != facts["sha256"]:
            raise BadInput(f"The backup is damaged: {name} is not what was written. Use another backup.")


def known_migrations(manifest: dict[str, Any]) -> list[tuple[str, str]]:
    """Return the state of the tables in the backup, as the last migrations that were applied.

    Refuses a backup of a later version: its tables are not known here.
    """
    graph = MigrationExecutor(connection).loader.graph
    applied = {(app, name) for app, name in manifest["migrations"]}
    if unknown := sorted(applied - set(graph.nodes)):
        app, name = unknown[0]
        raise BadInput(
            f"The backup was made by version {manifest['version']}, which has tables that {settings.VERSION} does not "
            f"know ({app} {name}). Install that version or a later one, then restore."
        )
    followed = {parent.key for key in applied for parent in graph.node_map[key].parents if parent.key[0] == key[0]}
    return sorted(applied - followed)


def refuse_used_instance() -> None:
    try:
        used = User.objects.exists() or Suite.objects.exists()
    except DatabaseError:  # no tables yet
        return
    if used:
        raise BadInput(
            "This instance holds people or suites. Restore into an empty one (another TOUCHSTONE_VAR or DATABASE_URL), "
            "or add --replace to delete everything it holds."
        )


def empty_database(tables: set[str]) -> None:
    """Drop our tables, of this version and of the backup's, and no others: the database may hold more than us."""
    drop_guards(connection)
    ours = tables | {model._meta.db_table for model in stored_models(apps)} | {"django_migrations"}
    with connection.constraint_checks_disabled(), connection.cursor() as cursor:
        for table in ours.intersection(connection.introspection.table_names(cursor)):
            cascade = " CASCADE" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TABLE {connection.ops.quote_name(table)}{cascade}")


def load_rows(archive: ZipFile, manifest: dict[str, Any], known: list[type[models.Model]], tell: Tell) -> None:
    by_table = {model._meta.db_table: model for model in known}
    # Outside of the transaction: SQLite does not switch foreign keys off within one. PostgreSQL checks them at its end.
    with connection.constraint_checks_disabled(), transaction.atomic():
        for number, (table, facts) in enumerate(manifest["tables"].items(), 1):
            tell(number, len(manifest["tables"]), "tables")
            with connection.cursor() as cursor:
                cursor.execute(f"DELETE FROM {connection.ops.quote_name(table)}")  # noqa: S608  (rows of migrations)
            model = by_table[table]
            insert_rows(model, facts["columns"], read_rows(archive, model, facts["columns"]))
            give_later_numbers(model, facts["last_key"])
        connection.check_constraints()


def read_rows(archive: ZipFile, model: type[models.Model], columns: list[str]) -> Iterator[list[Any]]:
    fields: list[Any] = [model._meta.get_field(name) for name in columns]
    with archive.open(f"tables/{model._meta.db_table}.jsonl") as lines:
        for line in lines:
            yield [read_value(field, value) for field, value in zip(fields, json.loads(line), strict=True)]


def read_value(field: Any, value: Any) -> Any:
    if value is None or isinstance(field, models.JSONField):
        return value
    found = field.to_python(value)
    return field.get_db_prep_save(found, connection) if isinstance(field, CONVERTED) else found


def give_later_numbers(model: type[models.Model], last: int) -> None:
    """Let new rows be numbered after the highest number ever given, also where its row is deleted."""
    key = model._meta.pk
    if not isinstance(key, models.AutoField) or not last:
        return
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [model._meta.db_table])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [model._meta.db_table, last])
        else:
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, %s), %s)", [f'"{model._meta.db_table}"', key.column, last]
            )


def write_file(archive: ZipFile, name: str) -> None:
    """Write a file of the backup for its owner only. In production the secret key is a setting and no file."""
    if name == "secret-key" and settings.PRODUCTION:
        return
    target = settings.VAR / name
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    draft = target.with_name(f".{target.name}.part")
    with archive.open(f"files/{name}") as part, os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as out:
        while chunk := part.read(CHUNK):
            out.write(chunk)
    draft.replace(target)
