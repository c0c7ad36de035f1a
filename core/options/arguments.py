"""Make the arguments of a command from declared options."""

from argparse import SUPPRESS, ArgumentParser
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from core.options.declaring import COMMAND, FileKind, Option, Options, OptionsRefused, PairsKind, declared

Chosen = TypeVar("Chosen", bound=Options)
TAKEN = {"--version"}  # Django's own, of every command


def add_arguments(parser: ArgumentParser, options: type[Options]) -> None:
    """Add one argument per option. What is not given is missing from the result, and the class sets the default."""
    for about in declared(options, COMMAND):
        facts = _facts(about)
        if not about.extras.positional:
            flags = [flag for flag in about.flags if flag not in TAKEN]
            parser.add_argument(*flags, dest=destination(about), required=about.is_required, **facts)
            continue
        if about.is_many or not about.is_required:
            facts["nargs"] = ("+" if about.is_required else "*") if about.is_many else "?"
        parser.add_argument(about.name, **facts)


def destination(about: Option) -> str:
    """Return the name under which argparse keeps an option: its own, unless that is one of Django's."""
    flag = about.extras.flag if f"--{about.name}" in TAKEN else about.name
    return flag.removeprefix("--").replace("-", "_")


def _facts(about: Option) -> dict[str, Any]:
    """Return what argparse is told about an option."""
    facts: dict[str, Any] = {"default": SUPPRESS, "help": _help(about)}
    if about.kind is bool:
        return facts | {"action": "store_false" if about.default else "store_true"}
    if about.choices:
        facts["choices"] = [value for value, _ in about.choices if value != ""]
    elif about.extras.metavar:
        facts["metavar"] = about.extras.metavar
    if about.kind in (int, float):
        facts["type"] = about.kind
    elif about.kind is FileKind:
        facts["type"] = Path
    if about.extras.repeated:
        facts["action"] = "append"
    elif (about.is_many and not about.extras.positional) or about.kind is PairsKind:
        facts |= {"nargs": "+", "action": "extend"}
    return facts


def _help(about: Option) -> str:
    """Return the help with the default, where that is a value to show."""
    is_shown = about.default not in (None, "", (), {}) and about.kind is not bool
    values = about.default if about.is_many else (about.default,)
    default = f" (default: {' '.join(map(str, values))})" if is_shown else ""
    return (about.full_help + default).replace("%", "%%")


def read_arguments(options: type[Chosen], given: Mapping[str, Any]) -> Chosen:
    """Return the checked options among the arguments. A refusal names them as they are typed."""
    named = {about.name: given[at] for about in declared(options, COMMAND) if (at := destination(about)) in given}
    try:
        return options.given(dict(given) | named)
    except OptionsRefused as error:
        flags = {about.name: about.flags[0] for about in declared(options, COMMAND)}
        raise OptionsRefused(error.errors, names=flags) from error
