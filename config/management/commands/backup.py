"""Back up the database while it is in use."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings

from config.backup import back_up
from core.commands import DomainCommand


class Command(DomainCommand):
    help = (
        "Copy the SQLite database to a new file, also while people work. For PostgreSQL it prints the pg_dump command."
    )

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--out", type=Path, required=True, help="the file to write, e.g. touchstone-2026-11-18.sqlite3"
        )

    def perform(self, **options: Any) -> dict[str, Any]:
        out: Path = options["out"]
        size = back_up(settings.DATABASES["default"], out.expanduser().absolute())
        return {"file": str(out), "bytes": size}

    def describe(self, result: dict[str, Any]) -> str:
        return (
            f"The database is in {result['file']} ({result['bytes']:,} bytes). docs/deploy.md says how to restore it."
        )
