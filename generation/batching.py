"""Batches of texts of similar length, so that a model wastes little on padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence


def batch_by_tokens(lengths: Sequence[int], *, budget: int) -> Iterator[list[int]]:
    """Positions in batches whose padded size stays within `budget` tokens, shortest texts first.

    A text longer than the budget gets a batch of its own. Refuses a budget below 1.
    """
    if budget < 1:
        raise ValueError("the token budget of a batch is 1 or more")
    batch: list[int] = []
    for position in sorted(range(len(lengths)), key=lambda index: (lengths[index], index)):
        if batch and lengths[position] * (len(batch) + 1) > budget:
            yield batch
            batch = []
        batch.append(position)
    if batch:
        yield batch
