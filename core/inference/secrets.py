"""Secrets are named in a description and looked up in the environment; a secret written out is refused."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from core.text import Text, _, recall_text

SECRET_KEY = re.compile(r"authori[sz]ation|api[-_]?key|^key$|token|secret|password", re.IGNORECASE)
REFERENCE = re.compile(r"\$\{([^}]*)\}")
# A description must not be able to send another secret of the server, such as its own key, to anyone.
ALLOWED_NAME = re.compile(r"[A-Z][A-Z0-9_]*_API_KEY")
SHORTEST = 6  # local servers take anything for a key, such as "x", which is no secret and may stand in a text


def problem_with(key: str, value: str) -> tuple[str, str] | None:
    """Return what is wrong with a value of a description that may hold secrets, and the fix; None if nothing is."""
    names = REFERENCE.findall(value)
    if SECRET_KEY.search(key) and not names:
        return (
            _("it looks like a secret written into the file"),
            _("Put it into an environment variable and write ${OUR_API_KEY}, the name of that variable, here."),
        )
    for name in names:
        if not ALLOWED_NAME.fullmatch(name):
            return (
                _("a secret cannot be taken from the variable '%(variable)s'", variable=name[:60]),
                _("Use an environment variable whose name ends in _API_KEY, such as ${OUR_API_KEY}."),
            )
    return None


def unusable_variable(value: str, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what is wrong with the variables a value names, and the fix; the secret itself is never quoted."""
    for name in REFERENCE.findall(value):
        secret = environment.get(name, "").strip()
        if not secret:
            return (
                _("the environment variable %(variable)s is not set", variable=name),
                _("Set it for every process that runs models. Our own settings cannot be named."),
            )
        if not (secret.isascii() and secret.isprintable()):
            return (
                _(
                    "the environment variable %(variable)s holds characters that no key has, such as a line break",
                    variable=name,
                ),
                _("Set it to the key alone."),
            )
    return None


def fill(value: str, environment: Mapping[str, str]) -> str:
    """Return a value with every `${NAME}` looked up."""
    return REFERENCE.sub(lambda match: environment.get(match.group(1), "").strip(), value)


def secrets_of(values: Iterable[str], environment: Mapping[str, str]) -> tuple[str, ...]:
    """Return what the values' `${NAME}` stand for: nothing that is shown or kept may hold it."""
    names = {name for value in values for name in REFERENCE.findall(value)}
    found = {environment.get(name, "").strip() for name in names}
    return tuple(secret for secret in found if len(secret) >= SHORTEST)


def hide(text: str, secrets: Iterable[str]) -> str:
    """Return a text without the secrets: some servers repeat the key they were given."""
    known = tuple(secrets)
    if isinstance(text, Text) and any(secret in text for secret in known):
        facts = text.facts()
        return recall_text(facts | {"values": _hidden(facts.get("values", {}), known)})
    return text if isinstance(text, Text) else str(_hidden(text, known))


def _hidden(value: Any, secrets: tuple[str, ...]) -> Any:
    if isinstance(value, dict):
        return {name: _hidden(inner, secrets) for name, inner in value.items()}
    if isinstance(value, list):
        return [_hidden(inner, secrets) for inner in value]
    if isinstance(value, str):
        for secret in secrets:
            value = value.replace(secret, "[secret]")
    return value
