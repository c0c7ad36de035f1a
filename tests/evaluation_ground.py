"""Models that tests run: plain functions, named in the settings of the test."""

from __future__ import annotations

import time


def by_word(texts: list[str]) -> list[float]:
    """Right about every case of the small suite."""
    return [0.9 if "dislike" in text else 0.1 for text in texts]


def always_hateful(texts: list[str]) -> list[str]:
    return ["hateful"] * len(texts)


def slow(texts: list[str]) -> list[str]:
    """Slow enough to be killed in the middle."""
    time.sleep(0.05 * len(texts))
    return ["hateful" if "dislike" in text else "non-hateful" for text in texts]
