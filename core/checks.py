"""System checks: the database holds the guards that the code declares."""

from collections.abc import Sequence
from typing import Any

from django.core.checks import CheckMessage, Tags, Warning, register
from django.db import connections

from core.guards import missing_guards


@register(Tags.database)
def guards_are_installed(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Runs with `check --database default` and with `migrate`, which mends it: so it warns and stops nothing."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        if missing := missing_guards(connections[alias]):
            found.append(
                Warning(
                    f"The database '{alias}' lacks {len(missing)} guards, e.g. {sorted(missing)[0]}.",
                    hint="Run: python manage.py migrate",
                    id="core.W001",
                )
            )
    return found
