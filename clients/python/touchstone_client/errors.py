"""What the server refuses, as exceptions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import httpx


class TouchstoneError(Exception):
    """A refusal. `code` is stable, `status` the HTTP status, `problem` everything the server said."""

    def __init__(
        self, message: str, *, code: str = "", status: int = 0, problem: Mapping[str, Any] | None = None
    ) -> None:
        super().__init__(message)
        self.code, self.status, self.problem = code, status, dict(problem or {})


class NotSignedIn(TouchstoneError):
    """The token is missing, wrong or has ended (401)."""


class NotPermitted(TouchstoneError):
    """The token's owner may not do this (403)."""


class NotFound(TouchstoneError):
    """There is no such thing, or it is not visible to you (404)."""


class RunFailed(TouchstoneError):
    """The evaluation ended without a result."""


class StillRunning(TouchstoneError):
    """The evaluation was not finished in the time given; it continues, and `wait` can be called again."""


KINDS = {401: NotSignedIn, 403: NotPermitted, 404: NotFound}


def error_of(response: httpx.Response) -> TouchstoneError:
    """The exception for a refused request; falls back to the status where the body is not problem+json."""
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if not isinstance(problem, dict):
        problem = {}
    title, detail = str(problem.get("title") or ""), str(problem.get("detail") or "")
    message = ". ".join(part.rstrip(".") for part in dict.fromkeys((title, detail)) if part)
    message = message or f"the server answered HTTP {response.status_code}"
    kind = KINDS.get(response.status_code, TouchstoneError)
    return kind(message, code=str(problem.get("code", "")), status=response.status_code, problem=problem)
