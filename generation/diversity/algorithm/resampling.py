"""Two sets of different size compared fairly: equally large samples for the figures, disjoint ones for the test."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from core.text import ngettext
from generation.diversity.algorithm.self_bleu import Tokens, self_bleu

MOST_BLOCKS = 8  # of each set: C(16, 8) = 12,870 ways to exchange them, all of which are tried
FEWEST_BLOCKS = 4  # with three of each set, no result can be significant at 5 %
TEXTS_PER_BLOCK = 10
TOO_FEW = ngettext(
    "a test needs at least %(count)s text in each set",
    "a test needs at least %(count)s texts in each set",
    FEWEST_BLOCKS * TEXTS_PER_BLOCK,
)


@dataclass(frozen=True, slots=True)
class Samples:
    """The measure of one set on each of its samples. A set of exactly the common size has one sample: itself."""

    size: int
    seeds: tuple[int, ...]
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        return fmean(self.values)

    @property
    def deviation(self) -> float:
        """Population standard deviation over the samples, as the paper reports it."""
        return pstdev(self.values)


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two sets side by side. `p` is None where it is undefined, and `reason` says why.

    The samples show the size of the measure and overlap; the test uses `blocks` disjoint parts of each set.
    """

    first: Samples
    second: Samples
    p: float | None
    blocks: int = 0
    reason: str = ""


def sample_measure(
    texts: Sequence[Tokens],
    *,
    size: int,
    measure: Callable[[Sequence[Tokens]], float],
    repeats: int = 10,
    seed: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
) -> Samples:
    """Measure `repeats` random samples of `size` texts, drawn without repetition with the seeds seed, seed + 1, ...

    Refuses a size that the set does not have.
    """
    if not 0 < size <= len(texts):
        raise ValueError(f"a sample of {size} cannot be drawn from {len(texts)} texts")
    if size == len(texts):
        return Samples(size=size, seeds=(), values=(measure(texts),))
    seeds: list[int] = []
    values: list[float] = []
    for number in range(seed, seed + repeats):
        if values and should_stop():
            break
        seeds.append(number)
        values.append(measure(random.Random(number).sample(list(texts), size)))
    return Samples(size=size, seeds=tuple(seeds), values=tuple(values))


def compare_self_bleu(
    first: Sequence[Tokens],
    second: Sequence[Tokens],
    *,
    order: int = 4,
    smoothing: str = "method0",
    repeats: int = 10,
    seed: int = 0,
    should_stop: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Compare the self-BLEU of two sets on samples as large as the smaller set, and test the difference."""

    def measure(texts: Sequence[Tokens]) -> float:
        return self_bleu(texts, orders=[order], smoothing=smoothing).mean(order)

    size = min(len(first), len(second))
    one, other = (
        sample_measure(texts, size=size, measure=measure, repeats=repeats, seed=seed, should_stop=should_stop)
        for texts in (first, second)
    )
    tested = p_values_of_difference(first, second, orders=[order], smoothing=smoothing, seed=seed)
    if tested is None:
        return Comparison(one, other, None, reason=TOO_FEW)
    blocks, p_by_order = tested
    return Comparison(one, other, p_by_order[order], blocks)


def p_values_of_difference(
    first: Sequence[Tokens], second: Sequence[Tokens], *, orders: Sequence[int], smoothing: str, seed: int = 0
) -> tuple[int, Mapping[int, float]] | None:
    """Return the number of blocks and a p value per order; None where the sets are too small.

    Each set is cut at random into equally large, disjoint blocks, and self-BLEU is measured in each. If the sets do
    not differ, every way of dealing the blocks out to two sets is as likely as the real one: the p value is the share
    of ways whose means differ at least as much. Overlapping samples, as in the paper, would not be independent.
    """
    from scipy import stats

    size = min(len(first), len(second))
    blocks = min(MOST_BLOCKS, size // TEXTS_PER_BLOCK)
    if blocks < FEWEST_BLOCKS:
        return None
    measured = [
        [self_bleu(block, orders=orders, smoothing=smoothing) for block in _blocks(texts, blocks, size // blocks, seed)]
        for texts in (first, second)
    ]
    found = {}
    for order in orders:
        one, other = ([scores.mean(order) for scores in of_set] for of_set in measured)
        tested = stats.permutation_test(
            (one, other),
            lambda x, y, axis: x.mean(axis=axis) - y.mean(axis=axis),
            vectorized=True,
            n_resamples=20_000,  # more than there are ways: all of them are counted
        )
        found[order] = float(tested.pvalue)
    return blocks, found


def _blocks(texts: Sequence[Tokens], count: int, size: int, seed: int) -> list[Sequence[Tokens]]:
    drawn = random.Random(seed).sample(list(texts), count * size)
    return [drawn[start : start + size] for start in range(0, count * size, size)]
