"""Krippendorff's alpha, for labels (nominal) and for scales (ordinal, interval)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np
import numpy.typing as npt

from annotation.agreement.measured import Measured, as_counts

Level = Literal["nominal", "ordinal", "interval"]

NO_PAIR = "no case has two labels yet, so there is nothing to compare"
ONE_VALUE = "all comparable labels are one and the same value, so there is no variation to explain"


def krippendorff_alpha(
    table: npt.ArrayLike, *, level: Level = "nominal", values: Sequence[float] | None = None
) -> Measured:
    """Krippendorff's alpha of a vote table; cases with fewer than two labels do not count.

    `values` are the numbers behind the columns, in rising order (default 0, 1, 2, ...); they matter on scales.
    Refuses values that are not in rising order.
    """
    counts = as_counts(table)
    domain = np.arange(counts.shape[1], dtype=float) if values is None else np.asarray(values, dtype=float)
    if len(domain) != counts.shape[1] or (np.diff(domain) <= 0).any():
        raise ValueError("values needs one number per column of the table, in rising order")
    counts = counts[counts.sum(axis=1) >= 2]
    if not len(counts):
        return Measured.undefined(NO_PAIR)
    if np.count_nonzero(counts.sum(axis=0)) < 2:
        return Measured.undefined(ONE_VALUE)
    import krippendorff

    return Measured(float(krippendorff.alpha(value_counts=counts, value_domain=domain, level_of_measurement=level)))
