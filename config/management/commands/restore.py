"""Load a backup."""

from pathlib import Path
from typing import Any

from django.conf import settings

from config.instance import check_instance
from config.lock import lock_instance
from config.management.commands.check_instance import require_well, say_problems
from config.options import RestoreOptions
from config.restoring import restore
from core.commands import DomainCommand


class Command(DomainCommand):
    help = "Load an archive of `backup` into an empty instance, on SQLite or PostgreSQL, and check the result."
    options = RestoreOptions

    def perform(self, chosen: RestoreOptions) -> dict[str, Any]:
        archive = Path(chosen.archive).expanduser().absolute()
        with lock_instance(settings.VAR):
            loaded = restore(archive, replace=chosen.replace, tell=self.show_progress)
            return {**loaded, "check": require_well(check_instance(tell=self.show_progress))}

    def describe(self, result: dict[str, Any]) -> str:
        loaded = f"Restored {result['rows']:,} rows and {result['files']:,} files of {result['made_at'][:16]} UTC."
        return f"{loaded}\n{say_problems(result['check'])}"
