"""How good the validator is: its verdicts held against what people said (GPT-HateCheck, table 7)."""

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Validity:
    """Labelled messages by what the validator and people said; shares are None where nothing is counted.

    `unfiltered` is the share of valid messages before the validator, `precision` after it: the two columns of table 7.
    """

    valid_kept: int
    valid_rejected: int
    invalid_kept: int
    invalid_rejected: int

    @property
    def labelled(self) -> int:
        return self.valid_kept + self.valid_rejected + self.invalid_kept + self.invalid_rejected

    @property
    def unfiltered(self) -> float | None:
        return _share(self.valid_kept + self.valid_rejected, self.labelled)

    @property
    def precision(self) -> float | None:
        return _share(self.valid_kept, self.valid_kept + self.invalid_kept)

    @property
    def recall(self) -> float | None:
        return _share(self.valid_kept, self.valid_kept + self.valid_rejected)

    @property
    def precision_ci95(self) -> tuple[float, float] | None:
        return _interval(self.valid_kept, self.valid_kept + self.invalid_kept)

    @property
    def recall_ci95(self) -> tuple[float, float] | None:
        return _interval(self.valid_kept, self.valid_kept + self.valid_rejected)

    def as_json(self) -> dict[str, object]:
        """Return all counts and shares."""
        names = ("labelled", "valid_kept", "valid_rejected", "invalid_kept", "invalid_rejected")
        shares = ("unfiltered", "precision", "recall", "precision_ci95", "recall_ci95")
        return {name: getattr(self, name) for name in (*names, *shares)}


def validity_of(outcomes: Iterable[tuple[bool, bool]]) -> Validity:
    """Count pairs of (the validator keeps it, people call it valid)."""
    counts = {(kept, valid): 0 for kept in (True, False) for valid in (True, False)}
    for kept, valid in outcomes:
        counts[kept, valid] += 1
    return Validity(counts[True, True], counts[False, True], counts[True, False], counts[False, False])


def majority_says(labels: Iterable[str], *, valid: str) -> bool:
    """Return whether more than half of the labels are the valid one."""
    given = list(labels)
    return 2 * given.count(valid) > len(given)


def _interval(part: int, whole: int) -> tuple[float, float] | None:
    from core.statistics.intervals import wilson

    return wilson(part, whole)


def _share(part: int, whole: int) -> float | None:
    return part / whole if whole else None
