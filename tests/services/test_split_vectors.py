"""Where the vectors of a latent split come from, and what is drawn and said from them."""

from __future__ import annotations

import json

import numpy as np
import pytest

from curation.errors import BadInput
from evaluation.models import Split
from evaluation.services.split_building import telling_words
from evaluation.services.splitting import build_split, data_of, folder_of, picture_of
from tests.attack_ground import make_dataset, make_split
from tests.split_ground import FEW, tiny_encoder, vectors_file

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
    assert split.report["representation"].endswith(said)
    assert note["dataset_sha256"] == split.report["dataset_sha256"]
    assert split.report["class_counts"] == {"abusive": 4, "fine": 8}


def test_umap_reduces_the_vectors_and_draws_the_picture(mira):
    split = make_split(
        mira, method="closest", vectors_file=vectors_file(dimensions=12), reduce="umap", dimensions=10, picture="umap",
        **FEW,
    )  # fmt: skip
    other = make_split(mira, dataset=split.dataset, method="closest", vectors_of=split.key, **FEW)
    assert split.report["dimensions"] == 10
    drawn = picture_of(split, "part").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert drawn != picture_of(other, "part").read_text(encoding="utf-8")  # which is drawn by principal components
    assert build_split(split).sha256 == split.sha256


def test_training_never_sees_the_independent_part(mira, encoder, monkeypatch):
    from evaluation.splits import bottleneck

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


def test_an_earlier_split_lends_its_vectors(mira):
    first = make_split(mira, method="closest", vectors_file=vectors_file(), **FEW)
    second = make_split(mira, dataset=first.dataset, method="subset_sum", vectors_of=first.key, **FEW)
    assert np.array_equal(stored(first)[0], stored(second)[0])
    assert second.report["representation"] == first.report["representation"]
    assert second.report["problems"] == []  # the note beside them says whose they are


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"reduce": "bottleneck"}, "cannot be trained"),
        ({"fine_tune": True}, "cannot be trained"),
        ({"reduce": "tsne"}, "cannot be reduced by 'tsne'"),
        ({"picture": "tsne"}, "No picture is drawn by 'tsne'"),
        ({"encoder": "somewhere"}, "from one place"),
        ({"vectors_file": "", "vectors_of": "split-none"}, "No split 'split-none' of this data set"),
        ({"dimensions": 0}, "must be positive"),
        ({"epochs": 0}, "must be positive"),
    ],
)
def test_what_cannot_give_vectors_is_refused_at_the_door(mira, choices, said):
    given = {"vectors_file": vectors_file(), **choices}
    with pytest.raises(BadInput, match=said):
        make_split(mira, method="closest", built=False, **given)
    assert not Split.objects.exists()


def test_vectors_of_another_data_set_are_not_lent(mira):
    first = make_split(mira, method="closest", vectors_file=vectors_file(), **FEW)
    with pytest.raises(BadInput, match="of this data set"):
        make_split(mira, dataset=make_dataset(mira, title="Other", number=60), method="closest", vectors_of=first.key)


def test_more_dimensions_than_there_are_is_said(mira):
    split = make_split(mira, method="closest", vectors_file=vectors_file(), reduce="pca", dimensions=50, built=False)
    with pytest.raises(BadInput, match="cannot be reduced to 50 dimensions"):
        build_split(split)


def test_keywords_are_the_users_or_those_that_tell_the_labels_apart(mira):
    own = make_split(mira, method="closest", vectors_file=vectors_file(), keywords=["lousy", "unheard"], **FEW)
    assert set(own.report["properties"]["under_represented_keywords"]) <= {"lousy"}
    told = make_split(mira, dataset=own.dataset, method="likelihood")
    words = telling_words(data_of(told), language="en")
    assert {"lousy", "awful"} <= set(words)
    assert set(told.report["properties"]["under_represented_keywords"]) <= set(words)
    assert told.report["properties"]["under_represented_keywords"]


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"number": 10}, r"mine\.npy: 10 vectors for 120 examples"),
        ({"columns": {"groups_column": "nope"}}, r"posts\.csv, row 1, column 'nope': there is no column 'nope'"),
    ],
)
def test_what_does_not_fit_the_data_is_refused_before_any_work(mira, choices, said):
    stored = vectors_file(choices.get("number", 120))
    with pytest.raises(BadInput, match=said):
        make_split(
            mira, method="closest", vectors_file=stored, vectors_name="mine.npy", built=False,
            **choices.get("columns", {}),
        )  # fmt: skip
    assert not Split.objects.exists()
