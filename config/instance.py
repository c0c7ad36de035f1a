"""Is everything this instance promises still there? For after a restore, an upgrade or a crash."""

from collections.abc import Iterator
from typing import Any

from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config.backup import Tell
from config.health import database_problem, disk_problem, guards_problem
from core.errors import DomainError
from curation.models import Release
from curation.releases.verifying import verify_release
from evaluation.file_store import path_of
from evaluation.models import Dataset


def check_instance(*, tell: Tell = lambda *_: None) -> dict[str, Any]:
    """Return the problems by check, none where all is well, and how many releases and files were looked at."""
    problems: dict[str, list[str]] = {
        "database": _told(database_problem()),
        "migrations": _unapplied_migrations(),
        "guards": _told(guards_problem()),
        "foreign keys": _broken_references(),
        "disk": _told(disk_problem()),
    }
    releases = list(Release.objects.exclude(sha256="").select_related("suite").order_by("pk"))
    problems["releases"] = []
    for number, release in enumerate(releases, 1):
        tell(number, len(releases), "releases")
        found = verify_release(release)
        if not found.is_intact:
            problems["releases"].append(f"{release.key}: {found.difference}")
    files = list(Dataset.objects.order_by("pk").values_list("key", "file"))
    problems["files"] = list(_missing_files(files))
    return {
        "well": not any(problems.values()),
        "releases": len(releases),
        "files": len(files),
        "problems": {name: told for name, told in problems.items() if told},
    }


def _told(problem: str | None) -> list[str]:
    return [problem] if problem else []


def _unapplied_migrations() -> list[str]:
    executor = MigrationExecutor(connection)
    waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{len(waiting)} migrations are not applied; run manage.py migrate"] if waiting else []


def _broken_references() -> list[str]:
    try:
        connection.check_constraints()
    except DatabaseError as error:
        return [str(error)]
    return []


def _missing_files(files: list[tuple[str, str]]) -> Iterator[str]:
    for key, stored in files:
        try:
            path_of(stored)
        except DomainError as error:
            yield f"data set {key}: {error}"
