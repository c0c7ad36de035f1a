"""Is this process able to serve? Each check returns a sentence when it is not."""

import os
import shutil
import tempfile
from pathlib import Path

from celery import current_app
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from kombu.exceptions import OperationalError

from core.guards import missing_guards

LEAST_FREE = 50 * 2**20  # bytes; SQLite's log alone grows to 16 MB


def database_problem() -> str | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            if connection.vendor == "postgresql":
                cursor.execute("SHOW transaction_read_only")  # on after a failover to a standby
                if cursor.fetchone()[0] == "on":
                    return "the database can only be read"
    except DatabaseError as error:
        return f"the database does not answer: {error}"
    return None


def broker_problem() -> str | None:
    try:
        with current_app.connection_for_write(connect_timeout=2) as broker:
            broker.ensure_connection(max_retries=1, timeout=2)
    except (OperationalError, OSError) as error:
        return f"the broker does not answer: {error}"
    return None


def guards_problem() -> str | None:
    try:
        missing = missing_guards(connection)
    except DatabaseError as error:
        return f"the guards cannot be read: {error}"
    return f"{len(missing)} guards are missing; run manage.py migrate" if missing else None


def disk_problem(folder: Path | None = None, least: int = LEAST_FREE) -> str | None:
    folder = folder or settings.VAR
    try:
        free = shutil.disk_usage(folder).free
    except OSError as error:
        return f"the folder {folder} cannot be read: {error.strerror}"
    if free < least:
        return f"only {free // 2**20} MB are free for {folder}; make room"
    try:  # a quota or a file system that became read-only shows only when something is written
        with tempfile.TemporaryFile(dir=folder) as probe:
            probe.write(b"x" * 4096)
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return f"nothing can be written to {folder}: {error.strerror}"
    return None


def readiness() -> dict[str, str | None]:
    """Every check by name; None where all is well."""
    return {
        "database": database_problem(),
        "broker": broker_problem(),
        "guards": guards_problem(),
        "disk": disk_problem(),
    }


@require_safe
def healthz(request: HttpRequest) -> HttpResponse:
    """The process is alive."""
    return HttpResponse("ok\n", content_type="text/plain")


@require_safe
def readyz(request: HttpRequest) -> HttpResponse:
    """The process can serve: database, broker and guards are there, and the disk has room."""
    checks = readiness()
    ready = not any(checks.values())
    return JsonResponse(
        {"ready": ready, "checks": {name: why or "ok" for name, why in checks.items()}}, status=200 if ready else 503
    )
