"""Splits and experiments from the command line: stored, published, resumed."""

import json

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from curation.models import Release, Suite
from evaluation.models import Dataset, Experiment, Split
from evaluation.splits import experiments
from tests.evaluation.attacks.factories import as_csv, make_split
from tests.evaluation.splits.factories import tiny_encoder

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def data(tmp_path):
    path = tmp_path / "posts.csv"
    path.write_bytes(as_csv())
    return path


def run(capsys, name: str, *arguments: object) -> dict:
    call_command(name, *map(str, arguments), "--json")
    return json.loads(capsys.readouterr().out)


def test_a_split_is_published_as_a_release(data, tmp_path, capsys):
    told = run(capsys, "latent_split", "--data", data, "--method", "random", "--out", tmp_path / "out",
               "--release", "mild-split", "--licence", "CC0-1.0")  # fmt: skip
    release = Release.objects.get()
    assert told["release"] == {"key": "mild-split@1.0.0", "state": "published", "sha256": release.sha256}
    assert release.cases.count() == told["test"] == 12
    assert (tmp_path / "out" / "indices.txt").is_file()
    assert Split.objects.get().suite == release.suite
    assert release.suite.licence == "CC0-1.0"


@pytest.mark.parametrize("option", [["--candidate"], []])
def test_a_release_can_be_left_to_people(data, tmp_path, capsys, settings, option):
    settings.SECOND_MAINTAINER_PUBLISHES = not option
    told = run(capsys, "latent_split", "--data", data, "--method", "random", "--out", tmp_path / "out",
               "--release", "mild-split", *option)  # fmt: skip
    assert told["release"]["state"] == "candidate"


def test_stored_and_plain_splits_are_the_same(data, tmp_path, capsys):
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(120, 5)).astype("float32"))
    same = ["--data", data, "--method", "closest", "--hiddens", tmp_path / "v.npy", "--k-max", "6"]
    run(capsys, "latent_split", *same, "--out", tmp_path / "plain")
    told = run(capsys, "latent_split", *same, "--out", tmp_path / "stored", "--store")
    for name in ("indices.txt", "train.jsonl", "test.jsonl"):
        assert (tmp_path / "plain" / name).read_bytes() == (tmp_path / "stored" / name).read_bytes()
    assert Split.objects.get(key=told["split"]).dataset.title == "posts"


def test_nothing_of_an_earlier_split_stays_among_the_files(data, tmp_path, capsys):
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(120, 5)).astype("float32"))
    same = ["latent_split", "--data", str(data), "--out", str(tmp_path / "out"), "--hiddens", str(tmp_path / "v.npy")]
    call_command(*same, "--method", "closest", "--k-max", "6", "--independent-share", "0.2", "--picture", "pca")
    told = capsys.readouterr().out
    assert "warning: v.npy: The file does not say which data set the vectors belong to" in told
    assert "at most 0 more" not in told
    call_command(*same, "--method", "random")
    assert not {path.name for path in (tmp_path / "out").iterdir()} & {
        "independent.jsonl", "independent_indices.txt", "picture-part.svg", "picture-label.svg",
    }  # fmt: skip


def test_a_seed_that_no_generator_takes_is_refused(data, tmp_path):
    for option in ("--seed", "--independent-seed"):
        with pytest.raises(CommandError, match=f"{option}: Use at least 0 and at most 4,294,967,295"):
            call_command("latent_split", "--data", str(data), "--method", "random", "--out", str(tmp_path / "out"),
                         option, "-1")  # fmt: skip


def test_what_cannot_be_stored_leaves_no_split_behind(data, tmp_path):
    np.save(tmp_path / "v.npy", np.zeros((3, 5)))
    with pytest.raises(CommandError, match=r"number of vectors \(3\) differs from the number of examples \(120\)"):
        call_command("latent_split", "--data", str(data), "--method", "closest", "--hiddens", str(tmp_path / "v.npy"),
                     "--out", str(tmp_path / "out"), "--store")  # fmt: skip
    assert not Split.objects.exists()
    assert Dataset.objects.count() == 1


def test_a_key_that_is_taken_is_said_and_publishes_nothing(data, tmp_path):
    Suite.objects.create(key="taken", name="Taken")
    with pytest.raises(CommandError, match="a suite 'taken' already"):
        call_command("latent_split", "--data", str(data), "--method", "random", "--out", str(tmp_path / "out"),
                     "--release", "taken")  # fmt: skip
    assert not Release.objects.exists()


def test_a_bottleneck_and_a_picture_come_from_the_command(data, tmp_path, capsys):
    encoder = tiny_encoder(tmp_path / "encoder")
    told = run(capsys, "latent_split", "--data", data, "--method", "closest", "--encoder", encoder, "--reduce",
               "bottleneck", "--dimensions", "10", "--epochs", "1", "--max-length", "24", "--k-max", "6",
               "--out", tmp_path / "out", "--picture", "pca", "--explain")  # fmt: skip
    assert told["dimensions"] == 10
    assert told["representation"].endswith("/encoder (fine-tuned, bottleneck 10)")
    assert (tmp_path / "out" / "picture-label.svg").read_text(encoding="utf-8").startswith("<svg")
    assert np.load(tmp_path / "out" / "vectors.npy").shape == (120, 10)


def test_an_experiment_runs_here_and_goes_on_where_it_was_stopped(mira, capsys, monkeypatch):
    split = make_split(mira, independent_share=0.1)
    real, asked = experiments._train, []

    def train(experiment, split, data, seed, should_stop):
        asked.append(seed)
        if asked == [1, 2]:
            raise ValueError("the power went off")
        return real(experiment, split, data, seed, should_stop)

    monkeypatch.setattr(experiments, "_train", train)
    with pytest.raises(CommandError, match="the power went off"):
        call_command("split_experiment", split.key, "--seeds", "1", "2")
    capsys.readouterr()
    told = run(capsys, "split_experiment", "--resume", Experiment.objects.get().key)
    assert asked == [1, 2, 2]
    assert told["splits"][0]["seeds"] == 2
    assert told["splits"][0]["independent_accuracy"]["mean"] > 0.5
    assert told["matrix"][split.key]["linear"] == told["splits"][0]["test_f1"]["mean"]


def test_unknown_splits_and_experiments_are_named(mira):
    split = make_split(mira)
    with pytest.raises(CommandError, match=f"no split 'x'. Known: {split.key}"):
        call_command("split_experiment", "x")
    with pytest.raises(CommandError, match="no experiment 'y'"):
        call_command("split_experiment", "--resume", "y")
    with pytest.raises(CommandError, match="one or more splits"):
        call_command("split_experiment")


def test_a_stored_split_has_its_picture_in_the_folder_and_known_data_takes_the_new_title(data, tmp_path, capsys):
    np.save(tmp_path / "v.npy", np.random.default_rng(0).normal(size=(120, 5)).astype("float32"))
    same = ["latent_split", "--data", data, "--hiddens", tmp_path / "v.npy", "--method", "closest", "--k-max", "6"]
    told = run(capsys, *same, "--out", tmp_path / "first", "--store", "--title", "By meaning")
    assert (tmp_path / "first" / "picture-part.svg").read_text(encoding="utf-8").startswith("<svg")
    assert Split.objects.get(key=told["split"]).title == "By meaning"
    run(capsys, *same, "--out", tmp_path / "second", "--store", "--dataset-title", "Davidson 2017")
    assert Dataset.objects.get().title == "Davidson 2017"
