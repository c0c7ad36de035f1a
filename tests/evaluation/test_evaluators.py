"""What an evaluator may do: register models, run them, hand in predictions. Not: publish, campaigns, others' models."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.errors import RoleTakesNoLanguage
from accounts.models import RoleName
from accounts.services import invitations, people
from core.errors import NotAllowed
from core.jobs import services as jobs
from evaluation.models import DetectionModel, EvaluationRun
from evaluation.registry.options import ChangeModelOptions
from evaluation.registry.services import change_model, load, register_model
from evaluation.runs.services import request_run
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, registered, run_model

pytestmark = pytest.mark.django_db
SPEC = "python:tests.evaluation.factories:by_word"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def private(release, mira):
    return make_release(release.suite, "2.0.0", cascade="none", access="private", by=mira)


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def predictions_of(release) -> SimpleUploadedFile:
    lines = [json.dumps({"case_id": key, "label": "hateful"}) for key in release.cases.values_list("key", flat=True)]
    return SimpleUploadedFile("predictions.jsonl", "\n".join(lines).encode(), "application/jsonl")


def test_the_role_is_given_and_invited_for_the_whole_instance(mira, vic):
    grant = people.grant_role(vic, RoleName.EVALUATOR, by=mira)
    assert str(grant) == "Evaluator (whole instance)"
    invitation, _secret = invitations.invite(role=RoleName.EVALUATOR, by=mira)
    assert invitation.get_role_display() == "Evaluator"
    with pytest.raises(RoleTakesNoLanguage, match="'Evaluator' applies to the whole instance"):
        people.grant_role(vic, RoleName.EVALUATOR, language="de", by=mira)


def test_an_evaluator_registers_a_model_and_runs_it(release, eva):
    started = api_of(eva).post("/api/v1/runs/", {"release": release.key, "spec": SPEC, "model": "Words"})
    assert started.status_code == 202
    result = jobs.perform(started.json()["job"], worker="test").result
    jobs.perform(EvaluationRun.objects.get().job.key, worker="test")
    api = api_of(eva)
    assert api.get(f"/api/v1/runs/{result['run']}/report/").json()["overall"]["accuracy"] == 1.0
    assert [model["name"] for model in api.get("/api/v1/models/").json()["results"]] == ["Words"]
    assert [job["key"] for job in api.get("/api/v1/jobs/").json()["results"]]


def test_an_evaluator_hands_in_predictions(release, eva):
    form = {"release": release.key, "model": "Mine", "predictions": predictions_of(release)}
    done = api_of(eva).post("/api/v1/runs/", form, format="multipart")
    assert (done.status_code, done.json()["source"]) == (201, "upload")
    page = api_of(eva).get(f"/api/v1/runs/{done.json()['key']}/cases/", {"show": "all"})
    assert page.json()["count"] == 6


def test_pages_offer_an_evaluator_what_they_may_do(release, private, eva, client):
    register_model("Words", SPEC, load(SPEC), by=eva)
    client.force_login(eva)
    for name in ("models", "model-new", "upload", "results"):
        assert client.get(reverse(f"evaluation:{name}")).status_code == 200
    listed = client.get(reverse("evaluation:models")).content.decode()
    assert "Register a model" in listed
    assert "Train a baseline" not in listed
    form = client.get(reverse("evaluation:model-new")).content.decode()
    assert release.key in form
    assert private.key not in form
    page = client.get(reverse("evaluation:model", args=["words"])).content.decode()
    assert "Run this model" in page
    assert "Attack this model" not in page
    started = client.post(reverse("evaluation:model-run", args=["words"]), {"release": release.key})
    assert started.status_code == 302
    run = EvaluationRun.objects.get()
    assert "Stop the run" in client.get(run.get_absolute_url()).content.decode()


def test_an_evaluator_steers_their_own_runs_only(release, mira, max_, eva):
    theirs = request_run(release, registered("by_word", name="Others"), by=mira)
    api = api_of(eva)
    assert api.get(f"/api/v1/runs/{theirs.key}/").status_code == 404
    mine = request_run(release, register_model("Mine", SPEC, load(SPEC), by=eva), by=eva)
    assert api.post(f"/api/v1/runs/{mine.key}/stop/").json()["state"] == "cancelled"
    assert api.post(f"/api/v1/runs/{mine.key}/resume/").json()["state"] == "queued"


def test_models_of_others_are_neither_seen_nor_run_nor_renewed(release, mira, eva):
    version = registered("by_word", name="Others")
    assert list(DetectionModel.objects.visible_to(eva)) == []
    with pytest.raises(NotAllowed, match="'Others' was registered by another person"):
        request_run(release, version, by=eva)
    with pytest.raises(NotAllowed, match="Use another name"):
        register_model("Others", SPEC, load(SPEC), by=eva)
    DetectionModel.objects.update(on_leaderboard=True)
    api = api_of(eva)
    assert api.post("/api/v1/models/others/try/", {"texts": ["I respect you."]}, format="json").status_code == 403
    assert api.patch("/api/v1/models/others/", {"description": "x"}, format="json").status_code == 403
    assert api.get("/api/v1/models/others/estimate/", {"release": release.key}).status_code == 403


def test_a_private_release_is_not_run(private, eva):
    version = register_model("Mine", SPEC, load(SPEC), by=eva)
    with pytest.raises(NotAllowed, match="not public"):
        request_run(private, version, by=eva)
    api = api_of(eva)
    form = {"release": private.key, "model": "Mine"}
    assert (
        api.post("/api/v1/runs/", {**form, "predictions": predictions_of(private)}, format="multipart").status_code
        == 404
    )
    assert api.post("/api/v1/models/", {"name": "New", "spec": SPEC, "release": private.key}).status_code == 403


def test_hidden_results_stay_hidden(release, mira, eva):
    version = register_model("Mine", SPEC, load(SPEC), by=eva, on_leaderboard=True)
    change_model(version.model, ChangeModelOptions(description="Ours."), by=mira)
    with pytest.raises(NotAllowed, match="Only maintainers can make the results of a model public again"):
        change_model(version.model, ChangeModelOptions(on_leaderboard=True), by=eva)
    assert change_model(version.model, ChangeModelOptions(description="Mine."), by=eva).description == "Mine."


def test_an_evaluator_cannot_publish_or_work_in_the_workshop(release, mira, eva, client):
    api = api_of(eva)
    key = release.key
    refused = {
        api.post("/api/v1/releases/", {"suite": release.suite.key, "version": "3.0.0"}).status_code,
        api.post(f"/api/v1/releases/{key}/withdraw/", {"reason": "x"}).status_code,
        api.post("/api/v1/campaigns/", {"suite": release.suite.key, "title": "x"}).status_code,
        api.post("/api/v1/models/train/", {"dataset": "x"}).status_code,
        api.get("/api/v1/people/").status_code,
        api.get("/api/v1/shared-results/").status_code,
        api.post("/api/v1/invitations/", {"role": "evaluator"}).status_code,
    }
    assert refused <= {403, 404}
    client.force_login(eva)
    for name in ("curation:release-new", "curation:release-import", "accounts:people", "annotation:campaigns"):
        assert client.get(reverse(name)).status_code in (403, 404), name
    assert run_model(release, "by_word", name="Theirs", by=mira).key not in str(api.get("/api/v1/runs/").json())


def test_an_annotator_is_no_evaluator(release, ana):
    refused = api_of(ana).post("/api/v1/runs/", {"release": release.key, "spec": SPEC, "model": "Words"})
    assert refused.status_code == 403
    assert "You need the role of evaluator" in refused.json()["title"]
