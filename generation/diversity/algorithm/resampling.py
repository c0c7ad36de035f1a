"""Two sets of different size compared fairly: samples of equal size, their spread, and a t-test."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from statistics import fmean, pstdev

from generation.diversity.algorithm.self_bleu import Tokens, self_bleu


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
    """Two sets side by side. `t` and `p` are None where they are undefined, and `reason` says why."""

    first: Samples
    second: Samples
    t: float | None
    p: float | None
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
    size: int | None = None,
    should_stop: Callable[[], bool] = lambda: False,
) -> Comparison:
    """Compare the self-BLEU of two sets on samples as large as the smaller set (or `size`)."""

    def measure(texts: Sequence[Tokens]) -> float:
        return self_bleu(texts, orders=[order], smoothing=smoothing).mean(order)

    common = size or min(len(first), len(second))
    one, other = (
        sample_measure(texts, size=common, measure=measure, repeats=repeats, seed=seed, should_stop=should_stop)
        for texts in (first, second)
    )
    return compare_samples(one, other)


def compare_samples(first: Samples, second: Samples) -> Comparison:
    """Welch's t-test between two sets of samples, or a one-sample test where one set was measured whole."""
    from scipy import stats

    many, single = (first, second) if len(second.values) == 1 else (second, first)
    if len(many.values) == 1:
        return Comparison(first, second, None, None, "each set was measured once: there is no spread to test against")
    if len(set(first.values)) == 1 and len(set(second.values)) == 1:
        return Comparison(first, second, None, None, "the samples of each set are all equal: there is no spread")
    if len(single.values) == 1:
        result = stats.ttest_1samp(many.values, single.values[0])
        sign = 1.0 if many is first else -1.0
        return Comparison(first, second, sign * float(result.statistic), float(result.pvalue))
    result = stats.ttest_ind(first.values, second.values, equal_var=False)
    return Comparison(first, second, float(result.statistic), float(result.pvalue))
