"""The database from its URL, with what SQLite and PostgreSQL need to be used by several processes."""

import os
from pathlib import Path
from typing import Any

import environ

SQLITE_OPTIONS = {
    # IMMEDIATE: a transaction that will write waits for its turn at BEGIN instead of failing at the first write.
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    # FULL: what was answered with "stored" is on the disk, also after a power cut. NORMAL would lose the last commits.
    "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; "
    "PRAGMA cache_size=-65536; PRAGMA temp_store=MEMORY; "
    # Every 16 MB of log instead of 4: a label writes few pages, and often the same; a fifth less work per label.
    "PRAGMA wal_autocheckpoint=4000; "
    # INSERT OR REPLACE asks the guards before it deletes what is in its way.
    "PRAGMA recursive_triggers=ON;",
}


def configure_database(url: str, *, keep_seconds: int) -> dict[str, Any]:
    """Return Django's description of the database at the URL.

    Opening a connection costs more than a short request (half of a round trip of labelling on SQLite), so they are
    kept for `keep_seconds`.
    """
    database: dict[str, Any] = environ.Env.db_url_config(url)
    if database["ENGINE"].endswith("sqlite3"):
        database["OPTIONS"] = dict(SQLITE_OPTIONS)
        if database["NAME"] not in ("", ":memory:"):
            make_private_file(Path(database["NAME"]))
    else:
        database["CONN_HEALTH_CHECKS"] = True
    database["CONN_MAX_AGE"] = keep_seconds
    return database


def make_private_file(path: Path) -> None:
    """Make an empty file that only its owner reads, if there is none; SQLite's log beside it gets the same mode."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
