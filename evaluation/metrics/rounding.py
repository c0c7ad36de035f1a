"""Numbers as the published tables print them: exact fractions, half to even."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction


def percent(correct: int, cases: int, *, decimals: int = 1) -> Decimal | None:
    """A share in percent, rounded half to even on the exact fraction: 1 of 16 is 6.2. None for no case."""
    if not cases:
        return None
    return round_exactly(Fraction(100 * correct, cases), decimals=decimals)


def round_exactly(value: Fraction, *, decimals: int) -> Decimal:
    """Round an exact fraction half to even; the result keeps its trailing zeros."""
    return Decimal(round(value * 10**decimals)).scaleb(-decimals)
