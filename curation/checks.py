"""System checks: the database holds the guards that the code declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

from curation.database_guards import missing_guards


@register(Tags.database)
def guards_are_installed(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Runs with `migrate` and `check --database default`."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        if missing := missing_guards(connections[alias]):
            found.append(
                Error(
                    f"The database '{alias}' lacks {len(missing)} guards, e.g. {sorted(missing)[0]}.",
                    hint="Run: python manage.py migrate",
                    id="curation.E001",
                )
            )
    return found
