"""Find what a person may see by a few words. Each app registers a function per kind of thing when it starts."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

MOST = 6  # of each kind
LONGEST = 100


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found. `text` may be hateful and is shown only where texts are uncovered."""

    title: str
    url: str
    detail: str = ""
    text: str = ""
    language: str = ""


Search = Callable[["User | AnonymousUser", str], Iterable[Hit]]
SEARCHES: dict[str, tuple[int, Search]] = {}


def register_search(kind: str, search: Search, *, order: int) -> None:
    """Add a kind of thing, named in the plural as pages show it. `search` hides what the person may not see."""
    SEARCHES[kind] = (order, search)


def find(user: User | AnonymousUser, words: str) -> dict[str, list[Hit]]:
    """Return what fits by kind, in the order of the kinds; kinds without a hit are left out."""
    wanted = " ".join(words.split())[:LONGEST]
    if not wanted:
        return {}
    kinds = sorted(SEARCHES.items(), key=lambda entry: entry[1][0])
    found = {kind: list(islice(search(user, wanted), MOST)) for kind, (_, search) in kinds}
    return {kind: hits for kind, hits in found.items() if hits}
