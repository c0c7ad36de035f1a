"""Reads settings from environment variables and refuses wrong ones with a sentence that names the variable."""

import os
import re
import secrets
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

DATABASE_SCHEMES = {"sqlite", "postgres", "postgresql"}
CACHE_SCHEMES = {"locmemcache", "redis", "rediss"}
BROKER_SCHEMES = {"filesystem", "redis", "rediss", "amqp", "amqps"}
ASKED: set[str] = set()  # names of our own variables


class WrongSetting(Exception):
    """An environment variable is missing or has a value that cannot be used."""


def text(name: str, default: str | None = None) -> str:
    """The variable NAME, or the content of the file that NAME_FILE points to. Refuses absence without a default."""
    ASKED.update((name, f"{name}_FILE"))
    if file := os.environ.get(f"{name}_FILE"):
        try:
            return Path(file).read_text(encoding="utf-8").strip()
        except OSError as error:
            raise WrongSetting(f"{name}_FILE points to {file}, which cannot be read: {error.strerror}.") from error
    value = os.environ.get(name, default)
    if value is None:
        raise WrongSetting(f"{name} is not set. Set it, or {name}_FILE with the path of a file that holds it.")
    return value


def flag(name: str, default: bool) -> bool:
    """A yes/no variable. Refuses anything but true/false, yes/no, on/off, 1/0."""
    value = text(name, str(default)).lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"0", "false", "no", "off", ""}:
        return False
    raise WrongSetting(f"{name} is '{value}'. Use true or false.")


def number(name: str, default: int, *, least: int = 0, most: int = 10**9) -> int:
    """A whole number within bounds."""
    value = text(name, str(default))
    try:
        result = int(value)
    except ValueError as error:
        raise WrongSetting(f"{name} is '{value}'. Use a whole number.") from error
    if not least <= result <= most:
        raise WrongSetting(f"{name} is {result}. Use a number from {least} to {most}.")
    return result


def choice(name: str, default: str, allowed: tuple[str, ...]) -> str:
    """One of a closed set of words."""
    value = text(name, default)
    if value not in allowed:
        raise WrongSetting(f"{name} is '{value}'. Use one of: {', '.join(allowed)}.")
    return value


def pattern(name: str, default: str, allowed: str, example: str) -> str:
    """A text of a certain shape."""
    value = text(name, default)
    if not re.fullmatch(allowed, value):
        raise WrongSetting(f"{name} is '{value}'. Use {example}.")
    return value


def words(name: str, default: str = "", *, allowed: tuple[str, ...] = ()) -> list[str]:
    """A comma-separated list. Refuses words that are not among those allowed, where these are named."""
    found = [part.strip() for part in text(name, default).split(",") if part.strip()]
    if allowed and (unknown := sorted(set(found) - set(allowed))):
        raise WrongSetting(f"{name} has '{unknown[0]}'. Use some of: {', '.join(allowed)}.")
    return found


def url(name: str, default: str | None, schemes: set[str]) -> str:
    """An address with one of the known schemes."""
    value = text(name, default)
    if urlsplit(value).scheme not in schemes:
        raise WrongSetting(f"{name} is '{hide_password(value)}'. Start it with one of: {', '.join(sorted(schemes))}.")
    return value


def site_url(name: str, hosts: list[str], *, https: bool) -> str:
    """The address in links that are sent out: as given, or that of the first plain host name; "" if unknown."""
    value = text(name, "").rstrip("/")
    if value and urlsplit(value).scheme not in {"http", "https"}:
        raise WrongSetting(f"{name} is '{value}'. Start it with https://, for example https://touchstone.example.org.")
    if not value and hosts and not hosts[0].startswith(("*", ".")):
        return f"{'https' if https else 'http'}://{hosts[0]}"
    return value


def hide_password(address: str) -> str:
    """The address as it may be printed."""
    parts = urlsplit(address)
    return address.replace(f":{parts.password}@", ":***@") if parts.password else address


def folder(name: str, default: Path) -> Path:
    """A folder that can be written to; it is made if need be."""
    path = Path(text(name, str(default))).expanduser().resolve()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir(mode=0o700, exist_ok=True)  # labels, mails and keys lie here
    except OSError as error:
        raise WrongSetting(f"{name} is '{path}', which cannot be a folder: {error.strerror}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise WrongSetting(f"{name} is '{path}', where nothing can be written. Change its permissions or name another.")
    return path


def local_secret(folder: Path) -> str:
    """The embedded mode's secret key: made once, kept in the run-time folder, readable by its owner only."""
    file = folder / "secret-key"
    if not file.exists():
        folder.mkdir(parents=True, exist_ok=True)
        try:
            handle = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass  # another process of the same instance was first
        else:
            with os.fdopen(handle, "w", encoding="utf-8") as stream:
                stream.write(secrets.token_urlsafe(50))
    key = file.read_text(encoding="utf-8")
    if len(key) < 30:
        raise WrongSetting(
            f"the secret key in {file} is too short. Delete the file; a new one is made at the next start."
        )
    return key


def spool_options(spool: Path) -> dict[str, str]:
    """Where the broker of the embedded mode keeps its messages; the folders are made if need be."""
    messages, control = spool / "messages", spool / "control"
    for folder in (messages, control):
        folder.mkdir(parents=True, exist_ok=True)
    return {"data_folder_in": str(messages), "data_folder_out": str(messages), "control_folder": str(control)}


def single_sign_on() -> dict[str, Any]:
    """The operator's OpenID Connect provider; empty without OIDC_SERVER_URL."""
    server = text("OIDC_SERVER_URL", "")
    if not server:
        return {}
    app = {
        "provider_id": "oidc",
        "name": text("OIDC_NAME", "Single sign-on"),
        "client_id": text("OIDC_CLIENT_ID"),
        "secret": text("OIDC_CLIENT_SECRET"),
        "settings": {"server_url": server},
    }
    return {"openid_connect": {"APPS": [app]}}
