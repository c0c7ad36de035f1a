"""Which numbers can be a seed: those that every generator takes."""

from __future__ import annotations

from curation.errors import BadInput

LARGEST = 2**32 - 1


def require_seed(seed: int) -> int:
    """The seed itself. Refuses one that a generator would not take."""
    if not 0 <= seed <= LARGEST:
        raise BadInput(f"A seed is a whole number from 0 to {LARGEST:,}, not {seed}.")
    return seed
