"""Who annotated, in aggregate only: a cell with few people is not shown, nor one from which it could be worked out."""

from collections.abc import Mapping

SMALLEST_SHOWN = 5


def suppress_small_cells(counts: Mapping[str, int], *, smallest: int = SMALLEST_SHOWN) -> dict[str, int | None]:
    """The table with None for cells below `smallest`. If only one would be hidden, the next smallest is hidden too.

    The total of a question is known, so a single hidden cell would be the total less the others.
    """
    present = {answer: people for answer, people in counts.items() if people > 0}
    hidden = {answer for answer, people in present.items() if people < smallest}
    if len(hidden) == 1 and len(present) > 1:
        hidden.add(min(present.keys() - hidden, key=lambda answer: (present[answer], answer)))
    return {answer: None if answer in hidden else present[answer] for answer in sorted(present)}
