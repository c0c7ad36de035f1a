"""Secrets are named in a description and looked up in the environment; a secret written out is refused."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from evaluation.runners.descriptions import Description
from evaluation.runners.settings import RunnerSettings

SECRET_NAME = re.compile(r"authori[sz]ation|api[-_]?key|^key$|token|secret|password", re.IGNORECASE)
REFERENCE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}")


def check_values(section: Description, values: Mapping[str, Any]) -> None:
    """Note every value that looks like a secret but is not a `${NAME}`."""
    for key, value in values.items():
        if not isinstance(value, str | int | float):
            section.complain(key, "it is not a text", "Write one text per key.")
        elif SECRET_NAME.search(str(key)) and not REFERENCE.search(str(value)):
            section.complain(
                str(key),
                "it looks like a secret written into the file",
                "Put it into an environment variable and write ${NAME_OF_THE_VARIABLE} here.",
            )


def secrets_in(values: Mapping[str, Any], settings: RunnerSettings) -> tuple[str, ...]:
    """What the values' `${NAME}` stand for: nothing that is shown or kept may hold it."""
    names = [name for value in values.values() for name in REFERENCE.findall(str(value))]
    return tuple(filter(None, (settings.environment.get(name) for name in names)))


def fill_secrets(section: Description, values: Mapping[str, Any], settings: RunnerSettings) -> dict[str, str]:
    """The values with every `${NAME}` looked up; a variable that is not set is noted as a problem."""
    filled = {}
    for key, value in values.items():
        for name in REFERENCE.findall(str(value)):
            if not settings.environment.get(name):
                section.complain(
                    str(key),
                    f"the environment variable {name} is not set",
                    "Set it for every process that runs models. Our own settings cannot be named.",
                )
        filled[str(key)] = REFERENCE.sub(lambda match: settings.environment.get(match.group(1), ""), str(value))
    return filled
