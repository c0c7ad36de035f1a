"""What all commands share: one JSON document on stdout, progress on stderr, one clear sentence on a refusal."""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.utils import OperationalError, ProgrammingError

from accounts.errors import DomainError
from curation.errors import BadInput, Missing
from curation.models import Release, Suite

MISSING_TABLE = re.compile(r"no such table|relation .* does not exist")


class DomainCommand(BaseCommand):
    """A thin caller of a service. Subclasses implement `perform` and return what `--json` prints."""

    def add_arguments(self, parser: ArgumentParser) -> None:
        self.add_domain_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print exactly one JSON document")

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        raise NotImplementedError

    def perform(self, **options: Any) -> dict[str, Any]:
        """Do it and return the result for `--json`."""
        raise NotImplementedError

    def describe(self, result: dict[str, Any]) -> str:
        """The result for people."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            result = self.perform(**options)
        except (OperationalError, ProgrammingError) as error:
            if not MISSING_TABLE.search(str(error)):
                raise
            raise CommandError("The database has no tables yet. Run: python manage.py migrate") from error
        except DomainError as error:
            if options["json"]:
                problems = {"problems": error.problems} if isinstance(error, BadInput) else {}
                self.stdout.write(json.dumps(error.as_problem() | problems, ensure_ascii=False, default=str))
            elif isinstance(error, BadInput):
                for problem in error.problems[:50]:
                    self.stderr.write("  " + describe_problem(problem))
            raise CommandError(str(error)) from error
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False, default=str))
        else:
            self.stdout.write(self.describe(result))

    def show_progress(self, done: int, total: int | None, message: str) -> None:
        """One line on stderr, rewritten in place on a terminal, silent elsewhere."""
        if sys.stderr.isatty():
            share = f"{done / total:4.0%} " if total else f"{done} "
            sys.stderr.write(f"\r\033[K{share}{message}")
            sys.stderr.flush()


def describe_problem(problem: dict[str, Any]) -> str:
    """file, row, column: problem; fix."""
    place = [str(problem["file"])] if problem.get("file") else []
    place += [f"row {problem['row']}"] if problem.get("row") else []
    place += [f"column '{problem['column']}'"] if problem.get("column") else []
    return f"{problem.get('severity', 'error')}: {', '.join(place)}: {problem['problem']}; {problem['fix']}"


def find_suite(key: str) -> Suite:
    """The suite of that key. Refuses an unknown one and names those there are."""
    suite = Suite.objects.filter(key=key).first()
    if suite is None:
        known = ", ".join(Suite.objects.order_by("key").values_list("key", flat=True)[:20]) or "none yet"
        raise Missing(f"There is no suite '{key}'. Known: {known}.")
    return suite


def find_release(key: str) -> Release:
    """The release `suite@version`. Refuses an unknown one and names those of the suite."""
    release = Release.objects.by_key(key).select_related("suite").first()
    if release is None:
        suite = find_suite(key.partition("@")[0])
        known = ", ".join(f"{suite.key}@{version}" for version in suite.releases.values_list("version", flat=True))
        raise Missing(f"There is no release '{key}'. Known: {known or 'none yet'}.")
    return release
