"""A backup holds every committed row, although another connection writes all the time."""

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from config.backup import back_up
from core.errors import BadInput


def described(path: Path) -> dict[str, object]:
    return {"ENGINE": "django.db.backends.sqlite3", "NAME": str(path)}


def rows_in(path: Path) -> list[int]:
    with closing(sqlite3.connect(path)) as database:
        return [row[0] for row in database.execute("SELECT number FROM label ORDER BY number")]


@pytest.fixture
def live(tmp_path):
    """A database in write-ahead mode whose log is never merged into the file, as the product's until 16 MB."""
    path = tmp_path / "live.sqlite3"
    with closing(sqlite3.connect(path, check_same_thread=False, isolation_level=None, timeout=30)) as writer:
        writer.execute("PRAGMA journal_mode=WAL")
        writer.execute("PRAGMA wal_autocheckpoint=0")
        writer.execute("CREATE TABLE label (number INTEGER PRIMARY KEY, text TEXT)")
        yield path, writer


def write(writer: sqlite3.Connection, number: int) -> None:
    writer.execute("INSERT INTO label VALUES (?, ?)", [number, "x" * 500])


def test_rows_that_are_only_in_the_log_are_in_the_backup(live, tmp_path):
    path, writer = live
    for number in range(1000):
        write(writer, number)
    plain = tmp_path / "plain.sqlite3"
    plain.write_bytes(path.read_bytes())
    with pytest.raises(sqlite3.DatabaseError):
        assert rows_in(plain) == list(range(1000)), "a plain copy of the file lacks the log"

    target = tmp_path / "backup.sqlite3"
    back_up(described(path), target)
    assert rows_in(target) == list(range(1000))
    assert target.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in tmp_path.glob("*backup*")] == ["backup.sqlite3"], "one file, no log, no draft"


def test_a_backup_while_another_connection_writes_has_every_row_committed_before_it(live, tmp_path):
    path, writer = live
    stop = threading.Event()
    committed = 0

    def work() -> None:
        nonlocal committed
        while not stop.is_set():
            write(writer, committed)
            committed += 1

    thread = threading.Thread(target=work)
    thread.start()
    try:
        for number in range(5):
            while committed < (number + 1) * 200:
                stop.wait(0.001)
            before = committed
            target = tmp_path / f"backup-{number}.sqlite3"
            back_up(described(path), target)
            found = rows_in(target)
            assert found == list(range(len(found))), "no gap: one moment of the database"
            assert len(found) >= before
    finally:
        stop.set()
        thread.join()


def test_an_existing_file_and_a_missing_database_are_refused(live, tmp_path):
    path, _ = live
    target = tmp_path / "there.sqlite3"
    target.write_text("precious")
    with pytest.raises(BadInput, match=r"there\.sqlite3 exists already"):
        back_up(described(path), target)
    assert target.read_text() == "precious"
    with pytest.raises(BadInput, match="There is no database file"):
        back_up(described(tmp_path / "nowhere"), tmp_path / "x")


def test_for_postgresql_the_command_is_named_without_the_password(tmp_path):
    database = {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": "touchstone",
        "USER": "ts",
        "PASSWORD": "hidden",
        "HOST": "db.example.org",
        "PORT": 5432,
    }
    with pytest.raises(BadInput) as refused:
        back_up(database, Path("/backups/x.dump"))
    assert str(refused.value) == (
        "The database is PostgreSQL. Back it up with: pg_dump --format=custom --file=/backups/x.dump "
        "--host=db.example.org --port=5432 --username=ts touchstone"
    )
