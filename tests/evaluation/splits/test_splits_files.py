"""Vectors and splits on disk: checked on the way in, complete on the way out."""

import json

import numpy as np
import pytest

from evaluation.splits.algorithm.building import build_splits
from evaluation.splits.algorithm.genbench import indices_text, json_lines, write_split
from evaluation.splits.algorithm.picture import picture_points
from evaluation.splits.algorithm.representations import reduce_vectors
from evaluation.splits.algorithm.vector_files import load_vectors, save_vectors
from tests.evaluation.splits.factories import read_indices

LABELS = ["a", "b"] * 30
TEXTS = [f"text {row}\nwith a break" for row in range(60)]


@pytest.fixture
def vectors():
    return np.random.default_rng(0).normal(size=(60, 4)).astype(np.float32)


@pytest.fixture
def split(vectors):
    return build_splits(LABELS, methods=["closest"], vectors=vectors, ks=[3, 4], independent_share=0.1)["closest"]


def test_vectors_come_back_with_their_note(tmp_path, vectors):
    path = save_vectors(tmp_path / "v", vectors, checksum="abc", facts={"encoder": "mini"})
    found = load_vectors(path, examples=60, checksum="abc")
    assert found.problems == ()
    assert found.note["encoder"] == "mini"
    assert found.vectors is not None
    assert np.array_equal(found.vectors, vectors)


def test_vectors_of_another_data_set_are_refused(tmp_path, vectors):
    path = save_vectors(tmp_path / "v", vectors, checksum="abc")
    found = load_vectors(path, examples=60, checksum="other")
    assert found.vectors is None
    assert "another data set" in found.problems[0].problem


def test_vectors_without_a_note_are_taken_with_a_warning(tmp_path, vectors):
    np.save(tmp_path / "v.npy", vectors.astype(np.float64))
    found = load_vectors(tmp_path / "v.npy", examples=60, checksum="abc")
    assert found.vectors is not None
    assert found.vectors.dtype == np.float32
    assert found.problems[0].severity == "warning"


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (np.zeros((59, 4)), "number of vectors (59) differs from the number of examples (60)"),
        (np.zeros(60), "table of numbers"),
        (np.zeros((60, 0)), "table of numbers"),
        (np.full((60, 2), np.nan), "vector 1"),
        (np.full((60, 2), 1e39), "vector 1"),  # beyond single precision
        (np.array([["x"]] * 60), "table of numbers"),
    ],
)
def test_vectors_that_do_not_fit_are_refused(tmp_path, content, said):
    np.save(tmp_path / "v.npy", content)
    found = load_vectors(tmp_path / "v.npy", examples=60)
    assert found.vectors is None
    assert said in found.problems[0].problem


def test_pickles_are_never_opened(tmp_path):
    np.save(tmp_path / "v.npy", np.array([{"a": 1}], dtype=object), allow_pickle=True)
    found = load_vectors(tmp_path / "v.npy", examples=1)
    assert found.vectors is None
    assert "cannot be read" in found.problems[0].problem


def test_indices_come_back_as_written(tmp_path, split):
    (tmp_path / "indices.txt").write_text(indices_text(split))
    assert read_indices(tmp_path / "indices.txt") == (split.test, split.train)


def test_json_lines_hold_the_answer_as_a_position_among_the_options():
    [line] = json_lines([1], TEXTS, LABELS).splitlines()
    assert json.loads(line) == {"input": TEXTS[1], "target": 1, "target_options": ["a", "b"]}


def test_a_published_split_is_complete(tmp_path, split):
    paths = write_split(
        split, tmp_path, texts=TEXTS, labels=LABELS, dataset="toy", checksum="abc", representation="mini"
    )
    assert {path.name for path in paths} == {
        "indices.txt",
        "train.jsonl",
        "test.jsonl",
        "independent.jsonl",
        "independent_indices.txt",
        "eval_card.md",
        "split.json",
    }
    lines = [len((tmp_path / f"{part}.jsonl").read_text().splitlines()) for part in ("train", "test", "independent")]
    assert lines == [len(split.train), len(split.test), len(split.independent)]
    card = (tmp_path / "eval_card.md").read_text()
    assert all(
        axis in card for axis in ("motivation", "generalisation type", "shift type", "shift source", "shift locus")
    )
    assert json.loads((tmp_path / "split.json").read_text())["dataset_sha256"] == "abc"


def test_the_picture_has_a_point_per_example_with_label_and_part(vectors, split):
    points = picture_points(vectors, LABELS, split, method="pca")
    assert [point.row for point in points] == list(range(60))
    assert {point.part for point in points} == {"train", "test", "independent"}
    assert len(picture_points(vectors, LABELS, split, method="pca", most=20)) == 20


def test_principal_components_keep_the_largest_spread():
    random = np.random.default_rng(0)
    vectors = random.normal(size=(200, 3)) * np.array([0.1, 5.0, 1.0])
    reduced = reduce_vectors(vectors, dimensions=2, method="pca")
    assert reduced.std(axis=0) == pytest.approx(sorted(vectors.std(axis=0))[:0:-1], rel=0.05)
    assert np.array_equal(reduced, reduce_vectors(vectors, dimensions=2, method="pca"))


def test_more_dimensions_than_there_are_is_refused(vectors):
    with pytest.raises(ValueError, match="cannot be reduced"):
        reduce_vectors(vectors, dimensions=5, method="pca")
