"""One seed, many independent streams: what one attack draws never depends on which attacks ran before it."""

from __future__ import annotations

import hashlib
from random import Random


def stream(seed: int, name: str) -> Random:
    """A generator of its own for each name, the same for the same seed and name on every machine."""
    digest = hashlib.sha256(f"{seed}/{name}".encode()).digest()
    return Random(int.from_bytes(digest[:16], "big"))
