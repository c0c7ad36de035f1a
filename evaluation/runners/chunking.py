"""Cutting a run into chunks that any worker may take, and the key under which an answer is kept."""

import hashlib
from collections.abc import Iterator, Sequence
from typing import TypeVar

T = TypeVar("T")


def cut_into_chunks(items: Sequence[T], *, size: int) -> Iterator[Sequence[T]]:
    """Consecutive pieces of at most `size` items, sizes differing by at most one, nothing lost and nothing twice.

    Refuses a size below one.
    """
    if size < 1:
        raise ValueError(f"a chunk needs at least one item, not {size}")
    count = -(-len(items) // size)
    for index in range(count):
        yield items[len(items) * index // count : len(items) * (index + 1) // count]


def text_hash(text: str) -> str:
    """SHA-256 of the exact text: a model sees a doubled blank, so nothing is normalised."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def cache_key(fingerprint: str, text: str) -> str:
    """The key of a cached prediction: the same model version on the same text has the same key."""
    return hashlib.sha256(f"{fingerprint}\0{text_hash(text)}".encode()).hexdigest()
