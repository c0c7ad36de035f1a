"""A proposed form and where it comes from."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A form that an expert may accept; `source` is the package that proposed it."""

    text: str
    source: str


def distinct(suggestions: Iterable[Suggestion]) -> list[Suggestion]:
    """Each text once, the first source wins."""
    found: dict[str, Suggestion] = {}
    for suggestion in suggestions:
        if suggestion.text.strip():
            found.setdefault(suggestion.text, suggestion)
    return list(found.values())
