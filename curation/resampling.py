"""Drawing whole clusters (templates) with replacement, for every interval by bootstrap."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

CELLS_AT_ONCE = 4_000_000


def draw_clusters(clusters: int, *, draws: int, seed: int) -> Iterator[npt.NDArray[np.float64]]:
    """How often each cluster is drawn, one row per draw; in blocks, so that memory stays small with many clusters."""
    generator = np.random.default_rng(seed)
    block = max(1, CELLS_AT_ONCE // clusters)
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        picks = generator.integers(clusters, size=(rows, clusters)) + np.arange(rows)[:, None] * clusters
        yield np.bincount(picks.ravel(), minlength=rows * clusters).reshape(rows, clusters).astype(float)
