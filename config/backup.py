"""A copy of the database that is whole, taken while others write."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from config.databases import make_private_file
from core.errors import BadInput


def back_up(database: dict[str, Any], target: Path) -> int:
    """Copy a SQLite database to a new file with SQLite's online backup and check it. Returns the size in bytes.

    A plain copy of the file misses what is still in the write-ahead log. Refuses PostgreSQL (with the command that
    copies it), a database in memory, a target that exists and a copy that is damaged.
    """
    if not database["ENGINE"].endswith("sqlite3"):
        raise BadInput(f"The database is PostgreSQL. Back it up with: {pg_dump_command(database, target)}")
    source = Path(database["NAME"])
    if not source.is_file():
        raise BadInput(f"There is no database file at {source}.")
    if target.exists():
        raise BadInput(f"{target} exists already. Name another file.")
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    make_private_file(draft)
    try:
        with closing(sqlite3.connect(source, timeout=60)) as live, closing(sqlite3.connect(draft)) as copy:
            live.backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")  # one file, with no log beside it
            found = copy.execute("PRAGMA integrity_check").fetchone()[0]
        if found != "ok":
            raise BadInput(f"The copy is damaged: {found}. Check the disk.")
        draft.replace(target)
    finally:
        draft.unlink(missing_ok=True)
    return target.stat().st_size


def pg_dump_command(database: dict[str, Any], target: Path) -> str:
    """The command without the password, which pg_dump asks for or reads from ~/.pgpass."""
    where = {"--host": database.get("HOST"), "--port": database.get("PORT"), "--username": database.get("USER")}
    options = [f"{name}={value}" for name, value in where.items() if value]
    return " ".join(["pg_dump", "--format=custom", f"--file={target}", *options, str(database["NAME"])])
