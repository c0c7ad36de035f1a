"""Points in the plane for the picture of a split, coloured by label and by part."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from evaluation.splits.algorithm.representations import reduce_vectors
from evaluation.splits.algorithm.values import Split


@dataclass(frozen=True, slots=True)
class Point:
    """One example in the picture."""

    row: int
    x: float
    y: float
    label: str
    part: str  # train, test or independent


def picture_points(
    vectors: NDArray[np.floating],
    labels: Sequence[str],
    split: Split,
    *,
    method: Literal["umap", "pca"] = "umap",
    seed: int = 42,
    most: int = 3000,
) -> list[Point]:
    """At most `most` examples in two dimensions, a random sample where there are more; rows in order.

    UMAP keeps neighbourhoods and takes half a minute, principal components are instant.
    """
    if len(vectors) != len(labels):
        raise ValueError(f"{len(vectors)} vectors for {len(labels)} labels")
    part_of = {row: name for name in ("train", "test", "independent") for row in getattr(split, name)}
    rows = list(range(len(labels)))
    if len(rows) > most:
        rows = sorted(int(row) for row in np.random.default_rng(seed).choice(rows, size=most, replace=False))
    plane = reduce_vectors(np.asarray(vectors)[rows], dimensions=2, method=method, seed=seed)
    return [
        Point(row, round(float(x), 4), round(float(y), 4), labels[row], part_of[row])
        for row, (x, y) in zip(rows, plane, strict=True)
    ]
