"""Two models on the same templates: would the difference survive if each template's models were exchanged at random?"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Places = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]
Floats = npt.NDArray[np.float64]

LEVEL = 0.05
FEWEST = 5
NO_DIFFERENCE = "the models do not differ on any template"
TOO_FEW = f"too few templates to tell: fewer than {FEWEST} differ"


def template_differences(right: Flags, other_right: Flags, clusters: Places) -> Places:
    """By template: cases that only the first model gets right, minus cases that only the second gets right."""
    _, of_case = np.unique(clusters, return_inverse=True)
    ahead = right.astype(np.int64) - other_right.astype(np.int64)
    return np.bincount(of_case, weights=ahead).astype(np.int64)


def template_sizes(clusters: Places) -> Places:
    """Cases by template, in the order of `template_differences`."""
    return np.unique(clusters, return_counts=True)[1]


def sign_flip_p(differences: Places) -> float | None:
    """Two-sided p value of the sum of template differences when each one's sign is left to a coin.

    None below five templates that differ. Whole numbers add up to few different sums, so the distribution over all
    2^templates signs is computed exactly, template by template, whatever their number: nothing is drawn.
    """
    steps = np.abs(differences[differences != 0])
    if len(steps) < FEWEST:
        return None
    observed = abs(int(differences.sum()))
    if not observed:
        return 1.0
    return min(1.0, 2 * float(chances_of_sums(steps)[int(steps.sum()) + observed :].sum()))


def chances_of_sums(steps: Places, *, forward: float = 0.5) -> Floats:
    """The chance of each sum, from minus to plus the sum of the steps, when each step goes forward with a chance."""
    reach = int(steps.sum())
    chances = np.zeros(2 * reach + 1)
    chances[reach] = 1.0
    low, high = reach, reach + 1
    for step in np.sort(steps).tolist():
        so_far = chances[low:high].copy()
        chances[low:high] = 0.0
        chances[low - step : high - step] += (1 - forward) * so_far
        chances[low + step : high + step] += forward * so_far
        low, high = low - step, high + step
    return chances


def why_no_p(differences: Places) -> str:
    """The reason why there is no p value; empty where there is one."""
    informative = int(np.count_nonzero(differences))
    if informative >= FEWEST:
        return ""
    return TOO_FEW if informative else NO_DIFFERENCE
