"""An empty database gets its tables at once, and they are the ones that all migrations give, one after the other."""

import os
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import psycopg
import pytest

from tests.services.workers import ROOT

pytestmark = pytest.mark.services
SERVER = "postgres://root@127.0.0.1:5432/postgres"
NOTED = "SELECT app, name FROM django_migrations"


def migrate(folder: Path, *arguments: str, database: str = "") -> str:
    environment = {**os.environ, "TOUCHSTONE_VAR": str(folder), "LOG_LEVEL": "ERROR"}
    environment.pop("DATABASE_URL", None)
    if database:
        environment["DATABASE_URL"] = database
    command = [sys.executable, "manage.py", "migrate", *arguments]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return done.stdout


def parts(sql: str) -> tuple[str, frozenset[str]]:
    """A statement without the order of its columns and constraints, which depends on when they were added."""
    plain = re.sub(r"\s+", " ", sql)
    head, _, body = plain.partition("(")
    depth, found, part = 0, set(), ""
    for letter in body.removesuffix(")"):
        depth += (letter == "(") - (letter == ")")
        if letter == "," and not depth:
            found.add(part.strip())
            part = ""
        else:
            part += letter
    return head.strip(), frozenset(found | {part.strip()})


def sqlite_facts(folder: Path) -> dict[str, object]:
    with closing(sqlite3.connect(folder / "touchstone.sqlite3")) as database:
        rows = database.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
        tables = [name for kind, name, _sql in rows if kind == "table" and name != "django_migrations"]
        return {
            "statements": {(kind, name): parts(sql.replace('"', "")) for kind, name, sql in rows},
            "rows": {name: database.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0] for name in tables},
            "noted": set(database.execute(NOTED)),
        }


def test_an_empty_sqlite_database_gets_what_all_migrations_give(tmp_path):
    quick, slow = tmp_path / "quick", tmp_path / "slow"
    assert "creating all tables" in migrate(quick)
    assert "creating all tables" not in migrate(slow, "--step")
    found, wanted = sqlite_facts(quick), sqlite_facts(slow)
    assert found["statements"].keys() == wanted["statements"].keys()
    for key, statement in wanted["statements"].items():
        assert found["statements"][key] == statement
    assert found["noted"] == wanted["noted"]
    counters = {"sqlite_sequence"}
    for name in wanted["rows"].keys() - counters:
        assert found["rows"][name] == wanted["rows"][name], name


def test_a_start_that_broke_before_its_tables_begins_again(tmp_path):
    with closing(sqlite3.connect(tmp_path / "touchstone.sqlite3")) as database:
        database.execute("CREATE TABLE django_migrations (id integer PRIMARY KEY, app text, name text, applied text)")
    assert "creating all tables" in migrate(tmp_path)
    assert "creating all tables" not in migrate(tmp_path)


POSTGRES_FACTS = """
SELECT 'column', table_name, column_name || ' ' || data_type || ' ' || is_nullable || ' ' || is_identity
    || ' ' || coalesce(column_default, '') || ' ' || coalesce(character_maximum_length::text, '')
FROM information_schema.columns WHERE table_schema = 'public'
UNION SELECT 'index', tablename, indexdef FROM pg_indexes WHERE schemaname = 'public'
UNION SELECT 'constraint', conrelid::regclass::text, conname || ' ' || pg_get_constraintdef(oid)
FROM pg_constraint WHERE connamespace = 'public'::regnamespace
UNION SELECT 'trigger', event_object_table, trigger_name || ' ' || action_statement FROM information_schema.triggers
"""


@pytest.fixture
def databases() -> Iterator[list[str]]:
    names = ["touchstone_test_at_once", "touchstone_test_in_steps"]
    with psycopg.connect(SERVER, autocommit=True) as server:
        for name in names:
            server.execute(f"DROP DATABASE IF EXISTS {name}")
            server.execute(f"CREATE DATABASE {name}")
        yield [SERVER.removesuffix("postgres") + name for name in names]
        for name in names:
            server.execute(f"DROP DATABASE {name} WITH (FORCE)")


def test_an_empty_postgresql_database_gets_what_all_migrations_give(tmp_path, databases):
    found = []
    for address, arguments in zip(databases, ((), ("--step",)), strict=True):
        migrate(tmp_path, *arguments, database=address)
        with psycopg.connect(address) as database:
            found.append((set(database.execute(POSTGRES_FACTS)), set(database.execute(NOTED))))
    (at_once, noted), (in_steps, noted_in_steps) = found
    # Django's own migrations number this table, which nothing here uses, with the project's type instead of the app's.
    assert {row[1:] for row in at_once - in_steps} <= {("auth_group_permissions", "id integer NO YES  ")}
    assert {row[1:] for row in in_steps - at_once} <= {("auth_group_permissions", "id bigint NO YES  ")}
    assert noted == noted_in_steps
