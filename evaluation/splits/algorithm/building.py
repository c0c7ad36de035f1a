"""From labels and vectors to checked splits: one call per data set, clusters shared by the methods that need them."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from core.text import _
from evaluation.splits.algorithm.baselines import choose_at_random, choose_least_likely
from evaluation.splits.algorithm.closest import choose_closest
from evaluation.splits.algorithm.clustering import PAPER_RANGE, Clustering, cluster_all
from evaluation.splits.algorithm.subset_split import Choice, choose_by_subset_sum
from evaluation.splits.algorithm.values import Method, Split, checked, class_targets, encode, set_aside

Progress = Callable[[str, int, int], None]


def build_splits(
    labels: Sequence[str],
    *,
    methods: Sequence[Method],
    vectors: NDArray[np.floating] | None = None,
    likelihoods: Sequence[float] | None = None,
    share: float = 0.1,
    independent_share: float = 0.0,
    independent_seed: int | None = None,
    seed: int = 42,
    ks: Iterable[int] = PAPER_RANGE,
    initialisations: int = 10,
    iterations: int = 300,
    threads: int | None = None,
    progress: Progress | None = None,
) -> dict[Method, Split]:
    """One split per method, all with the same test size, class counts and independent part, which is set aside first.

    The independent part is drawn by a seed of its own (`seed` where it is None), so that splits of different seeds can
    be tested on the same one. Latent methods (subset_sum, closest) need `vectors`, likelihood needs `likelihoods`, both
    one per example. The same input and seed give the same splits.
    """
    rest, aside = set_aside(
        labels, share=independent_share, seed=seed if independent_seed is None else independent_seed
    )
    kept = [labels[row] for row in rest]
    targets = class_targets(kept, share=share)
    names, codes = encode(kept)
    goal = [targets[name] for name in names]
    report = progress or (lambda step, done, total: None)
    clusterings: list[Clustering] = []
    table: NDArray[np.floating] = np.zeros((0, 0))
    if {"subset_sum", "closest"} & set(methods):
        table = _vectors_of(vectors, rest, len(labels))
        usable = [k for k in ks if k <= len(rest)]
        clusterings = cluster_all(
            table,
            ks=usable,
            seed=seed,
            initialisations=initialisations,
            iterations=iterations,
            threads=threads,
            progress=lambda done, total: report(_("clustering"), done, total),
        )
    splits: dict[Method, Split] = {}
    for done, method in enumerate(methods):
        report(_("choosing the test set"), done, len(methods))
        choice: Choice | None = None
        if method == "random":
            test = choose_at_random(kept, targets, seed=seed)
        elif method == "likelihood":
            if likelihoods is None:
                raise ValueError("the likelihood split needs one log-likelihood per example")
            test = choose_least_likely(kept, targets, scores=[likelihoods[row] for row in rest])
        elif method == "subset_sum":
            choice = choose_by_subset_sum(codes, goal, clusterings, seed=seed)
            test = choice.test
        else:
            choice = choose_closest(table, codes, goal, clusterings)
            test = choice.test
        splits[method] = checked(_split(method, seed, rest, aside, test, targets, choice), labels)
    report(_("done"), len(methods), len(methods))
    return splits


def _split(
    method: Method,
    seed: int,
    rest: list[int],
    aside: list[int],
    test: list[int],
    targets: dict[str, int],
    choice: Choice | None,
) -> Split:
    chosen = set(test)
    split = Split(
        method=method,
        seed=seed,
        train=tuple(row for position, row in enumerate(rest) if position not in chosen),
        test=tuple(rest[position] for position in test),
        independent=tuple(aside),
        target=targets,
    )
    if choice is None:
        return split
    return replace(
        split,
        k=choice.k,
        clusters=choice.clusters,
        whole=choice.whole,
        added=len(test) - choice.whole,
        gap=choice.gap,
        by_k=choice.by_k,
    )


def _vectors_of(vectors: NDArray[np.floating] | None, rest: list[int], expected: int) -> NDArray[np.floating]:
    if vectors is None:
        raise ValueError("latent splits need vectors, one per example")
    if len(vectors) != expected:
        raise ValueError(f"{len(vectors)} vectors for {expected} examples")
    return vectors if len(rest) == expected else vectors[rest]
