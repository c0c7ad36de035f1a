"""Distinct-n: the share of n-grams that are different from all others (Li et al. 2016)."""

from collections.abc import Sequence


def distinct(texts: Sequence[Sequence[str]], order: int) -> float | None:
    """Return different n-grams over all n-grams of a set; None when no text is long enough to have one.

    Refuses an order below 1.
    """
    if order < 1:
        raise ValueError("the order of an n-gram is 1 or more")
    total = 0
    different: set[tuple[str, ...]] = set()
    for text in texts:
        grams = list(zip(*(text[shift:] for shift in range(order)), strict=False))
        total += len(grams)
        different.update(grams)
    return len(different) / total if total else None
