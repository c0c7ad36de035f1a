"""All combinations of templates, or a seeded sample in which every group and every stratum has its share."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from generation.checks.algorithm.duplicates import DuplicateIndex
from generation.expansion.plans import Combination, Plan, count_plans


@dataclass(frozen=True, slots=True)
class Filled:
    """A combination with its text."""

    combination: Combination
    text: str


@dataclass(slots=True)
class Expansion:
    """The texts of an expansion, and what was left out: near duplicates, and texts that would unbalance the groups."""

    filled: list[Filled] = field(default_factory=list)
    near_duplicates: int = 0
    left_out_for_balance: int = 0
    was_stopped: bool = False

    @property
    def by_group(self) -> dict[str, int]:
        counts: dict[str, int] = {}
        for item in self.filled:
            counts[item.combination.group] = counts.get(item.combination.group, 0) + 1
        return counts


def expand(
    plans: Sequence[Plan],
    *,
    render: Callable[[Combination], str | None],
    size: int | None = None,
    seed: int = 0,
    near_duplicate_similarity: float | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Expansion:
    """Fill all combinations, or about `size` of them: evenly over strata, templates and groups.

    Each draw takes one pattern of a template for all its groups at once, so a template's groups stay equally large; a
    sample may therefore exceed `size` by less than one draw. With a similarity, a draw in which a text is nearly one of
    the same group that is already in is left out whole. A combination for which `render` has no text is passed over.
    Refuses a size below 1.
    """
    if size is not None and size < 1:
        raise ValueError("a sample has at least one text")
    total = count_plans(plans).total
    wanted = total if size is None else min(size, total)
    expansion = Expansion()
    seen: dict[str, DuplicateIndex] = {}
    for draw in _draws(plans, random.Random(seed) if size is not None else None):
        if len(expansion.filled) >= wanted:
            break
        if should_stop():
            expansion.was_stopped = True
            break
        filled = [Filled(combination, text) for combination in draw if (text := render(combination)) is not None]
        if near_duplicate_similarity is not None:
            alike = _count_repeats(filled, seen, near_duplicate_similarity)
            if alike:
                expansion.near_duplicates += alike
                expansion.left_out_for_balance += len(filled) - alike
                continue
        expansion.filled.extend(filled)
        on_progress(len(expansion.filled), wanted)
    return expansion


def _count_repeats(filled: Sequence[Filled], seen: dict[str, DuplicateIndex], similarity: float) -> int:
    """Return how many texts of a draw are nearly there already; when none is, all of them are remembered."""
    # The same sentence about two groups is wanted, so texts are compared within their group only.
    indexes = [seen.setdefault(item.combination.group, DuplicateIndex(similarity=similarity)) for item in filled]
    repeats = sum(index.find(item.text) is not None for index, item in zip(indexes, filled, strict=True))
    if not repeats:
        for index, item in zip(indexes, filled, strict=True):
            index.add_all([(item.combination.template, item.text)])
    return repeats


def _draws(plans: Sequence[Plan], chance: random.Random | None) -> Iterator[list[Combination]]:
    """Yield draws of a full expansion in order, or of a sample: round robin over strata, then over templates."""
    if chance is None:
        for plan in plans:
            yield from _draws_of(plan, None)
        return
    strata: dict[str, list[Iterator[list[Combination]]]] = {}
    for plan in plans:
        strata.setdefault(plan.stratum, []).append(_draws_of(plan, chance))
    queues = list(strata.values())
    chance.shuffle(queues)  # a sample that ends in the middle of a round favours no stratum
    for queue in queues:
        chance.shuffle(queue)
    while queues:
        for queue in list(queues):
            draw = None
            while queue and draw is None:
                source = queue.pop(0)
                draw = next(source, None)
                if draw is not None:
                    queue.append(source)
            if draw is None:
                queues.remove(queue)
            else:
                yield draw


def _draws_of(plan: Plan, chance: random.Random | None) -> Iterator[list[Combination]]:
    """Return one combination per group at a time. Groups with fewer combinations drop out when theirs are used up."""
    sizes = {group: plan.count_for(group) for group in plan.groups}
    largest = max(sizes.values(), default=0)
    aligned = len(set(sizes.values())) == 1
    order = _shuffled(largest, chance)
    if aligned:
        for number in order:
            yield [plan.combination(group, number) for group in sizes]
        return
    orders = {group: list(_shuffled(size, chance)) for group, size in sizes.items()}
    for position in range(largest):
        yield [
            plan.combination(group, numbers[position]) for group, numbers in orders.items() if position < len(numbers)
        ]


def _shuffled(size: int, chance: random.Random | None) -> Iterator[int]:
    """Yield the numbers below `size`, in order or shuffled without a list: Fisher-Yates on a sparse table."""
    if chance is None:
        yield from range(size)
        return
    moved: dict[int, int] = {}
    for left in range(size - 1, -1, -1):
        pick = chance.randint(0, left)
        yield moved.get(pick, pick)
        moved[pick] = moved.pop(left, left)
