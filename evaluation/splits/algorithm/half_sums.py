"""All class counts that subsets of a few clusters can add up to, and pairs of such sums that come nearest to a goal."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]
MOST_SUMS = 1_500_000
PAIRS_AT_ONCE = 2_000_000


@dataclass(frozen=True, slots=True)
class HalfSums:
    """Each sum that fits the goal once, ordered by key, with one set of clusters (bits of `masks`) that gives it."""

    clusters: Integers
    sums: Integers
    keys: Integers
    masks: Integers

    def members(self, position: int) -> list[int]:
        """Return the clusters behind one sum."""
        mask = int(self.masks[position])
        return [int(cluster) for bit, cluster in enumerate(self.clusters) if mask >> bit & 1]


def strides_for(goal: Integers) -> Integers | None:
    """Place values that turn counts into one number, such that two sums never carry; None where 62 bits are too few."""
    strides = [1]
    for value in goal[:0:-1]:
        strides.insert(0, strides[0] * (2 * int(value) + 1))
    return None if strides[0] * (2 * int(goal[0]) + 1) >= 2**62 else np.array(strides, dtype=np.int64)


def list_sums(table: Integers, clusters: Integers, goal: Integers, strides: Integers) -> HalfSums | None:
    """Return every sum of some of these clusters that stays within the goal; None where there are too many to list."""
    if len(clusters) > 62:
        return None
    sums = np.zeros((1, len(goal)), dtype=np.int64)
    keys, masks = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
    for bit, cluster in enumerate(clusters):
        fits = (sums <= goal - table[cluster]).all(axis=1)
        sums = np.concatenate([sums, sums[fits] + table[cluster]])
        keys = np.concatenate([keys, keys[fits] + table[cluster] @ strides])
        masks = np.concatenate([masks, masks[fits] | (1 << bit)])
        keys, first = np.unique(keys, return_index=True)
        sums, masks = sums[first], masks[first]
        if len(keys) > MOST_SUMS:
            return None
    return HalfSums(clusters, sums, keys, masks)


def best_pair(first: HalfSums, second: HalfSums, goal: Integers) -> tuple[int, int]:
    """Return the two sums with the largest total within the goal, found by comparing all pairs."""
    totals = second.sums.sum(axis=1)
    order = np.argsort(-totals, kind="stable")
    ordered, best, found = second.sums[order], -1, (0, 0)
    chunk = max(1, PAIRS_AT_ONCE // len(ordered))
    for start in range(0, len(first.sums), chunk):
        block = first.sums[start : start + chunk]
        fits = np.ones((len(block), len(ordered)), dtype=bool)
        for position, value in enumerate(goal):
            fits &= ordered[:, position] <= (value - block[:, position])[:, None]
        # The empty sum always fits, so every row has a first fitting partner: the one with the largest total.
        partner = fits.argmax(axis=1)
        reached = block.sum(axis=1) + totals[order[partner]]
        row = int(reached.argmax())
        if int(reached[row]) > best:
            best, found = int(reached[row]), (start + row, int(order[partner[row]]))
    return found


def exact_pair(first: HalfSums, second: HalfSums, wanted: int) -> tuple[int, int] | None:
    """Two sums whose keys add up to the wanted key, by binary search; None where there are none."""
    needles = wanted - first.keys
    places = np.searchsorted(second.keys, needles)
    places[places == len(second.keys)] = 0
    hits = np.flatnonzero(second.keys[places] == needles)
    return (int(hits[0]), int(places[hits[0]])) if len(hits) else None


def ways_to_miss(number: int, limits: Integers) -> Iterator[tuple[int, ...]]:
    """Yield every way to spread `number` missing examples over the classes, each class at most its limit."""
    if len(limits) == 1:
        if number <= limits[0]:
            yield (number,)
        return
    for here in range(min(number, int(limits[0])) + 1):
        for rest in ways_to_miss(number - here, limits[1:]):
            yield (here, *rest)
