"""The base of all commands: one JSON document on stdout, progress on stderr, one clear sentence on a refusal."""

import json
import re
import sys
from argparse import SUPPRESS, ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar, NoReturn

from django.core.management.base import BaseCommand, CommandError
from django.db.utils import OperationalError, ProgrammingError

from accounts.errors import DomainError
from core.errors import BadInput, Missing
from core.extras import missing_extra
from core.options import Options
from core.options.arguments import add_arguments, read_arguments
from core.progress import Progress

SHOWN = 50
MISSING_TABLE = re.compile(r"no such table|relation .* does not exist")


class DomainCommand(BaseCommand):
    """A thin caller of a service. Subclasses name their options, or those of each step, and implement `perform`."""

    options: ClassVar[type[Options] | None] = None
    steps: ClassVar[Mapping[str, type[Options]]] = {}

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        self._progress = Progress()

    def add_arguments(self, parser: ArgumentParser) -> None:
        if self.options:
            add_arguments(parser, self.options)
        elif self.steps:
            known = parser.add_subparsers(dest="step", required=True, metavar="|".join(self.steps))
            for name, options in self.steps.items():
                step = known.add_parser(name, help=(options.__doc__ or "").splitlines()[0])
                add_arguments(step, options)
                # Suppressed, or the step's own default would undo a --json written before it.
                step.add_argument("--json", action="store_true", default=SUPPRESS, help="print one JSON document")
        else:
            self.add_domain_arguments(parser)
        parser.add_argument("--json", action="store_true", help="print exactly one JSON document")

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        raise NotImplementedError

    def perform(self, *args: Any, **options: Any) -> dict[str, Any]:
        """Do what the checked options say, and return what `--json` prints."""
        raise NotImplementedError

    def describe(self, result: dict[str, Any]) -> str:
        """Return the result as people read it."""
        raise NotImplementedError

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            try:
                kind = self.steps[options["step"]] if self.steps else self.options
                chosen = [read_arguments(kind, options)] if kind else []
                result = self.perform(*chosen, **({} if chosen else options))
            finally:
                self.clear_progress()
        except (OperationalError, ProgrammingError) as error:
            self._refuse(database_trouble(error), as_json=options["json"])
        except KeyboardInterrupt as error:
            raise CommandError("Stopped.", returncode=130) from error
        except DomainError as error:
            self._refuse(error, as_json=options["json"])
        except ModuleNotFoundError as error:
            if (refusal := missing_extra(error)) is None:
                raise
            self._refuse(refusal, as_json=options["json"])
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
        """Show on stderr how far the command is."""
        self._progress.show(done, total, message)

    def clear_progress(self) -> None:
        """End the display of progress, before something else is printed."""
        self._progress.finish()


def program() -> str:
    """Return how this installation's commands are given."""
    return "touchstone" if Path(sys.argv[0]).name.startswith("touchstone") else "python manage.py"


def database_trouble(error: OperationalError | ProgrammingError) -> DomainError:
    """Return what is wrong with a database that is not ready. Any other error is a defect and is raised again."""
    if MISSING_TABLE.search(str(error)):
        return Missing(f"The database has no tables yet. Run: {program()} migrate")
    if isinstance(error, OperationalError):
        return BadInput(
            f"The database cannot be used: {str(error).splitlines()[0]}. Check DATABASE_URL and the server."
        )
    raise error


def file_trouble(error: OSError) -> BadInput:
    """Return what the operating system refused, with the place."""
    place = f"{error.filename2 or error.filename}: " if error.filename else ""
    return BadInput(f"{place}{error.strerror or error}. Check the path, its permissions and the space left.")


def describe_problem(problem: dict[str, Any]) -> str:
    """Return a problem as one line: severity, place, problem, fix."""
    place = [str(problem["file"])] if problem.get("file") else []
    place += [f"row {problem['row']}"] if problem.get("row") else []
    place += [f"column '{problem['column']}'"] if problem.get("column") else []
    return f"{problem.get('severity', 'error')}: {', '.join(place)}: {problem['problem']}; {problem['fix']}"
