"""The subset-sum split: whole clusters that add up to the test set, over all k, the rest from another cluster."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from evaluation.splits.algorithm.clustering import Clustering, class_counts
from evaluation.splits.algorithm.subset_sum import Selection, select_clusters


@dataclass(frozen=True, slots=True)
class Choice:
    """Test examples (positions), how many of them came with whole clusters, and the k and clusters they came from."""

    test: list[int]
    k: int
    clusters: tuple[int, ...]
    whole: int
    gap: int
    by_k: Mapping[int, int]


def choose_by_subset_sum(
    codes: NDArray[np.int64],
    target: Sequence[int],
    clusterings: Sequence[Clustering],
    *,
    seed: int,
    work_limit: float = 20.0,
) -> Choice:
    """Whole clusters of the smallest k that comes closest to the target; what is missing comes from another cluster.

    A k is only searched for something better than the best so far, so `by_k` names the ks that improved on it.
    """
    best: tuple[Clustering, Selection] | None = None
    bound = sum(target)
    by_k: dict[int, int] = {}
    for clustering in sorted(clusterings, key=lambda one: one.k):
        counts = class_counts(clustering.labels, codes, k=clustering.k, class_count=len(target))
        found = select_clusters(
            counts, target, better_than=None if best is None else best[1].missing, work_limit=work_limit
        )
        if found is None:
            continue
        bound = min(bound, found.bound)
        if best is None or found.missing < best[1].missing:
            best = (clustering, found)
            by_k[clustering.k] = found.missing
        if best[1].missing == 0:
            break
    if best is None:
        raise ValueError("give the clustering of at least one k")
    clustering, selection = best
    whole = np.flatnonzero(np.isin(clustering.labels, selection.clusters))
    missing = np.asarray(target, dtype=np.int64) - np.asarray(selection.counts, dtype=np.int64)
    added = _complete(clustering, codes, missing, set(selection.clusters), np.random.default_rng([seed, 1]))
    test = [int(row) for row in whole] + added
    gap = max(0, selection.missing - bound)
    return Choice(test, clustering.k, selection.clusters, len(whole), gap, by_k)


def _complete(
    clustering: Clustering,
    codes: NDArray[np.int64],
    missing: NDArray[np.int64],
    taken: set[int],
    random: np.random.Generator,
) -> list[int]:
    counts = class_counts(clustering.labels, codes, k=clustering.k, class_count=len(missing))
    others = [cluster for cluster in range(clustering.k) if cluster not in taken]
    added: list[int] = []
    while missing.any():
        enough = [cluster for cluster in others if (counts[cluster] >= missing).all()]
        if enough:
            cluster = int(random.choice(enough))
        else:  # no single cluster can help out alone: begin with the one that gives most
            cluster = max(others, key=lambda one: (int(np.minimum(counts[one], missing).sum()), -one))
        others.remove(cluster)
        for place, wanted in enumerate(np.minimum(counts[cluster], missing)):
            members = np.flatnonzero((clustering.labels == cluster) & (codes == place))
            added += [int(row) for row in random.choice(members, size=int(wanted), replace=False)]
            missing[place] -= wanted
    return added
