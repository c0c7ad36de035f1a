"""Work in batches, so that memory stays flat and no statement grows without end."""

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def in_batches(items: Iterable[Item], size: int = 1_000) -> Iterator[list[Item]]:
    """Yield lists of `size` items, the last one shorter. Nothing is read ahead of the batch that is asked for."""
    remaining = iter(items)
    while batch := list(islice(remaining, size)):
        yield batch
