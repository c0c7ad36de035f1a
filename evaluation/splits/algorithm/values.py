"""What a split is: rows of a data set, how many of each class, and the promises that are checked on every one."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from core.text import _

Method = Literal["random", "likelihood", "subset_sum", "closest"]


@dataclass(frozen=True, slots=True)
class Split:
    """Rows (from 0) of train, test and the independent part.

    `whole` test examples came with whole clusters, `added` were found one by one; `gap` is how many more whole-cluster
    examples a better choice of clusters could at most have given (0: proven best).
    """

    method: Method
    seed: int
    train: tuple[int, ...]
    test: tuple[int, ...]
    independent: tuple[int, ...]
    target: Mapping[str, int]
    k: int | None = None
    clusters: tuple[int, ...] = ()
    whole: int = 0
    added: int = 0
    gap: int = 0
    by_k: Mapping[int, int] = field(default_factory=dict)  # examples missing after whole clusters, for every k tried

    def described(self) -> dict[str, object]:
        """Return the split without its rows, as plain values for a record."""
        return {
            "method": self.method,
            "seed": self.seed,
            "train": len(self.train),
            "test": len(self.test),
            "independent": len(self.independent),
            "target": dict(self.target),
            "k": self.k,
            "clusters": list(self.clusters),
            "whole": self.whole,
            "added": self.added,
            "gap": self.gap,
        }


def checked(split: Split, labels: Sequence[str]) -> Split:
    """Return the split itself, if it keeps every promise; a broken one is refused with the promise it breaks."""
    every = [*split.train, *split.test, *split.independent]
    if len(set(every)) != len(every):
        raise ValueError("an example stands in two parts of the split")
    if set(every) != set(range(len(labels))):
        raise ValueError(f"the split covers {len(every)} of {len(labels)} examples")
    counts = Counter(labels[row] for row in split.test)
    wrong = {name: (counts[name], wanted) for name, wanted in split.target.items() if counts[name] != wanted}
    if wrong or len(split.test) != sum(split.target.values()):
        raise ValueError(f"the test set misses its class counts (found, wanted): {wrong}")
    return split


def class_targets(labels: Sequence[str], *, share: float) -> dict[str, int]:
    """Examples per class of a test set with the class proportions of the whole, by largest remainder.

    Together they are exactly the share of all examples, rounded. Refuses a share that is not between 0 and 1, and one
    that leaves test or training set empty.
    """
    if not 0 < share < 1:
        raise ValueError(_("The test share must be between 0 and 1, not %(share)s.", share=share))
    counts = dict(sorted(Counter(labels).items()))
    total = round(share * len(labels))
    if not 0 < total < len(labels):
        raise ValueError(
            _(
                "A test share of %(share)s leaves the test set or the training set empty. There are %(examples)s "
                "examples.",
                share=share,
                examples=len(labels),
            )
        )
    exact = {name: count * total / len(labels) for name, count in counts.items()}
    targets = {name: int(value) for name, value in exact.items()}
    by_remainder = sorted(exact, key=lambda name: (targets[name] - exact[name], name))
    for name in by_remainder[: total - sum(targets.values())]:
        targets[name] += 1
    return targets


def encode(labels: Sequence[str]) -> tuple[list[str], NDArray[np.int64]]:
    """Return the class names in alphabetical order, and the position of each example's class among them."""
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
