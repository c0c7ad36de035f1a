"""Stratified splits: every class keeps its share in every part."""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Split:
    """Positions of the rows of each part, each in ascending order; together every row exactly once."""

    train: tuple[int, ...]
    validation: tuple[int, ...]
    test: tuple[int, ...]


def split_stratified(
    labels: Sequence[Hashable], *, seed: int, shares: tuple[float, float, float] = (0.8, 0.1, 0.1)
) -> Split:
    """Train, validation and test positions; of each class every part gets its share to within one row.

    Refuses shares that do not add up to one, and a class with fewer than three rows: it could not be in every part.
    """
    if any(share <= 0 for share in shares) or abs(sum(shares) - 1) > 1e-9:
        raise ValueError(f"the shares {shares} must be positive and add up to 1")
    by_class: dict[Hashable, list[int]] = {}
    for position, label in enumerate(labels):
        by_class.setdefault(label, []).append(position)
    for label, positions in by_class.items():
        if len(positions) < 3:
            raise ValueError(f"the class '{label}' has {len(positions)} rows; three is the least that can be split")
    parts: tuple[list[int], list[int], list[int]] = ([], [], [])
    # Classes in a fixed order, so that the same rows and seed give the same split whatever the hash seed is.
    for label in sorted(by_class, key=str):
        positions = by_class[label]
        random.Random(f"{seed}:{label}").shuffle(positions)
        sizes = _sizes(len(positions), shares)
        start = 0
        for part, size in zip(parts, sizes, strict=True):
            part.extend(positions[start : start + size])
            start += size
    return Split(*(tuple(sorted(part)) for part in parts))


def _sizes(count: int, shares: tuple[float, float, float]) -> list[int]:
    # Largest remainder; every part gets at least one row.
    exact = [count * share for share in shares]
    sizes = [int(value) for value in exact]
    for index in sorted(range(3), key=lambda part: sizes[part] - exact[part])[: count - sum(sizes)]:
        sizes[index] += 1
    for index in range(3):
        if sizes[index] == 0:
            sizes[index] = 1
            sizes[sizes.index(max(sizes))] -= 1
    return sizes
