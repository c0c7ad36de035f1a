"""Models and runs for programs, as the Python client asks for them."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from core.jobs import services as jobs
from core.models import Job
from evaluation.models import DetectionModel, EvaluationRun
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, registered, run_model

pytestmark = pytest.mark.django_db
SPEC = "python:tests.evaluation.factories:by_word"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def test_a_run_is_started_watched_and_read(release, mira):
    registered("by_word", name="Words")
    api = api_of(mira)
    assert [model["name"] for model in api.get("/api/v1/models/").json()["results"]] == ["Words"]
    started = api.post("/api/v1/runs/", {"release": release.key, "model": "Words"})
    assert started.status_code == 201
    run = started.json()
    assert (run["state"], run["done"], run["total"]) == ("queued", 0, 6)
    early = api.get(f"/api/v1/runs/{run['key']}/report/")
    assert (early.status_code, early.json()["code"]) == (404, "missing")
    jobs.perform(run["job"], worker="test")
    assert api.get(f"/api/v1/runs/{run['key']}/").json()["state"] == "done"
    assert api.get(f"/api/v1/runs/{run['key']}/report/").json()["overall"]["n"] == 6
    found = api.get("/api/v1/results/", {"release": release.key}).json()
    assert found["models"]["Words"]["by_functionality"]["ident_pos_nh"]["n"] == 3


def test_a_model_is_registered_by_a_worker_and_run_at_once(release, mira):
    started = api_of(mira).post("/api/v1/runs/", {"release": release.key, "spec": SPEC, "model": "Words"})
    assert started.status_code == 202
    job = jobs.perform(started.json()["job"], worker="test")
    assert EvaluationRun.objects.get().key == job.result["run"]
    assert DetectionModel.objects.get().name == "Words"


def test_predictions_are_handed_in_as_the_client_sends_them(release, mira):
    lines = [json.dumps({"case_id": key, "label": "hateful"}) for key in release.cases.values_list("key", flat=True)]
    form = {"release": release.key, "model": "Mine"}
    file = SimpleUploadedFile("predictions.jsonl", "\n".join(lines).encode(), "application/jsonl")
    done = api_of(mira).post("/api/v1/runs/", {**form, "predictions": file}, format="multipart")
    assert (done.status_code, done.json()["state"], done.json()["source"]) == (201, "done", "upload")
    short = SimpleUploadedFile("predictions.jsonl", lines[0].encode())
    refused = api_of(mira).post("/api/v1/runs/", {**form, "predictions": short}, format="multipart")
    assert (refused.status_code, refused.json()["code"]) == (422, "bad_input")


def test_predictions_are_handed_in_with_their_own_words(release, mira):
    lines = ["case_id,a,b", *(f"{key},bin,keep" for key in release.cases.values_list("key", flat=True))]
    form = {"release": release.key, "model": "Mine", "column": "a", "label_map": "bin=hateful, keep=non-hateful"}
    file = SimpleUploadedFile("p.csv", "\n".join(lines).encode())
    done = api_of(mira).post("/api/v1/runs/", {**form, "predictions": file}, format="multipart").json()
    assert (done["state"], done["problems"]) == ("done", [])
    report = api_of(mira).get(f"/api/v1/runs/{done['key']}/report/").json()
    assert report["by_label"]["hateful"]["accuracy"] == 1.0


def test_strangers_see_public_results_only_and_start_nothing(release, mira, emil, vic):
    run = run_model(release, "by_word", name="Words", by=mira)
    assert APIClient().get("/api/v1/runs/").json()["results"] == []
    assert APIClient().get(f"/api/v1/runs/{run.key}/").status_code == 404
    assert APIClient().post("/api/v1/runs/", {"release": release.key, "model": "Words"}).status_code == 401
    for person in (vic, emil):
        assert api_of(person).post("/api/v1/runs/", {"release": release.key, "model": "Words"}).status_code == 403
    DetectionModel.objects.update(on_leaderboard=True)
    assert APIClient().get(f"/api/v1/runs/{run.key}/report/").status_code == 200


@pytest.mark.parametrize(
    ("body", "status", "why"),
    [
        ({"release": "none@1", "model": "Words"}, 404, "no release 'none@1'"),
        ({"release": "small@1.0.0", "model": "Nobody"}, 404, "no model 'Nobody'"),
        ({"release": "small@1.0.0"}, 422, "Name a registered model"),
        ({"release": "small@1.0.0", "spec": "nonsense"}, 422, "does not name a model"),
    ],
)
def test_a_refusal_says_why(release, mira, body, status, why):
    refused = api_of(mira).post("/api/v1/runs/", body)
    assert refused.status_code == status
    assert why in refused.json()["title"]


def test_a_run_is_stopped_and_goes_on(release, mira):
    registered("by_word", name="Words")
    api = api_of(mira)
    key = api.post("/api/v1/runs/", {"release": release.key, "model": "words"}).json()["key"]
    assert api.post(f"/api/v1/runs/{key}/stop/").json()["state"] == "cancelled"
    assert api.post(f"/api/v1/runs/{key}/resume/").json()["state"] == "queued"
    assert api.post(f"/api/v1/runs/{key}/resume/").status_code == 409
    assert Job.objects.get().state == "queued"


def test_two_runs_are_compared(release, mira):
    first = run_model(release, "by_word", name="Words", by=mira)
    second = run_model(release, "always_hateful", name="Always", by=mira)
    found = api_of(mira).get(f"/api/v1/runs/{first.key}/comparison/", {"with": second.key}).json()
    assert found["overall"]["only_first_right"] == 4
    assert found["overall"]["only_second_right"] == 0


def test_a_model_is_made_public_and_stands_on_the_leaderboard(release, mira, emil):
    run_model(release, "by_word", name="Words", by=mira)
    run_model(release, "always_hateful", name="Always", by=mira)
    address = f"/api/v1/leaderboard/?release={release.key}"
    assert api_of(mira).get(address).json()["ranking"] == []
    assert api_of(emil).patch("/api/v1/models/words/", {"on_leaderboard": True}).status_code == 403
    changed = api_of(mira).patch("/api/v1/models/words/", {"on_leaderboard": True, "trained_on": ["en"]})
    assert (changed.status_code, changed.json()["trained_on"]) == (200, ["en"])
    (entry,) = api_of(mira).get(address).json()["ranking"]
    assert (entry["model"], entry["rank"], entry["is_verified"], entry["accuracy"]) == ("Words", 1, True, 1.0)
    assert api_of(mira).get("/api/v1/leaderboard/?release=no@1").status_code == 404


def test_the_cases_behind_a_figure_are_read_page_by_page(release, mira, vic):
    run = run_model(release, "always_hateful", name="Always", by=mira)
    address = f"/api/v1/runs/{run.key}/cases/"
    wrong = api_of(mira).get(address).json()
    assert wrong["count"] == 4
    assert {(case["gold"], case["label"]) for case in wrong["results"]} == {("non-hateful", "hateful")}
    everything = api_of(mira).get(address, {"show": "all", "label": "hateful"}).json()
    assert everything["count"] == 2
    assert api_of(vic).get(address).status_code == 404


def test_languages_are_given_by_their_codes(release, mira):
    registered("by_word", name="Words")
    body = {"name": "New", "spec": SPEC, "trained_on": ["English"]}
    for refused in (
        api_of(mira).patch("/api/v1/models/words/", {"trained_on": ["English"]}, format="json"),
        api_of(mira).post("/api/v1/models/", body, format="json"),
    ):
        assert refused.status_code == 422
        assert "no language code" in refused.json()["title"]
