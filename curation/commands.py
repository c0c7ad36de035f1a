"""What all commands share: one JSON document on stdout, progress on stderr, one clear sentence on a refusal."""

from __future__ import annotations

import json
import re
import sys
from argparse import ArgumentParser
from typing import Any, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.db.utils import OperationalError, ProgrammingError

from accounts.errors import DomainError
from curation.errors import BadInput, Missing
from curation.models import Release, Suite

SHOWN = 50
CLEAR_LINE = "\r\033[K"
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
            try:
                result = self.perform(**options)
            finally:
                self.clear_progress()
        except (OperationalError, ProgrammingError) as error:
            self._refuse(database_trouble(error), as_json=options["json"])
        except KeyboardInterrupt as error:
            raise CommandError("Stopped.", returncode=130) from error
        except DomainError as error:
            self._refuse(error, as_json=options["json"])
        except OSError as error:  # a folder without permission, a full disk, a folder where a file is meant
            self._refuse(file_trouble(error), as_json=options["json"])
        if options["json"]:
            self.stdout.write(json.dumps(result, ensure_ascii=False, default=str))
        else:
            self.stdout.write(self.describe(result))

    def _refuse(self, error: DomainError, *, as_json: bool) -> NoReturn:
        if as_json:
            problems = {"problems": error.problems} if isinstance(error, BadInput) else {}
            self.stdout.write(json.dumps(error.as_problem() | problems, ensure_ascii=False, default=str))
        elif isinstance(error, BadInput):
            for problem in error.problems[:SHOWN]:
                self.stderr.write("  " + describe_problem(problem))
            if len(error.problems) > SHOWN:
                self.stderr.write(f"  ... and {len(error.problems) - SHOWN:,} more; --json lists them all")
        raise CommandError(str(error)) from error

    def show_progress(self, done: int, total: int | None, message: str) -> None:
        """One line on stderr, rewritten in place on a terminal, silent elsewhere."""
        if sys.stderr.isatty():
            share = f"{done / total:4.0%} " if total else f"{done} "
            sys.stderr.write(f"{CLEAR_LINE}{share}{message}")
            sys.stderr.flush()

    def clear_progress(self) -> None:
        """Leave the line free for what is printed next."""
        if sys.stderr.isatty():
            sys.stderr.write(CLEAR_LINE)
            sys.stderr.flush()


def database_trouble(error: OperationalError | ProgrammingError) -> DomainError:
    """A database that is not ready, as a sentence. Anything else is a fault of ours and is raised again."""
    if MISSING_TABLE.search(str(error)):
        return Missing("The database has no tables yet. Run: python manage.py migrate")
    if isinstance(error, OperationalError):
        return BadInput(
            f"The database cannot be used: {str(error).splitlines()[0]}. Check DATABASE_URL and the server."
        )
    raise error


def file_trouble(error: OSError) -> BadInput:
    """What the operating system refused, as a sentence with the place."""
    place = f"{error.filename2 or error.filename}: " if error.filename else ""
    return BadInput(f"{place}{error.strerror or error}. Check the path, its permissions and the space left.")


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
