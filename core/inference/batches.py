"""Batches by token budget: texts of like length together, so that hardly any padding is computed."""

from collections.abc import Sequence


def plan_batches(lengths: Sequence[int], *, budget: int) -> list[list[int]]:
    """Positions of the texts, cut so that (longest text x texts) of each batch stays within the budget.

    The longest come first: memory peaks at once or never. A text longer than the budget is a batch of its own.
    """
    if budget < 1:
        raise ValueError(f"the token budget must be at least 1, not {budget}")
    batches: list[list[int]] = []
    longest = 0
    for position in sorted(range(len(lengths)), key=lambda index: -lengths[index]):
        if batches and longest * (len(batches[-1]) + 1) <= budget:
            batches[-1].append(position)
        else:
            longest = max(1, lengths[position])
            batches.append([position])
    return batches
