"""The interval of the difference of two models, over templates."""

from __future__ import annotations

from math import sqrt

import numpy as np
import numpy.typing as npt

from evaluation.metrics.clustered.shares import ratio_variance, t_quantile
from evaluation.metrics.intervals import Bounds

Places = npt.NDArray[np.int64]


def difference_interval(differences: Places, cases: Places) -> Bounds | None:
    """95% interval of a difference in accuracy, from the differences and the numbers of cases by template.

    Student's t with the variance between templates. None for fewer than two templates, and where templates show no
    variance, also because the models never differ: how sure that is cannot be told from them.
    """
    templates, n = len(cases), int(cases.sum())
    if templates < 2:
        return None
    error = sqrt(ratio_variance(differences.astype(float), cases.astype(float)))
    if error < 1e-12:
        return None
    difference = int(differences.sum()) / n
    half = t_quantile(templates - 1) * error
    return max(-1.0, difference - half), min(1.0, difference + half)
