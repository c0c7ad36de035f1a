"""Whether members of a group give other values than the others do on the same cases. The unit is the person."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from core.statistics.intervals import Bounds, Flags, Floats, Places
from core.statistics.shares import t_quantile

DRAWS = 2000
AT_ONCE = 200  # permutations per step, so that a large crowd fits into memory
NOTHING = 1e-9


@dataclass(frozen=True, slots=True)
class Shift:
    """How much higher the values of a group are than those of the others on the same cases; None without such cases."""

    difference: float | None
    interval: Bounds | None = None
    p_value: float | None = None


class Membership:
    """One group against all others: who said something about which case. Several values of it share the work.

    `who` and `case` number the person and the case of each value; `is_member` says which persons are in the group.
    """

    def __init__(self, who: Places, case: Places, is_member: Flags, *, seed: int, draws: int = DRAWS) -> None:
        from scipy import sparse

        self._who, self._case, self._draws, self._seed = who, case, draws, seed
        self._members = is_member.astype(float)
        self._cases, self._people = int(case.max(initial=-1)) + 1, len(is_member)
        self._per_case = np.maximum(np.bincount(case, minlength=self._cases), 1).astype(float)
        self._values_of = np.bincount(who, minlength=self._people).astype(float)
        shape = self._cases, self._people
        self._met = sparse.csr_matrix((np.ones(len(who)), (case, who)), shape=shape)
        self._shuffled: list[tuple[Floats, Floats]] | None = None

    def shift(self, values: Floats) -> Shift:
        """Return how much higher the values of members are than those of others, within cases.

        This is the slope of a regression with one constant per case, so that a group that happened to get harder cases
        does not look different. The interval counts persons as clusters, with as many degrees of freedom as the
        smaller side has persons less one; the p value is that of shuffling who is a member.
        """
        if not len(values):
            return Shift(None)
        centred = values - (np.bincount(self._case, weights=values, minlength=self._cases) / self._per_case)[self._case]
        per_person = np.bincount(self._who, weights=centred, minlength=self._people)
        [spread] = self._spread(self._members[:, None])
        if spread <= NOTHING:
            return Shift(None)
        slope = float(per_person @ self._members / spread)
        smaller = int(min(self._members.sum(), self._people - self._members.sum()))
        if smaller < 2:
            return Shift(slope)
        reach = t_quantile(smaller - 1) * self._error(centred, slope)
        widest = float(np.ptp(values))
        bounds = max(-widest, slope - reach), min(widest, slope + reach)
        as_far = sum(
            int(np.count_nonzero(np.abs(per_person @ members / spreads) >= abs(slope) - 1e-12))
            for members, spreads in self._shuffles()
        )
        return Shift(slope, bounds, (as_far + 1) / (self._draws + 1))

    def _spread(self, membership: Floats) -> Floats:
        """Return how much membership varies within cases, for each column; 0 where no case has values of both sides."""
        squares = np.asarray(self._met @ membership) ** 2 / self._per_case[:, None]
        found: Floats = self._values_of @ membership - squares.sum(axis=0)
        return found

    def _error(self, centred: Floats, slope: float) -> float:
        share = np.asarray(self._met @ self._members) / self._per_case
        off = self._members[self._who] - share[self._case]
        scores = np.bincount(self._who, weights=off * (centred - slope * off), minlength=self._people)
        people, values = self._people, len(centred)
        # As many values as there are cases are used up by the constants; without this, intervals cover 91 %, not 95 %.
        correction = people / (people - 1) * (values - 1) / max(values - self._cases - 1, 1)
        return float(np.sqrt((scores @ scores) * correction) / (off @ off))

    def _shuffles(self) -> list[tuple[Floats, Floats]]:
        """Return who is a member after each shuffle, with the spread of that, which no value changes."""
        if self._shuffled is None:
            self._shuffled = list(self._shuffle())
        return self._shuffled

    def _shuffle(self) -> Iterator[tuple[Floats, Floats]]:
        generator = np.random.default_rng(self._seed)
        for start in range(0, self._draws, AT_ONCE):
            often = min(AT_ONCE, self._draws - start)
            members = generator.permuted(np.tile(self._members, (often, 1)), axis=1).T
            spreads = self._spread(members)
            yield members, np.where(spreads > NOTHING, spreads, np.inf)
