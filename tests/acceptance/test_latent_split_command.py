"""`latent_split` on HateXplain: the published test size and class counts, to the example."""

import json
from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from evaluation.datasets.files.reading import read_labelled
from evaluation.splits.algorithm.vector_files import save_vectors
from tests.evaluation.splits.factories import read_indices

PUBLISHED = {"hate": 534, "noHate": 703, "offensive": 493}
FEW = ["--k-min", "20", "--k-max", "22", "--initialisations", "1"]


@pytest.fixture(scope="module")
def path(shared_data: Path) -> Path:
    return shared_data / "latent_splits" / "hatexplain_train_test.tsv"


@pytest.fixture(scope="module")
def hiddens(path, tmp_path_factory) -> Path:
    """Fifty latent dimensions of word counts, in place of an encoder's."""
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer

    data = read_labelled(path).data
    counts = TfidfVectorizer(max_features=2000).fit_transform(data.texts)
    vectors = TruncatedSVD(50, random_state=0, n_iter=2).fit_transform(counts)
    return save_vectors(tmp_path_factory.mktemp("vectors") / "hiddens.npy", vectors, checksum=data.checksum)


def split(capsys, path: Path, out: Path, *arguments: str) -> dict:
    call_command("latent_split", "--data", str(path), "--out", str(out), *arguments, "--json")
    return json.loads(capsys.readouterr().out)


@pytest.mark.parametrize("method", ["closest", "subset_sum"])
def test_latent_splits_have_the_published_class_counts(path, hiddens, tmp_path, capsys, method):
    report = split(capsys, path, tmp_path, "--method", method, "--hiddens", str(hiddens), *FEW)
    assert report["class_counts"] == PUBLISHED
    assert (report["test"], report["train"], report["independent"]) == (1730, 15575, 0)
    assert report["from_whole_clusters"] + report["added_singly"] == 1730
    assert 20 <= report["k"] <= 22
    assert report["optimality_gap"] == 0
    assert report["problems"] == []
    test, train = read_indices(tmp_path / "indices.txt")
    assert (len(test), len(train)) == (1730, 15575)
    assert sorted((*test, *train)) == list(range(17305))
    first = json.loads((tmp_path / "test.jsonl").read_text(encoding="utf-8").split("\n")[0])
    assert first["target_options"] == ["hate", "noHate", "offensive"]
    assert "| shift type | covariate shift |" in (tmp_path / "eval_card.md").read_text()
    assert json.loads((tmp_path / "report.json").read_text())["class_counts"] == PUBLISHED


@pytest.mark.parametrize("method", ["random", "likelihood"])
def test_the_baselines_need_no_vectors(path, tmp_path, capsys, method):
    report = split(capsys, path, tmp_path / "a", "--method", method)
    assert report["class_counts"] == PUBLISHED
    assert report["k"] is None
    split(capsys, path, tmp_path / "b", "--method", method)
    assert (tmp_path / "a" / "indices.txt").read_bytes() == (tmp_path / "b" / "indices.txt").read_bytes()


def test_an_independent_part_is_set_aside_first(path, tmp_path, capsys):
    report = split(capsys, path, tmp_path, "--method", "random", "--independent-share", "0.1")
    assert (report["independent"], report["test"]) == (1730, 1558)
    assert (tmp_path / "independent.jsonl").is_file()


def test_a_latent_split_without_vectors_says_what_it_needs(path, tmp_path):
    with pytest.raises(CommandError, match="needs vectors: give ready ones"):
        call_command("latent_split", "--data", str(path), "--method", "closest", "--out", str(tmp_path))


def test_too_few_vectors_are_refused(path, tmp_path):
    np.save(tmp_path / "few.npy", np.zeros((3, 2)))
    with pytest.raises(
        CommandError, match=r"few\.npy: The number of vectors \(3\) differs from the number of examples \(17,305\)"
    ):
        call_command("latent_split", "--data", str(path), "--method", "closest", "--out", str(tmp_path / "out"),
                     "--hiddens", str(tmp_path / "few.npy"))  # fmt: skip
