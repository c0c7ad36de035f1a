"""A backup is one moment of the whole instance, and comes back whole: on SQLite, on PostgreSQL, in a later version."""

import json
import os
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from contextlib import closing
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.services.workers import ROOT

pytestmark = pytest.mark.services
GIVEN = os.environ.get("DATABASE_URL", "")
POSTGRES = GIVEN if GIVEN.startswith("postgres") else "postgres://root@127.0.0.1:5432/postgres"
RESTORED = "touchstone_test_restored"

DEMO = """
from config.library import load_library
from config.demo import load_demo
from accounts.models import User
from accounts.services.people import erase_person
from evaluation.file_store import root
load_library()
load_demo()
erase_person(User.objects.create_user("gone@example.org", "x"))  # the highest number of all is free now
(root() / "datasets").mkdir(parents=True)
(root() / "datasets" / "a.csv").write_text("text,label")
"""
FACTS = """
import json
from accounts.models import User
from curation.models import Release
from curation.releases.verifying import verify_release
release = Release.objects.get()
print(json.dumps({"sha256": release.sha256, "intact": verify_release(release).is_intact,
                  "next": User.objects.create_user("next@example.org", "x").pk,
                  "people": User.objects.count()}))
"""


class Place:
    """A folder and a database to run commands on."""

    def __init__(self, folder: Path, database: str = "") -> None:
        self.folder = folder
        self.environment = {**os.environ, "TOUCHSTONE_VAR": str(folder), "LOG_LEVEL": "ERROR"}
        self.environment.pop("DATABASE_URL", None)
        if database:
            self.environment["DATABASE_URL"] = database

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(command, cwd=ROOT, env=self.environment, capture_output=True, text=True, timeout=300)

    def manage(self, *arguments: str) -> dict[str, Any]:
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        return dict(json.loads(done.stdout))

    def refusal(self, *arguments: str) -> str:
        done = self.run(*arguments)
        assert done.returncode != 0, done.stdout
        assert "Traceback" not in done.stderr
        return done.stderr

    def shell(self, code: str) -> str:
        done = self.run("shell", "--no-imports", "--command", code)
        assert done.returncode == 0, done.stderr
        return done.stdout


@pytest.fixture(scope="module")
def demo(tmp_path_factory) -> Place:
    place = Place(tmp_path_factory.mktemp("demo"))
    assert place.run("migrate", "--verbosity", "0").returncode == 0
    place.shell(DEMO)
    return place


@pytest.fixture(scope="module")
def archive(demo, tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("archives") / "demo.zip"
    made = demo.manage("backup", "--out", str(path))
    assert path.stat().st_mode & 0o777 == 0o600
    assert made["rows"] > 5_000
    assert [file.name for file in path.parent.iterdir()] == ["demo.zip"], "no draft and no copy is left"
    return path


def rows_of(archive: Path) -> dict[str, Any]:
    """Every row and the numbers given out, by table: what two equal instances have in common."""
    with zipfile.ZipFile(archive) as parts:
        tables = json.loads(parts.read("manifest.json"))["tables"]
        return {
            name: (facts["last_key"], [json.loads(line) for line in parts.read(f"tables/{name}.jsonl").splitlines()])
            for name, facts in tables.items()
        }


def changed(source: Path, target: Path, change) -> Path:
    """A copy of an archive in which `change` gets every part and its name, and may return other bytes."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w") as new:
        for name in old.namelist():
            if (content := change(name, old.read(name))) is not None:
                new.writestr(name, content)
    return target


def test_a_backup_comes_back_on_sqlite_with_the_checksum_of_its_release(demo, archive, tmp_path):
    there = Place(tmp_path / "there")
    found = there.manage("restore", str(archive))
    assert found["check"] == {"well": True, "releases": 1, "files": 0, "problems": {}}
    assert (there.folder / "uploads" / "datasets" / "a.csv").read_text() == "text,label"
    assert (there.folder / "secret-key").read_text() == (demo.folder / "secret-key").read_text()
    again = tmp_path / "again.zip"
    there.manage("backup", "--out", str(again))
    assert rows_of(again) == rows_of(archive)
    facts = json.loads(there.shell(FACTS))
    with closing(sqlite3.connect(demo.folder / "touchstone.sqlite3")) as database:
        [[sha256]] = database.execute("SELECT sha256 FROM curation_release")
        [[last]] = database.execute("SELECT seq FROM sqlite_sequence WHERE name = 'accounts_user'")
    assert facts["sha256"] == sha256
    assert facts["intact"]
    assert facts["next"] == last + 1, "the number of a deleted person is never given to another"


def test_the_guards_are_back_and_a_used_instance_is_not_overwritten(archive, tmp_path):
    there = Place(tmp_path / "there")
    there.manage("restore", str(archive))
    with closing(sqlite3.connect(there.folder / "touchstone.sqlite3")) as database:
        with pytest.raises(sqlite3.IntegrityError, match="published"):
            database.execute("UPDATE curation_release SET title = 'x'")
        database.execute("UPDATE accounts_user SET name = 'kept'")
        database.commit()
    assert "holds people or suites" in there.refusal("restore", str(archive))
    with closing(sqlite3.connect(there.folder / "touchstone.sqlite3")) as database:
        assert set(database.execute("SELECT name FROM accounts_user")) == {("kept",)}
    assert there.manage("restore", str(archive), "--replace")["check"]["well"]
    with closing(sqlite3.connect(there.folder / "touchstone.sqlite3")) as database:
        assert ("kept",) not in set(database.execute("SELECT name FROM accounts_user"))


@pytest.fixture
def postgres() -> Any:
    try:
        server = psycopg.connect(POSTGRES, autocommit=True, connect_timeout=3)
    except psycopg.OperationalError:
        pytest.skip("no PostgreSQL here")
    with server:
        server.execute(f'DROP DATABASE IF EXISTS "{RESTORED}"')
        server.execute(f'CREATE DATABASE "{RESTORED}"')
        yield POSTGRES.rpartition("/")[0] + f"/{RESTORED}"
        server.execute(f'DROP DATABASE "{RESTORED}" WITH (FORCE)')


def test_a_backup_moves_to_postgresql_and_back(archive, postgres, tmp_path):
    there, back = Place(tmp_path / "there", postgres), Place(tmp_path / "back")
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("CREATE TABLE not_ours (id integer)")
    assert there.manage("restore", str(archive))["check"]["well"]
    there.manage("backup", "--out", str(tmp_path / "there.zip"))
    assert rows_of(tmp_path / "there.zip") == rows_of(archive)
    with psycopg.connect(postgres, autocommit=True) as other:
        other.execute("SELECT * FROM not_ours")
        with pytest.raises(psycopg.errors.CheckViolation, match="published"):
            other.execute("UPDATE curation_release SET title = 'x'")
    assert json.loads(there.shell(FACTS))["intact"]
    assert back.manage("restore", str(tmp_path / "there.zip"))["check"]["well"]
    back.manage("backup", "--out", str(tmp_path / "back.zip"))
    assert rows_of(tmp_path / "back.zip") == rows_of(archive)


WRITER = """
from accounts.models import SignInAttempt
print("ready", flush=True)
number = 0
while True:
    SignInAttempt.objects.create(secret="reset", account=str(number))
    number += 1
"""


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_backup_while_others_write_is_one_moment_and_keeps_none_waiting(kind, demo, tmp_path, request):
    place = Place(Path(shutil.copytree(demo.folder, tmp_path / "there")))
    if kind == "postgresql":
        place.environment["DATABASE_URL"] = request.getfixturevalue("postgres")
        assert place.run("migrate", "--verbosity", "0").returncode == 0
    command = [sys.executable, "manage.py", "shell", "--no-imports", "--command", WRITER]
    writer = subprocess.Popen(command, cwd=ROOT, env=place.environment, stdout=subprocess.PIPE)
    try:
        assert writer.stdout.readline() == b"ready\n"
        seen = []
        for number in range(2):
            out = tmp_path / f"{number}.zip"
            place.manage("backup", "--out", str(out))
            _, rows = rows_of(out)["accounts_signinattempt"]
            numbers = sorted(int(row[3]) for row in rows if row[2] == "reset")
            assert numbers == list(range(len(numbers))), "no gap: one moment of the database"
            seen.append(len(numbers))
        assert writer.poll() is None, "the writer was never refused"
        assert 0 < seen[0] < seen[1]
    finally:
        writer.kill()
        writer.wait()


def test_a_damaged_archive_is_refused_before_anything_changes(archive, tmp_path):
    there = Place(tmp_path / "there")
    other_row = changed(
        archive, tmp_path / "row.zip", lambda name, content: content.replace(b"demo", b"dome", 1)
        if name == "tables/curation_suite.jsonl" else content,
    )  # fmt: skip
    assert "curation_suite.jsonl is not what was written" in there.refusal("restore", str(other_row))
    gone = changed(archive, tmp_path / "gone.zip", lambda name, content: None if "a.csv" in name else content)
    assert "a.csv is missing" in there.refusal("restore", str(gone))
    cut = tmp_path / "cut.zip"
    cut.write_bytes(archive.read_bytes()[:100_000])
    assert "is no backup that can be read" in there.refusal("restore", str(cut))
    plain = changed(archive, tmp_path / "plain.zip", lambda name, content: None if name == "manifest.json" else content)
    assert "has no list of contents" in there.refusal("restore", str(plain))
    with closing(sqlite3.connect(there.folder / "touchstone.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)


def with_manifest(archive: Path, target: Path, **facts: Any) -> Path:
    def change(name: str, content: bytes) -> bytes:
        return json.dumps({**json.loads(content), **facts}).encode() if name == "manifest.json" else content

    return changed(archive, target, change)


def test_an_archive_that_cannot_be_for_us_is_refused(archive, tmp_path):
    there = Place(tmp_path / "there")
    later = with_manifest(archive, tmp_path / "later.zip", version="9.0.0", migrations=[["curation", "9999_later"]])
    assert "made by version 9.0.0" in there.refusal("restore", str(later))
    for name in ("../evil", "/tmp/evil"):
        evil = with_manifest(archive, tmp_path / "evil.zip", files={name: {"sha256": "", "bytes": 0}})
        assert "outside of the folder" in there.refusal("restore", str(evil))
        evil.unlink()
    assert "exists already" in there.refusal("backup", "--out", str(archive))


EARLIER = """
from pathlib import Path
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from config import backup
before = [("accounts", "0004_maintainers_have_no_language"), ("sessions", "0001_initial")]
state = MigrationExecutor(connection).migrate(before)
state.apps.get_model("accounts", "User").objects.create(email="early@example.org", name="Early")
backup.apps = state.apps
print(backup.back_up(Path({out!r}))["rows"])
"""


def test_a_backup_of_an_earlier_version_is_migrated_when_it_comes_back(tmp_path):
    earlier, there = Place(tmp_path / "earlier"), Place(tmp_path / "there")
    earlier.shell(EARLIER.format(out=str(tmp_path / "earlier.zip")))
    assert there.manage("restore", str(tmp_path / "earlier.zip"))["check"]["well"]
    with closing(sqlite3.connect(there.folder / "touchstone.sqlite3")) as database:
        people = list(database.execute("SELECT email, name, session_number FROM accounts_user"))
    assert people == [("early@example.org", "Early", 0)]


def test_check_instance_names_what_is_wrong(demo, tmp_path):
    there = Place(Path(shutil.copytree(demo.folder, tmp_path / "there")))
    assert there.manage("check_instance")["well"]
    with closing(sqlite3.connect(there.folder / "touchstone.sqlite3")) as database:
        for (name,) in list(database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'")):
            database.execute(f'DROP TRIGGER "{name}"')
        database.execute("UPDATE curation_releasecase SET text = 'other'")
        database.execute("UPDATE accounts_rolegrant SET user_id = 999 WHERE id = 1")
        database.commit()
    told = there.refusal("check_instance")
    assert "guards are missing" in told
    assert "releases: demo@" in told
    assert "foreign keys: " in told
