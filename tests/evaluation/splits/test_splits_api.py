"""Splits for programs: every representation, publishing as a release, correlations of an experiment."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from core.models import Job
from curation.models import Release
from evaluation.models import Split
from evaluation.splits.experiments import request_experiment
from evaluation.splits.options import ExperimentOptions
from tests.evaluation.attacks.factories import finish, make_dataset, make_split
from tests.evaluation.splits.factories import tiny_encoder, vectors_upload

pytestmark = pytest.mark.django_db
ROOT = "/api/v1"


@pytest.fixture(autouse=True)
def _uploads(settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "uploads"


@pytest.fixture
def api(mira) -> APIClient:
    client = APIClient()
    client.force_login(mira)
    return client


def test_a_bottleneck_is_trained_for_a_split(api, mira, tmp_path):
    values = {
        "dataset": make_dataset(mira).key, "method": "closest", "encoder": str(tiny_encoder(tmp_path / "encoder")),
        "reduce": "bottleneck", "dimensions": 10, "epochs": 1, "k_max": 5,
    }  # fmt: skip
    answer = api.post(f"{ROOT}/splits/", values, format="json")
    assert answer.status_code == 202
    finish(Job.objects.get(key=answer.json()["job"]))
    told = api.get(f"{ROOT}/splits/{answer.json()['key']}/").json()
    assert told["report"]["representation"].endswith("/encoder (fine-tuned, bottleneck 10)")
    assert told["report"]["dimensions"] == 10
    assert told["suite"] is None


def test_vectors_are_uploaded_and_lent(api, mira):
    dataset = make_dataset(mira)
    values = {"dataset": dataset.key, "method": "closest", "k_max": 5, "vectors": vectors_upload()}
    first = api.post(f"{ROOT}/splits/", values, format="multipart")
    assert first.status_code == 202
    finish(Job.objects.get(key=first.json()["job"]))
    lent = {"dataset": dataset.key, "method": "subset_sum", "k_max": 5, "vectors_of": first.json()["key"]}
    second = api.post(f"{ROOT}/splits/", lent, format="json")
    assert second.status_code == 202
    finish(Job.objects.get(key=second.json()["job"]))
    assert Split.objects.get(key=second.json()["key"]).report["dimensions"] == 6


def test_a_split_becomes_a_release_and_is_published(api, mira):
    split = make_split(mira)
    answer = api.post(f"{ROOT}/splits/{split.key}/release/", {"key": "mild-split"}, format="json")
    assert answer.status_code == 202
    assert answer.json()["release"] == "mild-split@1.0.0"
    finish(Job.objects.get(key=answer.json()["job"]))
    api.force_login(mira)  # publishing asks for a fresh sign-in
    published = api.post(f"{ROOT}/releases/mild-split@1.0.0/publish/", {"reason": "For a test."}, format="json")
    assert published.status_code == 200
    assert Release.objects.get().state == "published"
    assert api.get(f"{ROOT}/splits/{split.key}/").json()["suite"] == "mild-split"


def test_a_release_says_why_it_cannot_be_made(api, mira, emil):
    split = make_split(mira, built=False)
    answer = api.post(f"{ROOT}/splits/{split.key}/release/", {"key": "mild-split"}, format="json")
    assert answer.status_code == 409
    assert "not built yet" in answer.json()["title"]
    assert api.post(f"{ROOT}/splits/{split.key}/release/", {}, format="json").status_code == 400
    stranger = APIClient()
    stranger.force_login(emil)
    assert stranger.post(f"{ROOT}/splits/{split.key}/release/", {"key": "x"}, format="json").status_code == 404


def test_an_experiment_tells_its_correlations(api, mira):
    split = make_split(mira)
    answer = api.post(f"{ROOT}/experiments/", {"splits": [split.key], "seeds": [1]}, format="json")
    finish(Job.objects.get(key=answer.json()["job"]))
    assert api.get(f"{ROOT}/experiments/{answer.json()['key']}/").json()["correlations"] == []


def test_pictures_and_the_matrix_of_trainers_are_handed_out(api, mira):
    dataset = make_dataset(mira)
    chance = make_split(mira, dataset=dataset)
    hidden = make_split(mira, dataset=dataset, method="closest", vectors=vectors_upload(), k_max=5, initialisations=1)
    for colour in ("part", "label"):
        answer = api.get(f"{ROOT}/splits/{hidden.key}/picture/", {"colour": colour})
        assert answer["Content-Type"] == "image/svg+xml"
        assert answer.content.startswith(b"<svg")
    assert api.get(f"{ROOT}/splits/{chance.key}/picture/").status_code == 404
    experiment = request_experiment([chance, hidden], ExperimentOptions(trainer="linear", seeds=[1, 2]), by=mira)
    finish(experiment.job)
    told = api.get(f"{ROOT}/experiments/{experiment.key}/matrix/").json()
    assert set(told) == {chance.key, hidden.key}
    assert 0 <= told[hidden.key]["linear"] <= 1


def test_the_list_of_experiments_costs_the_same_however_long(api, mira):
    split = make_split(mira)

    def cost() -> int:
        with CaptureQueriesContext(connection) as asked:
            assert api.get(f"{ROOT}/experiments/").status_code == 200
        return len(asked)

    finish(request_experiment([split], ExperimentOptions(trainer="linear", seeds=[1]), by=mira).job)
    one = cost()
    for _ in range(2):
        finish(request_experiment([split], ExperimentOptions(trainer="linear", seeds=[1]), by=mira).job)
    assert cost() == one
