"""Holm's correction for several tests at once."""

from __future__ import annotations

import gc
from collections.abc import Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """p values adjusted so that the chance of even one false alarm stays below the chosen level."""
    if not p_values:
        return {}
    from statsmodels.stats.multitest import multipletests

    # statsmodels collects garbage in every call, 0.1 s in a process of this size; frozen objects are skipped. What is
    # frozen already stays so: a worker that was forked shares it with its parent.
    is_ours = not gc.get_freeze_count()
    if is_ours:
        gc.freeze()
    try:
        adjusted = multipletests(list(p_values.values()), method="holm")[1]
    finally:
        if is_ours:
            gc.unfreeze()
    return dict(zip(p_values, map(float, adjusted), strict=True))
