"""The smallest difference between two models that a suite's templates could show."""

from __future__ import annotations

import numpy as np

from evaluation.metrics.clustered.sign_flips import LEVEL, Places, chances_of_sums

POWER = 0.8
HALVINGS = 14  # to a sixteen-thousandth of the largest difference there could be


def smallest_detectable_difference(
    differences: Places, cases: int, *, level: float = LEVEL, power: float = POWER
) -> float | None:
    """Smallest difference in accuracy that the sign-flip test finds with the given power.

    `differences` are those of the templates: they tell on how many templates two such models differ, and by how many
    cases. Each of these goes to the better model with the same chance, and the power is exact. None where even the
    difference that goes to one model on every template would be missed: too few templates differ to tell.
    """
    steps = np.abs(differences[differences != 0])
    if not len(steps):
        return None
    tails = 2 * np.cumsum(chances_of_sums(steps)[::-1])[::-1]
    significant = int(np.argmax(tails < level))  # the smallest sum that is called a finding
    if tails[significant] >= level:
        return None
    low, high = 0.5, 1.0
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        is_found = chances_of_sums(steps, forward=middle)[significant:].sum() >= power
        low, high = (low, middle) if is_found else (middle, high)
    return (2 * high - 1) * float(steps.sum()) / cases
