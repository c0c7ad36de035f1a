"""The order in which somebody meets cases: mixed, and never two of one template in a row where that is possible."""

import random
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Case = TypeVar("Case", bound=Hashable)


def spread_templates(cases: Sequence[Case], *, template_of: Mapping[Case, Hashable | None], seed: int) -> list[Case]:
    """Shuffle the cases so that neighbours come from different templates.

    Where one template has more than half of the cases neighbours cannot all differ; then as few as possible share it.
    Cases without a template (None or missing) may stand anywhere.
    """
    generator = random.Random(seed)
    order = list(cases)
    generator.shuffle(order)
    kinds: list[Hashable] = []
    for number, case in enumerate(order):
        template = template_of.get(case)
        kinds.append(("alone", number) if template is None else ("template", template))
    if _repair(order, kinds, generator):
        return order
    return _interleave(order, kinds)


def _repair(order: list[Case], kinds: list[Hashable], generator: random.Random) -> bool:
    """Swap away the few neighbours that a shuffle leaves. False when some swap cannot be found."""
    for place in range(1, len(order)):
        if kinds[place] != kinds[place - 1]:
            continue
        start = generator.randrange(len(order))
        for step in range(len(order)):
            other = (start + step) % len(order)
            _swap(order, kinds, place, other)
            if _is_apart(kinds, place) and _is_apart(kinds, other):
                break
            _swap(order, kinds, place, other)
        else:
            return False
    return all(_is_apart(kinds, place) for place in range(len(kinds)))


def _is_apart(kinds: Sequence[Hashable], place: int) -> bool:
    return (place == 0 or kinds[place - 1] != kinds[place]) and (
        place == len(kinds) - 1 or kinds[place + 1] != kinds[place]
    )


def _swap(order: list[Case], kinds: list[Hashable], one: int, other: int) -> None:
    order[one], order[other] = order[other], order[one]
    kinds[one], kinds[other] = kinds[other], kinds[one]


def _interleave(order: list[Case], kinds: list[Hashable]) -> list[Case]:
    """Largest template first on every second place, then the places between: provably as far apart as can be."""
    groups: defaultdict[Hashable, list[Case]] = defaultdict(list)
    for case, kind in zip(order, kinds, strict=True):
        groups[kind].append(case)
    by_size = sorted(groups.values(), key=len, reverse=True)
    largest = by_size[0]
    rest = [case for group in by_size[1:] for case in group]
    if len(largest) > len(rest) + 1:
        pairs = [case for pair in zip(largest, rest, strict=False) for case in pair]
        return pairs + largest[len(rest) :]
    places = [*range(0, len(order), 2), *range(1, len(order), 2)]
    spread: dict[int, Case] = dict(zip(places, largest + rest, strict=True))
    return [spread[place] for place in range(len(order))]
