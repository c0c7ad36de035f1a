"""A value that may be undefined, and then says why."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Measured:
    """A number, or None with the reason why there is none."""

    value: float | None
    reason: str = ""

    @classmethod
    def undefined(cls, reason: str) -> Measured:
        return cls(None, reason)

    @property
    def is_defined(self) -> bool:
        return self.value is not None


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95% interval, or None with the reason why there is none."""

    bounds: tuple[float, float] | None
    reason: str = ""

    @classmethod
    def undefined(cls, reason: str) -> Interval:
        return cls(None, reason)


def as_counts(table: npt.ArrayLike) -> Counts:
    """Check a vote table: one row per case, one column per label, whole numbers from 0.

    Refuses anything that is not a table of whole, non-negative numbers.
    """
    given = np.asarray(table)
    if given.size == 0:
        return np.zeros((0, given.shape[1] if given.ndim == 2 else 0), dtype=np.int64)
    if given.ndim != 2:
        raise ValueError("a vote table has one row per case and one column per label")
    counts = given.astype(np.int64, copy=False)
    is_whole = given.dtype.kind in "iu" or np.array_equal(counts, given)
    if not is_whole or counts.min() < 0:
        raise ValueError("a vote table holds whole numbers of votes, never less than 0")
    return counts
