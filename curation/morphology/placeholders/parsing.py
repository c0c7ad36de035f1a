"""Reading a template: `parse(text, kinds={"identity", "slur"})`."""

import re
from collections.abc import Collection
from dataclasses import replace
from functools import lru_cache

from curation.morphology.placeholders.errors import TemplateError
from curation.morphology.placeholders.grammar import Parser
from curation.morphology.placeholders.nodes import Part, Placeholder, Template, Text

DEFAULT_KINDS = frozenset({"identity", "slur"})
KEPT_UP_TO = 2_000  # characters; longer texts are no sentences and shall not fill the memory
BRACKETED = re.compile(r"(\[[^\[\]]*\])")


def parse(
    text: str, *, kinds: Collection[str] = DEFAULT_KINDS, perturbations: Collection[str] | None = None
) -> Template:
    """Read a template. Raises TemplateError (and nothing else) for whatever the grammar does not know.

    `kinds` are the names a placeholder may have; `perturbations`, if given, those it may ask for.
    """
    names = frozenset(kinds)
    spellings = None if perturbations is None else frozenset(perturbations)
    if len(text) > KEPT_UP_TO:
        return Parser(text, names, spellings).template()
    return _parse(text, names, spellings)


@lru_cache(maxsize=4096)
def _parse(text: str, kinds: frozenset[str], perturbations: frozenset[str] | None) -> Template:
    return _parse_simple(text, kinds, perturbations) or Parser(text, kinds, perturbations).template()


def _parse_simple(text: str, kinds: frozenset[str], perturbations: frozenset[str] | None) -> Template | None:
    """Parse text and placeholders alone, in a fifth of the time; None where the whole grammar is needed."""
    if "\\" in text or "{" in text or "}" in text:
        return None
    parts: list[Part] = []
    position = 1
    for number, piece in enumerate(BRACKETED.split(text)):
        if number % 2:
            known = read_placeholder(piece, kinds, perturbations)
            if known is None:
                return None
            parts.append(replace(known, position=position))
        elif "[" in piece or "]" in piece:
            return None
        elif piece:
            parts.append(Text(piece, piece, position))
        position += len(piece)
    return Template(tuple(parts))


@lru_cache(maxsize=4096)
def read_placeholder(
    typed: str, kinds: frozenset[str], perturbations: frozenset[str] | None = None
) -> Placeholder | None:
    """Return a placeholder by itself; None where the grammar refuses it or its label has to be compared with others."""
    try:
        part = Parser(typed, kinds, perturbations).template().parts[0]
    except TemplateError:
        return None
    return part if isinstance(part, Placeholder) and not part.label else None
