"""Is this process able to serve? Each check returns a sentence when it is not."""

from __future__ import annotations

from celery import current_app
from django.db import DatabaseError, connection
from kombu.exceptions import OperationalError

from curation.database_guards import missing_guards


def database_problem() -> str | None:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
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


def readiness() -> dict[str, str | None]:
    """Every check by name; None where all is well."""
    return {"database": database_problem(), "broker": broker_problem(), "guards": guards_problem()}
