"""The cast and the ground every test stands on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import hypothesis
import pytest

if TYPE_CHECKING:
    from accounts.models import User

# A busy machine must not fail a property; how long things take is for benchmarks.
hypothesis.settings.register_profile("touchstone", deadline=None)
hypothesis.settings.load_profile("touchstone")

SHARED_DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data"
PASSWORD = "a long enough password"


DATABASE_FIXTURES = {"db", "transactional_db", "live_server", "django_db_setup"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test that uses the database, so that they can run again on PostgreSQL."""
    for item in items:
        if item.get_closest_marker("django_db") or DATABASE_FIXTURES & set(getattr(item, "fixturenames", ())):
            item.add_marker("database")


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The published data sets, which are other people's and not part of the project."""
    if not SHARED_DATA.is_dir():
        pytest.skip(f"the published data is not at {SHARED_DATA}")
    return SHARED_DATA


@pytest.fixture(scope="session")
def django_db_modify_db_settings(request, tmp_path_factory, django_db_modify_db_settings_parallel_suffix) -> None:
    """Pages in a browser are served from a database file, as the product is: the server's threads then wait for each
    other. In memory they would share one connection, and a page that asks while a job writes fails at random."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    if database["ENGINE"].endswith("sqlite3") and any(
        item.get_closest_marker("browser") for item in request.session.items
    ):
        database["TEST"]["NAME"] = str(tmp_path_factory.mktemp("database") / "pages.sqlite3")


@pytest.fixture(autouse=True)
def _quick_passwords(settings) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture(autouse=True)
def _signed_in_a_moment_ago(monkeypatch) -> None:
    """`force_login` passes allauth by: note the password as its sign-in page does, or every step would ask for it."""
    from django.test import Client

    plain = Client.force_login

    def force_login(self: Client, user: User, backend: str | None = None) -> None:
        plain(self, user, backend)
        session = self.session
        session["account_authentication_methods"] = [{"method": "password", "at": time.time(), "email": user.email}]
        session["account_authentication_methods_user"] = str(user.pk)
        session.save()

    monkeypatch.setattr(Client, "force_login", force_login)


@pytest.fixture(autouse=True)
def _no_messages(request, monkeypatch) -> None:
    """No test leaves messages in a real queue, unless it is about the queue."""
    if not request.node.get_closest_marker("services"):
        monkeypatch.setattr("core.jobs.running.current_app.send_task", lambda *a, **k: None)


@pytest.fixture(autouse=True)
def _own_throttle_and_lockout_counts() -> None:
    from django.core.cache import cache

    cache.clear()


@pytest.fixture(autouse=True)
def _guards_make_room_for_flush(request) -> Iterator[None]:
    """Transactional tests empty the tables afterwards; on SQLite that is a DELETE, which the guards refuse."""
    names = set(request.fixturenames)
    marker = request.node.get_closest_marker("django_db")
    transactional = bool(names & {"transactional_db", "live_server"}) or bool(
        marker and marker.kwargs.get("transaction")
    )
    if not transactional:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from django.db import connection

    from core.guards import drop_guards

    drop_guards(connection)  # the flush itself emits post_migrate, which installs them again


def _person(email: str, name: str, *grants: tuple[str, str], **facts: object) -> User:
    from accounts.models import RoleGrant, User

    user = User.objects.create_user(email, PASSWORD, name=name, **facts)
    for role, language in grants:
        RoleGrant.objects.create(user=user, role=role, language=language)
    return user


@pytest.fixture
def ana(db) -> User:
    """An annotator for every language."""
    return _person("ana@example.org", "Ana", ("annotator", ""))


@pytest.fixture
def emil(db) -> User:
    """An expert for German."""
    return _person("emil@example.org", "Emil", ("expert", "de"))


@pytest.fixture
def eva(db) -> User:
    """An evaluator."""
    return _person("eva@example.org", "Eva", ("evaluator", ""))


@pytest.fixture
def mira(db) -> User:
    """A maintainer."""
    return _person("mira@example.org", "Mira", ("maintainer", ""))


@pytest.fixture
def max_(db) -> User:
    """A second maintainer."""
    return _person("max@example.org", "Max", ("maintainer", ""))


@pytest.fixture
def vic(db) -> User:
    """Somebody signed in without any role: a visitor."""
    return _person("vic@example.org", "Vic")


@pytest.fixture
def admin(db) -> User:
    """An administrator."""
    return _person("admin@example.org", "Admin", is_staff=True, is_superuser=True)
