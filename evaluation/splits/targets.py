"""How many examples of each class a test set needs, and the part that is set aside before any split is made."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def class_targets(labels: Sequence[str], *, share: float) -> dict[str, int]:
    """Examples per class of a test set with the class proportions of the whole, by largest remainder.

    Together they are exactly the share of all examples, rounded. Refuses a share that is not between 0 and 1, and one
    that leaves test or training set empty.
    """
    if not 0 < share < 1:
        raise ValueError(f"the test share must lie between 0 and 1, not {share}")
    counts = dict(sorted(Counter(labels).items()))
    total = round(share * len(labels))
    if not 0 < total < len(labels):
        raise ValueError(f"{share} of {len(labels)} examples leaves the test set or the training set empty")
    exact = {name: count * total / len(labels) for name, count in counts.items()}
    targets = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (targets[name] - exact[name], name))
    for name in by_remainder[: total - sum(targets.values())]:
        targets[name] += 1
    return targets


def encode(labels: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """The class names in alphabetical order, and the position of each example's class among them."""
    names = sorted(set(labels))
    position = {name: place for place, name in enumerate(names)}
    return names, np.array([position[label] for label in labels], dtype=np.int64)


def set_aside(labels: Sequence[str], *, share: float, seed: int) -> tuple[list[int], list[int]]:
    """The examples to split and the independent part, drawn at random with the class proportions kept; both sorted.

    A share of 0 sets nothing aside.
    """
    if share == 0:
        return list(range(len(labels))), []
    aside = set(draw_stratified(labels, class_targets(labels, share=share), seed=seed, purpose="independent"))
    return [row for row in range(len(labels)) if row not in aside], sorted(aside)


def draw_stratified(labels: Sequence[str], targets: dict[str, int], *, seed: int, purpose: str) -> list[int]:
    """As many random examples of each class as the targets say, sorted; each purpose has its own stream of numbers."""
    random = np.random.default_rng([seed, *purpose.encode()])
    names, codes = encode(labels)
    chosen: list[int] = []
    for place, name in enumerate(names):
        members = np.flatnonzero(codes == place)
        chosen += [int(row) for row in random.choice(members, size=targets.get(name, 0), replace=False)]
    return sorted(chosen)
