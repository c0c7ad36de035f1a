"""The pass rate of each functionality for each group: the cells of a heat map."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. `rate` is None where nothing was decided; undecided messages count in no rate."""

    functionality: str
    group: str
    passed: int
    failed: int
    undecided: int

    @property
    def rate(self) -> float | None:
        decided = self.passed + self.failed
        return self.passed / decided if decided else None


def pass_rates(outcomes: Iterable[tuple[str, str, bool | None]]) -> list[Cell]:
    """Return cells from (functionality, group, passed), in the order in which they first occur."""
    counts: dict[tuple[str, str], list[int]] = {}
    for functionality, group, passed in outcomes:
        cell = counts.setdefault((functionality, group), [0, 0, 0])
        cell[2 if passed is None else (0 if passed else 1)] += 1
    return [Cell(functionality, group, *cell) for (functionality, group), cell in counts.items()]
