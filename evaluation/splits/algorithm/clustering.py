"""k-means for every k of a range at once: the work that does not depend on k is done once.

A k-means++ sequence of fifty starting points begins with a k-means++ sequence of any smaller number, so each
initialisation draws one sequence for the largest k and every k takes its beginning. Runs are spread over threads, each
run computes on one thread, so the result is the same on any number of cores.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from core.text import _

Vectors = NDArray[np.float32]
Labels = NDArray[np.int32]
Progress = Callable[[int, int], None]
PAPER_RANGE = range(3, 51)
TOLERANCE = 1e-4


@dataclass(frozen=True, slots=True)
class Clustering:
    """The best of several runs for one k: the cluster of each example, the centres, the sum of squared distances."""

    k: int
    labels: Labels
    centres: Vectors
    inertia: float


def cluster_all(
    vectors: NDArray[np.floating],
    *,
    ks: Iterable[int] = PAPER_RANGE,
    seed: int = 42,
    initialisations: int = 10,
    iterations: int = 300,
    threads: int | None = None,
    progress: Progress | None = None,
) -> list[Clustering]:
    """Return one clustering per k, smallest k first: the run of lowest inertia among `initialisations`.

    Refuses vectors that are not a table of finite numbers, and a k below 1 or above the number of examples.
    """
    wanted = sorted(set(ks))
    table = _checked(vectors, wanted)
    work = _Work.prepare(table)
    jobs = [(start, k) for start in range(initialisations) for k in wanted]
    starts = [_draw_starts(work, wanted[-1], np.random.default_rng([seed, start])) for start in range(initialisations)]
    best: dict[int, Clustering] = {}
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    with threadpool_limits(limits=1), ThreadPoolExecutor(threads or os.cpu_count() or 1) as pool:
        runs = pool.map(lambda job: _lloyd(work, starts[job[0]][: job[1]], iterations), jobs)
        for done, run in enumerate(runs, start=1):
            if run.k not in best or run.inertia < best[run.k].inertia:
                best[run.k] = run
            if progress is not None:
                progress(done, len(jobs))
    return [_uncentred(best[k], work) for k in wanted]


def class_counts(labels: Labels, classes: NDArray[np.integer], *, k: int, class_count: int) -> NDArray[np.int64]:
    """Return how many examples of each class each cluster holds: one row per cluster, one column per class."""
    flat = np.bincount(labels.astype(np.int64) * class_count + classes, minlength=k * class_count)
    return flat.reshape(k, class_count)


@dataclass(frozen=True, slots=True)
class _Work:
    """What every run shares: the vectors moved to their mean, which keeps single precision exact enough, and norms."""

    vectors: Vectors
    squares: Vectors
    mean: Vectors
    tolerance: float

    @classmethod
    def prepare(cls, table: Vectors) -> _Work:
        mean = table.mean(axis=0, dtype=np.float64).astype(np.float32)
        moved = np.ascontiguousarray(table - mean)
        variance = float(moved.var(axis=0, dtype=np.float64).mean())
        return cls(moved, np.einsum("ij,ij->i", moved, moved), mean, TOLERANCE * variance)


def _checked(vectors: NDArray[np.floating], ks: Sequence[int]) -> Vectors:
    if vectors.ndim != 2 or not len(vectors):
        raise ValueError("vectors need two dimensions: one row per example")
    if not np.isfinite(vectors).all():
        row = int(np.argmax(~np.isfinite(vectors).all(axis=1)))
        raise ValueError(_("The vector of example %(row)s has a value that is not a finite number.", row=str(row)))
    if not ks or ks[0] < 1 or ks[-1] > len(vectors):
        raise ValueError(
            _(
                "The number of clusters must be between 1 and the number of examples, %(examples)s.",
                examples=len(vectors),
            )
        )
    return np.ascontiguousarray(vectors, dtype=np.float32)


def _draw_starts(work: _Work, k: int, random: np.random.Generator) -> Vectors:
    chosen = np.empty((k, work.vectors.shape[1]), dtype=np.float32)
    nearest = np.full(len(work.vectors), np.inf, dtype=np.float64)
    for position in range(k):
        total = nearest.sum() if position else 0.0
        if total > 0:
            pick = int(np.searchsorted(np.cumsum(nearest), random.random() * total))
        else:
            pick = int(random.integers(len(work.vectors)))
        chosen[position] = work.vectors[min(pick, len(work.vectors) - 1)]
        distance = work.squares - 2 * (work.vectors @ chosen[position]) + chosen[position] @ chosen[position]
        np.minimum(nearest, np.maximum(distance, 0), out=nearest)
    return chosen


def _lloyd(work: _Work, starts: Vectors, iterations: int) -> Clustering:
    centres = starts.copy()
    k = len(centres)
    labels = np.full(len(work.vectors), -1, dtype=np.int64)
    for _step in range(iterations):
        scores = _scores(work, centres)
        moved = scores.argmax(axis=1)
        if np.array_equal(moved, labels):
            break
        labels = moved
        updated = _means(work, labels, k, scores)
        shift = float(((updated - centres) ** 2).sum())
        centres = updated
        if shift <= work.tolerance:
            break
    scores = _scores(work, centres)
    labels = scores.argmax(axis=1)
    best = np.take_along_axis(scores, labels[:, None], axis=1)[:, 0]
    inertia = float((work.squares.astype(np.float64) - 2 * best).clip(min=0).sum())
    return Clustering(k, labels.astype(np.int32), centres, inertia)


def _scores(work: _Work, centres: Vectors) -> Vectors:
    # argmax of x.c - c.c/2 is argmin of the distance: one product less per iteration.
    scores: Vectors = work.vectors @ centres.T
    scores -= np.einsum("ij,ij->i", centres, centres) / 2
    return scores


def _means(work: _Work, labels: NDArray[np.int64], k: int, scores: Vectors) -> Vectors:
    from scipy.sparse import csr_matrix

    sizes = np.bincount(labels, minlength=k)
    if not sizes.all():
        # An empty cluster takes over the example that fits its own cluster worst.
        fit = work.squares - 2 * np.take_along_axis(scores, labels[:, None], axis=1)[:, 0]
        for empty, worst in zip(np.flatnonzero(sizes == 0), np.argsort(-fit, kind="stable"), strict=False):
            labels[worst] = empty
        sizes = np.maximum(np.bincount(labels, minlength=k), 1)
    rows = np.arange(len(labels) + 1)
    members = csr_matrix((np.ones(len(labels), dtype=np.float32), labels, rows), shape=(len(labels), k))
    sums = members.T @ work.vectors
    return np.asarray(sums / sizes[:, None], dtype=np.float32)


def _uncentred(run: Clustering, work: _Work) -> Clustering:
    return Clustering(run.k, run.labels, run.centres + work.mean, run.inertia)
