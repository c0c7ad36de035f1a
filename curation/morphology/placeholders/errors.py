"""What the template language says when it cannot read a template."""

import difflib
from collections.abc import Iterable
from functools import lru_cache

from core.text import _

LONGEST_NAME = 60


def shortened(text: str) -> str:
    """Return a text short enough to be quoted in a message."""
    return text if len(text) <= LONGEST_NAME else text[: LONGEST_NAME - 1] + "…"


class TemplateError(ValueError):
    """A template that cannot be read: `position` (first character is 1), `problem`, `fix`, `known` names."""

    def __init__(self, position: int, problem: str, *, fix: str = "", known: Iterable[str] = ()) -> None:
        self.position = position
        self.problem = problem
        self.fix = fix
        self.known = tuple(known)
        message = _("character %(position)s: %(problem)s", position=position, problem=problem)
        if self.known:
            message = _("%(problem)s; known: %(names)s", problem=message, names=self.known)
        if fix:
            message = _("%(problem)s; %(fix)s", problem=message, fix=fix)
        super().__init__(message)


@lru_cache(maxsize=1024)
def closest(name: str, known: tuple[str, ...]) -> str | None:
    """Return the known name that looks most like `name`, None if none does."""
    if len(name) > LONGEST_NAME:
        return None
    found = difflib.get_close_matches(name, known, n=1, cutoff=0.6)
    return found[0] if found else None
