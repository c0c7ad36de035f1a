"""The closest split: a far-off cluster, its nearest neighbours while they fit, then the nearest single examples."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from evaluation.splits.algorithm.clustering import Clustering, Vectors, class_counts
from evaluation.splits.algorithm.subset_split import Choice


def choose_closest(
    vectors: NDArray[np.floating], codes: NDArray[np.int64], target: Sequence[int], clusterings: Sequence[Clustering]
) -> Choice:
    """Return the k that leaves the fewest single examples to add (the smallest such k), and the test set it gives.

    Similarity is the cosine throughout. Where no cluster fits for any k, the test set consists of the examples nearest
    to the farthest cluster of the smallest k.
    """
    if not clusterings:
        raise ValueError("give the clustering of at least one k")
    goal = np.asarray(target, dtype=np.int64)
    best: tuple[int, Clustering, list[int]] | None = None
    by_k: dict[int, int] = {}
    for clustering in sorted(clusterings, key=lambda one: one.k):
        counts = class_counts(clustering.labels, codes, k=clustering.k, class_count=len(goal))
        chosen = _neighbouring(clustering.centres, counts, goal)
        missing = int((goal - counts[chosen].sum(axis=0)).sum())
        by_k[clustering.k] = missing
        if best is None or missing < best[0]:
            best = (missing, clustering, chosen)
    assert best is not None
    _, clustering, chosen = best
    whole = np.flatnonzero(np.isin(clustering.labels, chosen))
    anchors = chosen or [_from_far_to_near(clustering.centres)[0]]
    need = goal - np.bincount(codes[whole], minlength=len(goal))
    added = _nearest_examples(vectors, codes, clustering.centres[anchors], need, whole)
    return Choice([int(row) for row in whole] + added, clustering.k, tuple(sorted(chosen)), len(whole), 0, by_k)


def _from_far_to_near(centres: Vectors) -> list[int]:
    directions = unit(centres)
    similarity = directions @ unit(centres.mean(axis=0, keepdims=True))[0]
    return [int(cluster) for cluster in np.argsort(similarity, kind="stable")]


def _neighbouring(centres: Vectors, counts: NDArray[np.int64], goal: NDArray[np.int64]) -> list[int]:
    # Equal vectors leave clusters without an example; those are no place to start from.
    fitting = np.flatnonzero((counts <= goal).all(axis=1) & counts.any(axis=1))
    start = next((cluster for cluster in _from_far_to_near(centres) if cluster in fitting), None)
    if start is None:
        return []
    directions = unit(centres)
    similarity = directions @ directions.T
    chosen, room = [start], goal - counts[start]
    nearest = similarity[start].copy()
    while len(chosen) < len(centres):
        nearest[chosen] = -np.inf
        following = int(nearest.argmax())
        if (counts[following] > room).any():
            break
        chosen.append(following)
        room = room - counts[following]
        nearest = np.maximum(nearest, similarity[following])
    return chosen


def _nearest_examples(
    vectors: NDArray[np.floating],
    codes: NDArray[np.int64],
    anchors: Vectors,
    need: NDArray[np.int64],
    taken: NDArray[np.int64],
) -> list[int]:
    similarity = (unit(np.asarray(vectors, dtype=np.float32)) @ unit(anchors).T).max(axis=1)
    similarity[taken] = -np.inf
    added: list[int] = []
    for place, wanted in enumerate(need):
        members = np.flatnonzero(codes == place)
        nearest = members[np.argsort(-similarity[members], kind="stable")]
        added += [int(row) for row in nearest[: int(wanted)]]
    return added


def unit(vectors: Vectors) -> Vectors:
    """Return the same directions with length one; a vector of zeros stays as it is."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.where(lengths > 0, lengths, 1), dtype=np.float32)
