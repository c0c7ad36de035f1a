"""The colour behind an accuracy in documents: pale to deep blue in even steps of lightness."""

from __future__ import annotations

HUE = 250  # degrees in OKLCH
DARK = 0.74  # from here on white letters are easier to read than black ones


def lightness_and_chroma(share: float) -> tuple[float, float]:
    return round(0.97 - 0.55 * share, 3), round(0.02 + 0.1 * share, 3)


def wants_white_letters(share: float) -> bool:
    return share > DARK
