"""What a split is: rows of a data set, how they were chosen, and the promises that are checked on every one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

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
        """The split without its rows, as plain values for a record."""
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
    """The split itself, if it keeps every promise; a broken one is refused with the promise it breaks."""
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
