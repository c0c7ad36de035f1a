"""Check that the instance is whole."""

from typing import Any

from config.instance import check_instance
from config.options import CheckInstanceOptions
from core.commands import DomainCommand
from core.errors import DomainError


class NotWell(DomainError):
    """A check found something."""

    code, status = "not_well", 409


def say_problems(found: dict[str, Any]) -> str:
    """Return one line per problem, or one that says that all is well."""
    lines = [f"{name}: {problem}" for name, problems in found["problems"].items() for problem in problems]
    looked_at = f"releases ({found['releases']}), files of data sets ({found['files']})"
    return "\n".join(lines) or f"All is well: migrations, guards, references, {looked_at}."


def require_well(found: dict[str, Any]) -> dict[str, Any]:
    """Refuse with the problems where there are some."""
    if not found["well"]:
        raise NotWell(say_problems(found), problems=found["problems"])
    return found


class Command(DomainCommand):
    help = "Check migrations, guards, references, the checksum of every release and stored files."
    options = CheckInstanceOptions

    def perform(self, chosen: CheckInstanceOptions) -> dict[str, Any]:
        return require_well(check_instance(tell=self.show_progress))

    def describe(self, result: dict[str, Any]) -> str:
        return say_problems(result)
