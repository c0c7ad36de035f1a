"""A card of the home page: one thing that somebody can do next, and how far it is."""

from typing import NamedTuple


class Card(NamedTuple):
    """`done` of `total` is drawn as a bar where there is a total."""

    title: str
    text: str
    url: str
    action: str
    done: int = 0
    total: int = 0
