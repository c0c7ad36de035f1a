"""Where the vectors of a latent split come from, and what is drawn and said from them."""

import json
from collections.abc import Callable
from contextlib import nullcontext
from io import StringIO

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command

from core.errors import BadInput, WrongState
from core.text import recall
from evaluation.artefacts.services import archive_of, folder_of
from evaluation.datasets.services import import_dataset
from evaluation.management.commands.latent_split import Command
from evaluation.models import Split
from evaluation.splits.building import telling_words
from evaluation.splits.experiments import request_experiment, run_experiment
from evaluation.splits.options import ExperimentOptions
from evaluation.splits.services import build_split, data_of, picture_of
from tests.evaluation.attacks.factories import as_csv, make_dataset, make_split
from tests.evaluation.splits.factories import FEW, tiny_encoder, vectors_file, vectors_upload

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture(scope="module")
def encoder(tmp_path_factory) -> str:
    return str(tiny_encoder(tmp_path_factory.mktemp("encoder")))


def stored(split: Split) -> tuple[np.ndarray, dict]:
    folder = folder_of(split)
    return np.load(folder / "vectors.npy"), json.loads((folder / "vectors.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize(
    ("choices", "dimensions", "said"),
    [
        ({"pooling": "mean"}, 16, "(mean)"),
        ({"reduce": "pca", "dimensions": 4}, 4, "(cls, pca 4)"),
        ({"reduce": "bottleneck", "dimensions": 10, "epochs": 1}, 10, "(fine-tuned, bottleneck 10)"),
        ({"fine_tune": True, "epochs": 1}, 16, "(fine-tuned, cls)"),
    ],
)
def test_an_encoder_makes_the_vectors_as_the_options_say(mira, encoder, choices, dimensions, said):
    split = make_split(mira, method="closest", encoder=encoder, max_length=24, **FEW, **choices)
    vectors, note = stored(split)
    assert vectors.shape == (120, dimensions)
    assert recall(split.report["representation"]).endswith(said)
    assert note["dataset_sha256"] == split.report["dataset_sha256"]
    assert split.report["class_counts"] == {"abusive": 4, "fine": 8}


def test_umap_reduces_the_vectors_and_draws_the_picture(mira):
    split = make_split(
        mira, method="closest", vectors=vectors_upload(dimensions=12), reduce="umap", dimensions=10, picture="umap",
        **FEW,
    )  # fmt: skip
    other = make_split(mira, dataset=split.dataset, method="closest", vectors_of=split.key, **FEW)
    assert split.report["dimensions"] == 10
    drawn = picture_of(split, "part").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert drawn != picture_of(other, "part").read_text(encoding="utf-8")  # which is drawn by principal components
    assert build_split(split).sha256 == split.sha256


def test_training_never_sees_the_independent_part(mira, encoder, monkeypatch):
    from evaluation.splits.algorithm import bottleneck

    seen: list[str] = []
    real = bottleneck.train_bottleneck

    def watched(texts, labels, **kwargs):
        seen.extend(texts)
        return real(texts, labels, **kwargs)

    monkeypatch.setattr(bottleneck, "train_bottleneck", watched)
    split = make_split(
        mira, method="closest", encoder=encoder, fine_tune=True, epochs=1, max_length=24, independent_share=0.2, **FEW
    )
    aside = [json.loads(line)["input"] for line in (folder_of(split) / "independent.jsonl").read_text().splitlines()]
    assert len(seen) == 96
    assert not set(aside) & set(seen)


class PowerCut(Exception):
    pass


def steps_until(cut: tuple[str, int] | None = None) -> tuple[list[tuple[str, int]], Callable[[int, int, str], None]]:
    """What a build reports, and a power cut at one of these steps."""
    seen: list[tuple[str, int]] = []

    def progress(done: int, total: int, step: str) -> None:
        seen.append((step, done))
        if (step, done) == cut:
            raise PowerCut

    return seen, progress


@pytest.mark.parametrize(("every", "goes_on_at"), [(100, 17), (3, 19)])
def test_a_broken_training_goes_on_from_its_last_checkpoint(mira, encoder, monkeypatch, every, goes_on_at):
    monkeypatch.setattr("evaluation.splits.algorithm.bottleneck.CHECKPOINT_EVERY", every)
    choices = {"encoder": encoder, "reduce": "bottleneck", "dimensions": 4, "epochs": 3, "max_length": 24, **FEW}
    whole = make_split(mira, method="closest", **choices)
    split = make_split(mira, dataset=whole.dataset, method="closest", built=False, **choices)
    _, progress = steps_until(("training the encoder", 20))
    with pytest.raises(PowerCut):
        build_split(split, progress=progress)
    seen, progress = steps_until()
    build_split(split, progress=progress)
    trained = [done for step, done in seen if step == "training the encoder"]
    assert trained == list(range(goes_on_at, 25))  # eight steps make an epoch
    assert np.array_equal(stored(split)[0], stored(whole)[0])
    assert split.sha256 == whole.sha256
    assert not list(folder_of(split).parent.glob("*.work"))


@pytest.mark.parametrize("choices", [{"fine_tune": True, "epochs": 1}, {"reduce": "pca", "dimensions": 4}])
def test_vectors_that_were_computed_are_not_computed_again(mira, encoder, choices):
    split = make_split(mira, method="closest", encoder=encoder, max_length=24, built=False, **choices, **FEW)
    seen, progress = steps_until(("measuring how the parts differ", 0))
    with pytest.raises(PowerCut):
        build_split(split, progress=progress)
    assert "encoding" in dict(seen)
    seen, progress = steps_until()
    build_split(split, progress=progress)
    assert not {"encoding", "training the encoder", "reducing to 4 dimensions"} & set(dict(seen))
    assert recall(split.report["representation"]).endswith(")")


def test_a_command_that_was_broken_off_goes_on(mira, encoder, tmp_path, monkeypatch):
    data = tmp_path / "posts.csv"
    data.write_bytes(as_csv())
    asked = ["latent_split", "--data", str(data), "--method", "closest", "--encoder", encoder, "--out",
             str(tmp_path / "out"), "--k-max", "6", "--max-length", "24", "--fine-tune", "--epochs"]  # fmt: skip
    for cut, epochs, begins in ((("training the encoder", 12), "2", 1), (None, "2", 9), (None, "1", 1)):
        seen, progress = steps_until(cut)
        monkeypatch.setattr(
            Command, "show_progress", lambda _, done, total, step, tell=progress: tell(done, total, step)
        )
        with pytest.raises(PowerCut) if cut else nullcontext():
            call_command(*asked, epochs, stdout=StringIO())
        assert next(done for step, done in seen if step == "training the encoder") == begins
    assert not (tmp_path / "out.work").exists()


def test_files_of_a_built_split_stay_where_other_rows_come_out(mira):
    split = make_split(mira, method="closest", vectors=vectors_upload(), **FEW)
    before = archive_of(split)
    split.choices["vectors_file"] = vectors_file(dimensions=7)
    with pytest.raises(WrongState, match="gives other rows than before"):
        build_split(split)
    assert archive_of(split) == before


def test_encoders_lie_where_the_installation_allows_it(mira, encoder, settings, tmp_path):
    settings.MODEL_FOLDERS, settings.MODEL_HUB = [str(tmp_path)], False
    for name, said in ((encoder, "models may not be read from"), ("owner/model", "the model hub are switched off")):
        split = make_split(mira, method="closest", encoder=name, built=False, **FEW)
        with pytest.raises(BadInput, match=said):
            build_split(split)
    likely = make_split(mira, method="likelihood", language_model=encoder, built=False)
    with pytest.raises(BadInput, match="models may not be read from"):
        build_split(likely)
    experiment = request_experiment([make_split(mira)], ExperimentOptions(trainer=f"hf:{encoder}", seeds=[1]), by=mira)
    with pytest.raises(BadInput, match="models may not be read from"):
        run_experiment(experiment)


def test_texts_longer_than_the_encoder_reads_are_cut(mira, encoder):
    content = as_csv(30) + f"{'word ' * 900},fine,train\n".encode()
    dataset = import_dataset(SimpleUploadedFile("long.csv", content), title="Long", by=mira)
    split = make_split(mira, dataset=dataset, method="closest", encoder=encoder, max_length=1000, **FEW)
    assert np.isfinite(stored(split)[0]).all()


def test_a_training_that_went_astray_is_said(mira, encoder):
    split = make_split(
        mira, method="closest", encoder=encoder, fine_tune=True, epochs=1, learning_rate=1e30, built=False, **FEW
    )
    for _ in range(2):  # and nothing of it is kept for the next attempt
        with pytest.raises(BadInput, match=r"not finite numbers\. Train it with a lower learning rate"):
            build_split(split)


def test_an_earlier_split_lends_its_vectors(mira):
    first = make_split(mira, method="closest", vectors=vectors_upload(), **FEW)
    second = make_split(mira, dataset=first.dataset, method="subset_sum", vectors_of=first.key, **FEW)
    assert np.array_equal(stored(first)[0], stored(second)[0])
    assert second.report["representation"] == first.report["representation"]
    assert second.report["problems"] == []  # the note beside them says whose they are


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"reduce": "bottleneck"}, "cannot be trained"),
        ({"fine_tune": True}, "cannot be trained"),
        ({"reduce": "tsne"}, "reduce: Choose from: bottleneck, umap, pca"),
        ({"picture": "tsne"}, "picture: Choose from: pca, umap, none"),
        ({"encoder": "somewhere"}, "one source of vectors only"),
        ({"vectors": None, "vectors_of": "split-none"}, "no vectors of a split 'split-none' of this data set"),
        ({"dimensions": 0}, "dimensions: Use at least 1 and at most 10,000"),
        ({"epochs": 0}, "epochs: Use at least 1"),
        ({"learning_rate": float("nan")}, "learning_rate: Write a number"),
        ({"max_length": 2}, "max_length: Use at least 4"),
        ({"dimensions": 10**9}, "dimensions: Use at least 1 and at most 10,000"),
        ({"k_max": 10**9}, "k_max: Use at least 2 and at most 10,000"),
        ({"independent_seed": -1}, "independent_seed: Use at least 0"),
    ],
)
def test_what_cannot_give_vectors_is_refused_at_the_door(mira, choices, said):
    given = {"vectors": vectors_upload(), **choices}
    with pytest.raises(BadInput, match=said):
        make_split(mira, method="closest", built=False, **given)
    assert not Split.objects.exists()


def test_vectors_of_another_data_set_are_not_lent(mira):
    first = make_split(mira, method="closest", vectors=vectors_upload(), **FEW)
    with pytest.raises(BadInput, match="of this data set"):
        make_split(mira, dataset=make_dataset(mira, title="Other", number=60), method="closest", vectors_of=first.key)


def test_more_dimensions_than_there_are_is_said(mira):
    split = make_split(mira, method="closest", vectors=vectors_upload(), reduce="pca", dimensions=50, built=False)
    with pytest.raises(BadInput, match="cannot be reduced to 50 dimensions"):
        build_split(split)


def test_keywords_are_the_users_or_those_that_tell_the_labels_apart(mira):
    own = make_split(mira, method="closest", vectors=vectors_upload(), keywords=["lousy", "unheard"], **FEW)
    assert set(own.report["properties"]["under_represented_keywords"]) <= {"lousy"}
    told = make_split(mira, dataset=own.dataset, method="likelihood")
    words = telling_words(data_of(told), language="en")
    assert {"lousy", "awful"} <= set(words)
    assert set(told.report["properties"]["under_represented_keywords"]) <= set(words)
    hidden = make_split(mira, dataset=own.dataset, method="likelihood", share=0.8)
    assert hidden.report["properties"]["under_represented_keywords"]


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"number": 10}, r"mine\.npy: The number of vectors \(10\) differs from the number of examples \(120\)"),
        ({"columns": {"groups_column": "nope"}}, r"posts\.csv, row 1, column 'nope': There is no column 'nope'"),
    ],
)
def test_what_does_not_fit_the_data_is_refused_before_any_work(mira, choices, said):
    upload = vectors_upload(choices.get("number", 120))
    upload.name = "mine.npy"
    with pytest.raises(BadInput, match=said):
        make_split(mira, method="closest", vectors=upload, built=False, **choices.get("columns", {}))
    assert not Split.objects.exists()
