"""Holm's correction for several tests at once."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TypeVar

Key = TypeVar("Key", bound=Hashable)


def holm(p_values: Mapping[Key, float]) -> dict[Key, float]:
    """p values adjusted so that the chance of even one false alarm stays below the chosen level."""
    adjusted: dict[Key, float] = {}
    so_far = 0.0
    for place, (key, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        so_far = max(so_far, min(1.0, p * (len(p_values) - place)))
        adjusted[key] = so_far
    return {key: adjusted[key] for key in p_values}
