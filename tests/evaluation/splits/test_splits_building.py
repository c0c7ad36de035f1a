"""Every split keeps its promises: size, class counts, nothing twice, nothing lost, the same for the same seed."""

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evaluation.splits.algorithm.baselines import bigram_scores, choose_least_likely
from evaluation.splits.algorithm.building import build_splits
from evaluation.splits.algorithm.closest import choose_closest, unit
from evaluation.splits.algorithm.clustering import Clustering, class_counts, cluster_all
from evaluation.splits.algorithm.subset_split import choose_by_subset_sum
from evaluation.splits.algorithm.values import Method, checked, class_targets, encode, set_aside

METHODS: tuple[Method, ...] = ("random", "likelihood", "subset_sum", "closest")


@st.composite
def data_sets(draw):
    classes = draw(st.integers(2, 6))
    sizes = draw(st.lists(st.integers(4, 60), min_size=classes, max_size=classes))
    random = np.random.default_rng(draw(st.integers(0, 1000)))
    labels = [f"class {place}" for place, size in enumerate(sizes) for _ in range(size)]
    labels = [labels[row] for row in random.permutation(len(labels))]
    centres = random.normal(size=(5, 4)) * 3
    vectors = (centres[random.integers(5, size=len(labels))] + random.normal(size=(len(labels), 4))).astype(np.float32)
    return labels, vectors


@settings(max_examples=25, deadline=None)
@given(data_sets(), st.sampled_from([0.1, 0.25, 0.5]), st.sampled_from([0.0, 0.1, 0.3]), st.integers(0, 5))
def test_every_promise_holds_for_two_to_six_classes(data, share, aside, seed):
    labels, vectors = data
    splits = build_splits(
        labels,
        methods=METHODS,
        vectors=vectors,
        likelihoods=vectors[:, 0],
        share=share,
        independent_share=aside,
        seed=seed,
        ks=range(3, 9),
        initialisations=2,
    )
    independent = {split.independent for split in splits.values()}
    assert len(independent) == 1
    rest = Counter(labels[row] for split in splits.values() for row in (*split.train, *split.test))
    for split in splits.values():
        assert sorted((*split.train, *split.test, *split.independent)) == list(range(len(labels)))
        assert len(split.test) == round(share * (len(labels) - len(split.independent)))
        counts = Counter(labels[row] for row in split.test)
        for name, number in split.target.items():
            exact = rest[name] / len(splits) / (len(labels) - len(split.independent)) * len(split.test)
            assert counts[name] == number
            assert abs(number - exact) < 1
        assert split.whole + split.added == (len(split.test) if split.k else 0)


def toy(seed: int = 0):
    random = np.random.default_rng(seed)
    labels = [str(value) for value in random.choice(["a", "b", "c"], size=300, p=[0.5, 0.3, 0.2])]
    centres = random.normal(size=(8, 5)) * 2
    vectors = (centres[random.integers(8, size=300)] + random.normal(size=(300, 5))).astype(np.float32)
    return labels, vectors


def test_the_same_seed_gives_the_same_splits_on_any_number_of_threads():
    labels, vectors = toy()
    first = build_splits(
        labels, methods=METHODS, vectors=vectors, likelihoods=vectors[:, 0], ks=range(3, 10), threads=1
    )
    again = build_splits(
        labels, methods=METHODS, vectors=vectors, likelihoods=vectors[:, 0], ks=range(3, 10), threads=2
    )
    assert first == again


def test_another_seed_gives_another_random_split():
    labels, _ = toy()
    tests = {build_splits(labels, methods=["random"], seed=seed)["random"].test for seed in range(4)}
    assert len(tests) == 4


def test_the_published_class_counts_of_hatexplain_come_out():
    labels = ["hate"] * 5341 + ["noHate"] * 7032 + ["offensive"] * 4932
    assert class_targets(labels, share=0.1) == {"hate": 534, "noHate": 703, "offensive": 493}


@settings(deadline=None)
@given(st.lists(st.sampled_from("abcdef"), min_size=4, max_size=200), st.floats(0.05, 0.95))
def test_targets_add_up_and_are_never_more_than_one_off(labels, share):
    total = round(share * len(labels))
    if not 0 < total < len(labels):
        with pytest.raises(ValueError, match="empty"):
            class_targets(labels, share=share)
        return
    targets = class_targets(labels, share=share)
    counts = Counter(labels)
    assert sum(targets.values()) == total
    assert all(abs(number - counts[name] * total / len(labels)) < 1 for name, number in targets.items())
    assert all(number <= counts[name] for name, number in targets.items())


def test_shares_outside_zero_and_one_are_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        class_targets(["a", "b"], share=1.5)


def test_nothing_is_set_aside_for_a_share_of_zero():
    assert set_aside(["a", "b", "a"], share=0, seed=1) == ([0, 1, 2], [])


def clustering(labels, centres) -> Clustering:
    return Clustering(len(centres), np.array(labels, dtype=np.int32), np.array(centres, dtype=np.float32), 0.0)


def test_the_subset_split_takes_the_smallest_k_with_the_closest_solution():
    codes = np.array([0, 0, 1, 1, 0, 1, 0, 1])
    exact = clustering([0, 0, 0, 0, 1, 1, 2, 2], np.zeros((3, 2)))
    also_exact = clustering([0, 0, 0, 0, 1, 1, 2, 3], np.zeros((4, 2)))
    choice = choose_by_subset_sum(codes, [1, 1], [also_exact, exact], seed=0)
    assert choice.k == 3
    assert choice.whole == 2
    assert choice.by_k == {3: 0}


def test_what_is_missing_comes_from_one_other_cluster_that_has_enough():
    codes = np.array([0, 1, 0, 0, 1, 1, 0, 0, 0, 1])
    one = clustering([0, 0, 1, 1, 1, 1, 2, 2, 2, 2], np.zeros((3, 2)))
    choice = choose_by_subset_sum(codes, [2, 2], [one], seed=0)
    assert choice.clusters == (1,)
    two = choose_by_subset_sum(codes, [2, 1], [one], seed=0)
    assert two.clusters == (0,)
    added = two.test[two.whole :]
    assert len(added) == 1
    assert codes[added[0]] == 0


@pytest.mark.parametrize("seed", range(8))
def test_a_cluster_that_helped_out_is_not_asked_again(seed):
    members = [(cluster, code) for cluster, zeros in enumerate((2, 2, 3)) for code in [0] * zeros + [1] * 5]
    codes = np.array([code for _, code in members])
    one = clustering([cluster for cluster, _ in members], np.zeros((3, 2)))
    choice = choose_by_subset_sum(codes, [4, 1], [one], seed=seed)
    assert choice.whole == 0
    assert len(set(choice.test)) == 5
    assert Counter(int(codes[row]) for row in choice.test) == {0: 4, 1: 1}


def test_several_clusters_help_out_where_none_has_enough():
    codes = np.array([0, 0, 1, 1, 0, 1])
    one = clustering([0, 0, 0, 1, 2, 3], np.zeros((4, 2)))
    choice = choose_by_subset_sum(codes, [1, 2], [one], seed=0)
    assert Counter(int(codes[row]) for row in choice.test) == {0: 1, 1: 2}


def test_the_closest_split_starts_far_off_and_grows_towards_its_neighbour():
    # Three clusters near each other, one apart with a neighbour: the far pair makes up the test set.
    directions = [[1, 0.1], [1, 0.2], [1, 0.0], [-0.2, 1], [-0.1, 1]]
    labels = [0] * 6 + [1] * 6 + [2] * 6 + [3] * 2 + [4] * 2
    vectors = np.array([directions[label] for label in labels], dtype=np.float32)
    codes = np.array([row % 2 for row in range(len(labels))])
    choice = choose_closest(vectors, codes, [2, 2], [clustering(labels, directions)])
    assert choice.clusters == (3, 4)
    assert sorted(choice.test) == [18, 19, 20, 21]
    assert choice.whole == 4


def test_single_examples_are_the_ones_nearest_to_a_test_centroid():
    directions = [[1.0, 0.0], [0.0, 1.0]]
    labels = [0] * 8 + [1] * 2
    vectors = np.array([[1, number / 10] for number in range(8)] + [[0, 1], [0, 1]], dtype=np.float32)
    codes = np.zeros(10, dtype=np.int64)
    choice = choose_closest(vectors, codes, [4], [clustering(labels, directions)])
    assert sorted(choice.test) == [6, 7, 8, 9]


def test_a_test_set_smaller_than_every_cluster_is_filled_one_by_one():
    labels, vectors = toy()
    split = build_splits(labels, methods=["closest"], vectors=vectors, share=0.02, ks=[3])["closest"]
    assert (split.whole, split.added) == (0, 6)


def test_equal_vectors_do_not_make_the_closest_split_start_from_an_empty_cluster():
    labels = ["a", "b"] * 20
    points = np.repeat(np.eye(2), 20, axis=0)
    split = build_splits(labels, methods=["closest"], vectors=points, share=0.5, ks=[5], initialisations=2)["closest"]
    assert split.whole == 20
    assert len(split.clusters) == 1


def test_latent_splits_need_vectors_for_every_example():
    labels, vectors = toy()
    with pytest.raises(ValueError, match="need vectors"):
        build_splits(labels, methods=["closest"])
    with pytest.raises(ValueError, match="299 vectors for 300"):
        build_splits(labels, methods=["closest"], vectors=vectors[:-1])
    with pytest.raises(ValueError, match="log-likelihood"):
        build_splits(labels, methods=["likelihood"])


def test_a_broken_split_is_refused():
    labels, _ = toy()
    split = build_splits(labels, methods=["random"])["random"]
    with pytest.raises(ValueError, match="two parts"):
        checked(replace(split, train=(*split.train, split.test[0])), labels)
    with pytest.raises(ValueError, match="covers"):
        checked(replace(split, train=split.train[1:]), labels)
    other = next(row for row in split.train if labels[row] != labels[split.test[0]])
    rest = tuple(row for row in split.train if row != other)
    moved = replace(split, train=(*rest, split.test[0]), test=(*split.test[1:], other))
    with pytest.raises(ValueError, match="class counts"):
        checked(moved, labels)


def test_progress_is_reported_for_clusters_and_methods():
    labels, vectors = toy()
    steps: list[tuple[str, int, int]] = []
    build_splits(labels, methods=["closest"], vectors=vectors, ks=[3, 4], progress=lambda *step: steps.append(step))
    assert ("clustering", 20, 20) in steps
    assert steps[-1] == ("done", 1, 1)


def test_the_least_likely_examples_of_each_class_make_the_likelihood_test_set():
    labels, scores = list("aabbaabb"), [1.0, -5.0, 0.0, 3.0, -6.0, 2.0, -1.0, 4.0]
    assert choose_least_likely(labels, {"a": 2, "b": 1}, scores=scores) == [1, 4, 6]
    with pytest.raises(ValueError, match="finite"):
        choose_least_likely(["a"], {"a": 1}, scores=[float("nan")])


def test_odd_texts_are_less_likely_than_common_ones():
    scores = bigram_scores(["the cat sat", "the cat sat", "the cat ran", "zebra quantum flux", ""])
    assert scores[4] < scores[3] < min(scores[:3])


def test_clusters_of_well_separated_data_are_found():
    random = np.random.default_rng(1)
    truth = np.repeat(np.arange(6), 40)
    vectors = (np.eye(6) * 20)[truth] + random.normal(size=(240, 6))
    [found] = cluster_all(vectors, ks=[6])
    assert len({(int(a), int(b)) for a, b in zip(truth, found.labels, strict=True)}) == 6
    assert found.centres[found.labels] == pytest.approx(
        np.stack([vectors[truth == t].mean(axis=0) for t in truth]), abs=1e-3
    )


def test_our_k_means_is_as_good_as_scikit_learns():
    from sklearn.cluster import KMeans

    _, vectors = toy(7)
    for found in cluster_all(vectors, ks=[4, 8, 12]):
        theirs = KMeans(found.k, n_init=10, random_state=0).fit(vectors).inertia_
        assert found.inertia <= theirs * 1.02


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 40), st.integers(1, 4), st.integers(0, 100))
def test_every_example_is_in_the_cluster_with_the_nearest_centre(examples, dimensions, seed):
    vectors = np.random.default_rng(seed).normal(size=(examples, dimensions)).round(1)
    for found in cluster_all(vectors, ks=range(1, min(examples, 6) + 1), initialisations=2):
        distances = ((vectors[:, None] - found.centres[None]) ** 2).sum(axis=2)
        own = np.take_along_axis(distances, found.labels[:, None].astype(int), axis=1)[:, 0]
        assert own == pytest.approx(distances.min(axis=1), abs=1e-4)
        assert found.inertia == pytest.approx(own.sum(), abs=1e-2)


def test_vectors_that_are_no_table_of_numbers_are_refused():
    with pytest.raises(ValueError, match="example 1"):
        cluster_all(np.array([[1.0], [np.nan], [2.0]]), ks=[2])
    with pytest.raises(ValueError, match="two dimensions"):
        cluster_all(np.array([1.0, 2.0]), ks=[1])
    with pytest.raises(ValueError, match="number of clusters must be between 1"):
        cluster_all(np.array([[1.0], [2.0]]), ks=[3])


def test_counts_and_directions_are_what_they_say():
    names, codes = encode(["b", "a", "b"])
    assert names == ["a", "b"]
    assert class_counts(np.array([0, 0, 1], dtype=np.int32), codes, k=2, class_count=2).tolist() == [[1, 1], [0, 1]]
    assert unit(np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)).tolist() == [
        [pytest.approx(0.6), pytest.approx(0.8)],
        [0, 0],
    ]
