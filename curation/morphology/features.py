"""Grammatical features in the canonical text of Universal Dependencies, e.g. `Case=Dat|Number=Plur`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache

from core.text import _

PAIR = re.compile(r"([A-Za-z][A-Za-z0-9]*)=([A-Za-z0-9]+)")


class FeatureError(ValueError):
    """A text that is not a list of features; `problem` says which part is wrong."""

    def __init__(self, problem: str) -> None:
        super().__init__(problem)
        self.problem = problem


@dataclass(frozen=True, slots=True)
class Features:
    """A set of feature values, at most one per name, in canonical order; `str()` gives the canonical text."""

    pairs: tuple[tuple[str, str], ...] = ()
    _text: str = field(init=False, repr=False, compare=False)
    _hash: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        # Features are keys of every lookup: text and hash are worked out once.
        object.__setattr__(self, "_text", "|".join(f"{name}={value}" for name, value in self.pairs))
        object.__setattr__(self, "_hash", hash(self.pairs))

    def __str__(self) -> str:
        return self._text

    def __hash__(self) -> int:
        return self._hash

    def __bool__(self) -> bool:
        return bool(self.pairs)

    def __len__(self) -> int:
        return len(self.pairs)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def get(self, name: str) -> str | None:
        """Return the value of one feature, None where it is not marked."""
        return next((value for own, value in self.pairs if own == name), None)

    def merge(self, stronger: Features) -> Features:
        """Return both together; where both name a feature, `stronger` wins."""
        if not stronger.pairs:
            return self
        if not self.pairs:
            return stronger
        return of_pairs({**dict(self.pairs), **dict(stronger.pairs)}.items())

    def without(self, *names: str) -> Features:
        """Return the same without the named features."""
        return Features(tuple(pair for pair in self.pairs if pair[0] not in names))

    def is_subset(self, other: Features) -> bool:
        """Tell whether every value here is also there."""
        return set(self.pairs) <= set(other.pairs)

    def conflicts(self, other: Features) -> tuple[str, ...]:
        """Return the names to which both give different values."""
        there = dict(other.pairs)
        return tuple(name for name, value in self.pairs if there.get(name, value) != value)


NONE = Features()


def of_pairs(pairs: Iterable[tuple[str, str]]) -> Features:
    """Return features from names and values, brought into canonical order (by name, capitals aside)."""
    return Features(tuple(sorted(pairs, key=lambda pair: (pair[0].lower(), pair[0]))))


def parse_features(text: str | Features) -> Features:
    """Read `Case=Dat|Number=Plur`; a comma separates as well, order does not matter, "" and "_" are no features.

    Refuses anything that is not Name=Value, and a name given two values.
    """
    return text if isinstance(text, Features) else _parse(text)


@lru_cache(maxsize=4096)
def _parse(text: str) -> Features:
    if text.strip() in ("", "_"):
        return NONE
    found: dict[str, str] = {}
    for part in re.split(r"[|,]", text):
        match = PAIR.fullmatch(part.strip())
        if match is None:
            raise FeatureError(_("'%(text)s' is not a feature; write Name=Value, e.g. Number=Plur", text=part.strip()))
        name, value = match.groups()
        if found.setdefault(name, value) != value:
            raise FeatureError(
                _(
                    "%(name)s is given two values, %(first)s and %(second)s; keep one",
                    name=name,
                    first=found[name],
                    second=value,
                )
            )
    return of_pairs(found.items())


def canonical(text: str) -> str:
    """Return the canonical spelling of a feature text; refuses what `parse_features` refuses."""
    return str(parse_features(text))
