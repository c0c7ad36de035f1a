"""Which addresses may be called: scheme, host and port must be on a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from urllib.parse import urlsplit

_PORTS = {"http": 80, "https": 443}


def allow_only(origins: Iterable[str]) -> Callable[[str], bool]:
    """A predicate that is true for addresses of the given origins, e.g. "https://api.openai.com".

    Refuses origins that are no http(s) address.
    """
    allowed = set()
    for origin in origins:
        parts = _origin(origin)
        if parts is None:
            raise ValueError(f"'{origin}' is not an address such as https://api.example.org")
        allowed.add(parts)
    return lambda url: _origin(url) in allowed


def _origin(url: str) -> tuple[str, str, int] | None:
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme)
    except ValueError:
        return None
    # A name before the host ("https://allowed.org@evil.org") is never needed and easily misread.
    if parts.scheme not in _PORTS or not parts.hostname or "@" in parts.netloc or port is None:
        return None
    return parts.scheme, parts.hostname.lower(), port
