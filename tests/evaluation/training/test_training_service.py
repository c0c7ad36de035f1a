"""Baselines trained on stored data: queued, trained by a worker, registered, and ready to be run."""

import json
from dataclasses import replace
from io import StringIO

import pytest
from django.core.management import call_command
from django.urls import reverse
from rest_framework.test import APIClient

from core.errors import BadInput, Missing, NotAllowed
from core.models import Job
from evaluation.models import DetectionModel
from evaluation.registry.trying import try_texts
from evaluation.training.algorithm.cleaning import Cleaning
from evaluation.training.options import TrainingOptions
from evaluation.training.services import request_training
from tests.evaluation.attacks.factories import as_csv, finish, make_dataset
from tests.evaluation.splits.factories import tiny_encoder

pytestmark = pytest.mark.django_db
QUICK = {"epochs": (1,), "batch_size": (32,), "max_length": 16}
LINEAR = {"trainer": "linear:svm", "positive": ["abusive"]}


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


def test_a_linear_baseline_is_trained_and_registered(mira):
    job = request_training(make_dataset(mira), TrainingOptions(name="Linear on mild posts", **LINEAR), by=mira)
    finish(job)
    job.refresh_from_db()
    model = DetectionModel.objects.get(name="Linear on mild posts")
    assert (job.result["model"], model.trained_on) == (model.key, ["en"])
    assert "macro F1" in model.description
    assert job.result_url == model.get_absolute_url()
    answers = try_texts(model.versions.get(), ["You are all friends."])
    assert answers[0]["label"] in ("hateful", "non-hateful")


def test_an_encoder_is_fine_tuned_and_registered(mira, tmp_path):
    encoder = tiny_encoder(tmp_path / "encoder")
    options = TrainingOptions(name="Tiny", trainer=f"hf:{encoder}", positive=["abusive"], **QUICK)
    job = request_training(make_dataset(mira), options, by=mira)
    finish(job)
    job.refresh_from_db()
    assert set(job.result["test"]) >= {"macro_f1", "micro_f1"}
    version = DetectionModel.objects.get(name="Tiny").versions.get()
    assert version.spec.startswith("hf:")
    assert try_texts(version, ["A mild text."])[0]["score"] is not None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"name": " "}, "needs a name"),
        ({"trainer": "magic:wand"}, "is not a trainer"),
        ({"trainer": "linear:tree"}, "is not a trainer"),
        ({"trainer": "hf:"}, "Name an encoder"),
        ({"positive": ["rude"]}, "no label 'rude'"),
        ({"positive": []}, "not none or all"),
        ({"positive": ["abusive", "fine"]}, "not none or all"),
        ({"epochs": (0,)}, "epochs: Use at least 1"),
        ({"epochs": ()}, "epochs: Give at least one value"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_it_is_queued(mira, change, said):
    with pytest.raises(BadInput, match=said):
        request_training(make_dataset(mira), TrainingOptions(**{"name": "A", **LINEAR, **change}), by=mira)
    assert not Job.objects.filter(kind="evaluation.train").exists()


def test_only_maintainers_train(mira, emil):
    with pytest.raises(NotAllowed):
        request_training(make_dataset(mira), TrainingOptions(name="A", **LINEAR), by=emil)


def test_the_page_queues_a_training_and_says_what_is_wrong(client, mira, emil):
    dataset = make_dataset(mira)
    client.force_login(mira)
    assert dataset.title in client.get("/models/train/").content.decode()
    asked = {
        "name": "By page", "dataset": dataset.key, "positive": "rude", "trainer": "linear:logistic",
        "epochs": "3", "learning_rate": "5e-5", "batch_size": "16", "seeds": "0",
    }  # fmt: skip
    refused = client.post("/models/train/", asked)
    assert (refused.status_code, "no label &#x27;rude&#x27;" in refused.content.decode()) == (422, True)
    assert client.post("/models/train/", {**asked, "seeds": "one"}).status_code == 422
    answer = client.post("/models/train/", {**asked, "positive": "abusive"})
    job = Job.objects.get(kind="evaluation.train")
    assert answer.url == job.get_absolute_url()
    assert job.payload["tuning"]["learning_rate"] == [5e-5]
    client.force_login(emil)
    assert client.get("/models/train/").status_code == 403


def test_a_program_queues_a_training(mira, emil):
    dataset = make_dataset(mira)
    asked = {
        "name": "By program", "dataset": dataset.key, "trainer": "linear:svm", "positive": ["abusive"], "seeds": [3],
    }  # fmt: skip
    client = APIClient()
    client.force_authenticate(mira)
    answer = client.post("/api/v1/models/train/", asked, format="json")
    job = Job.objects.get(kind="evaluation.train")
    assert (answer.status_code, answer.json()["job"]) == (202, job.key)
    finish(job)
    assert DetectionModel.objects.filter(name="By program").exists()
    assert client.post("/api/v1/models/train/", {**asked, "dataset": "none"}, format="json").status_code == 404
    client.force_authenticate(emil)
    assert client.post("/api/v1/models/train/", asked, format="json").status_code == 403


def test_the_only_data_set_is_chosen_and_shows_its_labels(client, mira):
    dataset = make_dataset(mira)
    client.force_login(mira)
    page = client.get("/models/train/").content.decode()
    assert f'<option value="{dataset.key}" selected>{dataset.title} ({", ".join(dataset.labels)})</option>' in page
    refused = client.post("/models/train/", {"name": "Mine", "dataset": dataset.key, "positive": "rude",
        "trainer": "linear:svm", "epochs": "1", "learning_rate": "1", "batch_size": "1", "seeds": "0"})  # fmt: skip
    assert refused.status_code == 422
    assert 'value="Mine"' in refused.content.decode()


def test_several_data_sets_are_trained_on_and_tested_on_at_once(client, mira):
    first, second, third = (make_dataset(mira, title=title, number=120 - place) for place, title in enumerate("ABC"))
    client.force_login(mira)
    asked = {"name": "Both", "dataset": first.key, "more_datasets": [second.key], "test_datasets": [third.key]}
    client.post("/api/v1/models/train/", json.dumps(asked | LINEAR), content_type="application/json")
    assert client.post(reverse("evaluation:model-train"), {**asked, **LINEAR, "name": "Page"}).status_code == 302
    for name in ("Both", "Page"):
        job = Job.objects.get(kind="evaluation.train", payload__name=name)
        finish(job)
        job.refresh_from_db()
        assert set(job.result["tests"]) == {"A", "B", "C"}
        assert job.result["tests"]["C"]["n"] == sum(third.counts["test"].values())
        assert "A and B" in DetectionModel.objects.get(name=name).description


def test_a_data_set_that_is_not_there_is_refused(mira):
    options = TrainingOptions(name="A", more_datasets=["none"], **LINEAR)
    with pytest.raises(Missing, match="no data set 'none'"):
        request_training(make_dataset(mira), options, by=mira)


def test_the_command_trains_on_several_files_and_leaves_steps_of_cleaning_out(tmp_path):
    files = [tmp_path / name for name in ("one.csv", "two.csv", "three.csv")]
    for place, file in enumerate(files):
        file.write_bytes(as_csv(120 - place))
    out = StringIO()
    call_command(
        "finetune", "--data", *map(str, files[:2]), "--test", str(files[2]), "--encoder", "linear:logistic",
        "--keep", "emoji", "hashtags", "--out", str(tmp_path / "model"), "--json", stdout=out,
    )  # fmt: skip
    assert set(json.loads(out.getvalue())["tests"]) == {"one.csv", "two.csv", "three.csv"}
    kept = json.loads((tmp_path / "model" / "linear.json").read_text(encoding="utf-8"))["cleaning"]
    assert {step for step, is_taken in kept.items() if not is_taken} == {"emoji", "hashtags"}


def test_every_step_of_cleaning_can_be_left_out_on_its_own():
    for step in Cleaning.__dataclass_fields__:
        assert TrainingOptions(trainer="linear", keep=[step]).cleaner == replace(Cleaning(), **{step: False})
