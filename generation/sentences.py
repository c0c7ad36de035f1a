"""Sentences of errors, as they can be kept and shown in any language later. Pure: knows no web framework."""

from collections.abc import Iterable
from functools import reduce

from core.text import _


def sentence_of(error: BaseException) -> str:
    """Return the sentence an error was raised with. `str(error)` would show it in the language of this moment."""
    said = error.args[0] if len(error.args) == 1 else None
    return said if isinstance(said, str) else str(error)


def one_after_another(sentences: Iterable[str]) -> str:
    """Return whole sentences as one text; "" where there are none."""
    found = list(sentences)
    return reduce(_then, found) if found else ""


def _then(first: str, second: str) -> str:
    return _("%(sentence)s %(next)s", sentence=first, next=second)
