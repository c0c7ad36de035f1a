"""Secrets are named in a description and looked up in the environment; a secret written out is refused."""

import re
from collections.abc import Iterable, Mapping

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
            "it looks like a secret written into the file",
            "Put it into an environment variable and write ${OUR_API_KEY}, the name of that variable, here.",
        )
    for name in names:
        if not ALLOWED_NAME.fullmatch(name):
            return (
                f"a secret cannot be taken from the variable '{name[:60]}'",
                "Use an environment variable whose name ends in _API_KEY, such as ${OUR_API_KEY}.",
            )
    return None


def unusable_variable(value: str, environment: Mapping[str, str]) -> tuple[str, str] | None:
    """Return what is wrong with the variables a value names, and the fix; the secret itself is never quoted."""
    for name in REFERENCE.findall(value):
        secret = environment.get(name, "").strip()
        if not secret:
            return (
                f"the environment variable {name} is not set",
                "Set it for every process that runs models. Our own settings cannot be named.",
            )
        if not (secret.isascii() and secret.isprintable()):
            return (
                f"the environment variable {name} holds characters that no key has, such as a line break",
                "Set it to the key alone.",
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
    for secret in secrets:
        text = text.replace(secret, "[secret]")
    return text
