"""Results that come back: sealed, on exactly this release, recomputed or self-reported, from an evaluator."""

import copy
import json

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from accounts.services import tokens
from curation.releases.export import export_release
from evaluation.models import DetectionModel, EvaluationRun, ReportedResult
from evaluation.registry.options import ChangeModelOptions
from evaluation.registry.services import change_model
from evaluation.reports.submission import make_submission, seal_of
from tests.curation.releases.factories import make_release, make_suite
from tests.evaluation.factories import allow_models, by_word, run_model
from touchstone import evaluate

pytestmark = pytest.mark.django_db
PUSH = "/api/v1/results/push/"


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def result(release, tmp_path):
    """What `touchstone evaluate` writes about the exported release."""
    export_release(release, tmp_path / "exported", formats=("csv",))
    return json.loads(json.dumps(evaluate(tmp_path / "exported", by_word, name="Words").as_json(), default=float))


def api_of(user, scope="write") -> APIClient:
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=f"Bearer {tokens.create_token(user, name='push', scope=scope)[1]}")
    return client


def push(user, submission) -> tuple[int, dict]:
    answer = api_of(user).post(PUSH, submission, format="json")
    return answer.status_code, answer.json()


def resealed(submission, **facts) -> dict:
    """What somebody sends who changes a result and makes a new seal."""
    content = {**copy.deepcopy(submission), **facts}
    content.pop("seal")
    return {**content, "seal": seal_of(content)}


def test_predictions_are_measured_here(release, result, eva):
    status, said = push(eva, make_submission(result))
    assert (status, said["source"], said["model"], said["is_public"]) == (201, "recomputed", "Words", True)
    assert said["differences"] == []
    run = EvaluationRun.objects.get(key=said["key"])
    assert (run.source, run.state, run.created_by) == ("upload", "done", eva)
    assert run.model_version.fingerprint == result["models"]["Words"]["run"]["fingerprint"]
    assert run.report.values["overall"]["accuracy"] == 1.0
    assert run.environment["reported"]["kind"] == "function"
    assert not run.model_version.is_askable


def test_the_same_result_again_changes_nothing(release, result, eva):
    first = push(eva, make_submission(result))
    again = push(eva, make_submission(result))
    assert (first[0], again[0]) == (201, 200)
    assert first[1]["key"] == again[1]["key"]
    assert EvaluationRun.objects.count() == 1
    for status in (201, 200):
        assert push(eva, make_submission(result, with_predictions=False))[0] == status
    assert ReportedResult.objects.count() == 1


def test_figures_without_predictions_are_self_reported(release, result, eva, client):
    status, said = push(eva, make_submission(result, with_predictions=False))
    assert (status, said["source"]) == (201, "self-reported")
    reported = ReportedResult.objects.get(key=said["key"])
    assert reported.overall["accuracy"] == 1.0
    assert not EvaluationRun.objects.exists()
    found = client.get("/api/v1/leaderboard/", {"release": release.key}).json()
    assert found["ranking"] == []
    assert [(one["model"], one["source"], one["accuracy"]) for one in found["reported"]] == [
        ("Words", "self-reported", 1.0)
    ]
    page = client.get(reverse("evaluation:leaderboard", args=[release.suite.key, release.version])).content.decode()
    assert "Self-reported results" in page
    assert "self-reported" in page


def test_the_leaderboard_tells_the_three_kinds_apart(release, result, eva, mira, client):
    here = run_model(release, "always_hateful", name="Here", by=mira)
    DetectionModel.objects.filter(pk=here.model_version.model_id).update(on_leaderboard=True)
    push(eva, make_submission(result))
    push(eva, make_submission(result, name="Claimed", with_predictions=False))
    found = client.get("/api/v1/leaderboard/", {"release": release.key}).json()
    assert {one["model"]: (one["source"], one["is_verified"]) for one in found["ranking"]} == {
        "Here": ("run", True),
        "Words": ("recomputed", False),
    }
    assert [one["model"] for one in found["reported"]] == ["Claimed"]
    page = client.get(reverse("evaluation:leaderboard", args=[release.suite.key, release.version])).content.decode()
    assert all(word in page for word in ("computed here", "recomputed", "self-reported"))


def test_a_measured_result_takes_the_place_of_the_self_reported_one(release, result, eva, client):
    push(eva, make_submission(result, with_predictions=False))
    push(eva, make_submission(result))
    found = client.get("/api/v1/leaderboard/", {"release": release.key}).json()
    assert ([one["model"] for one in found["ranking"]], found["reported"]) == (["Words"], [])


def test_figures_that_the_predictions_do_not_give_are_named(release, result, eva):
    boast = make_submission(result)
    wrong = ["non-hateful" for _ in boast["predictions"]["label"]]
    sent = resealed(boast, predictions={**boast["predictions"], "label": wrong})
    status, said = push(eva, sent)
    assert status == 201
    assert said["differences"][0].startswith("accuracy: 1.0 was reported, 0.")
    assert EvaluationRun.objects.get().report.values["overall"]["accuracy"] < 1


def test_a_result_on_another_release_is_refused(release, result, eva, mira):
    status, said = push(eva, resealed(make_submission(result), release_sha256="0" * 64))
    assert status == 422
    assert "The result is on another small@1.0.0" in said["title"]
    status, said = push(eva, resealed(make_submission(result), release="other@1.0.0"))
    assert (status, "There is no release 'other@1.0.0' here" in said["title"]) == (404, True)
    make_release(release.suite, "2.0.0", cascade="none", access="private", by=mira)
    assert push(eva, resealed(make_submission(result), release="small@2.0.0"))[0] == 404
    assert not EvaluationRun.objects.exists()
    assert not DetectionModel.objects.exists()


def test_a_broken_seal_is_refused(release, result, eva):
    changed = make_submission(result)
    changed["figures"]["overall"]["accuracy"] = 0.99
    status, said = push(eva, changed)
    assert (status, said["title"]) == (
        422, "The result was changed on its way: its seal does not fit. Push it again.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"format": "other/1"}, "This is not a result of `touchstone push`"),
        ({"labels": ["yes", "no"]}, "The result has the labels yes and no"),
        ({"model": ""}, "'model' of the result is not a text"),
        ({"figures": {"overall": {"n": 1, "accuracy": 7, "macro_f1": 1}, "by_functionality": {}}}, "7 is not a share"),
        ({"figures": {}}, "The result is damaged"),
        ({"environment": 3}, "The result is damaged"),
        ({"predictions": {"case": ["x"], "label": ["hateful"], "score": [None]}}, "does not have: x"),
        ({"predictions": {"case": [], "label": [], "score": []}}, "6 cases of small@1.0.0 have no prediction"),
        ({"predictions": {"case": ["x"], "label": [], "score": []}}, "The result is damaged"),
        ({"predictions": {"case": ["x", "x"], "label": ["a", "a"], "score": [1, 1]}}, "has two predictions"),
    ],
)
def test_what_cannot_be_taken_in_is_refused_with_a_sentence(release, result, eva, facts, sentence):
    status, said = push(eva, resealed(make_submission(result), **facts))
    assert status == 422
    assert sentence in said["title"]
    assert not EvaluationRun.objects.exists()
    assert not DetectionModel.objects.exists()


def test_a_label_of_no_suite_and_a_part_of_the_cases_are_refused(release, result, eva):
    submission = make_submission(result)
    words = ["nasty", *submission["predictions"]["label"][1:]]
    status, said = push(eva, resealed(submission, predictions={**submission["predictions"], "label": words}))
    assert (status, "'nasty', which is no label of small@1.0.0" in said["title"]) == (422, True)
    figures = {"overall": {**submission["figures"]["overall"], "n": 3}, "by_functionality": {}}
    status, said = push(eva, resealed(submission, figures=figures, predictions=None))
    assert (status, "Evaluate all of them" in said["title"]) == (422, True)


def test_who_is_no_evaluator_pushes_nothing(release, result, ana, emil, vic, eva):
    submission = make_submission(result)
    for user in (ana, emil, vic):
        assert push(user, submission)[0] == 403
    assert APIClient().post(PUSH, submission, format="json").status_code in (401, 403)
    assert api_of(eva, scope="read").post(PUSH, submission, format="json").status_code == 403
    assert not EvaluationRun.objects.exists()


def test_the_name_of_somebody_elses_model_is_refused(release, result, eva, mira):
    run_model(release, "by_word", name="Words", by=mira)
    status, said = push(eva, make_submission(result))
    assert (status, "'Words' was registered by another person" in said["title"]) == (403, True)
    assert push(eva, make_submission(result, name="My words"))[0] == 201
    assert push(mira, make_submission(result))[0] == 201


def test_a_hidden_model_stays_hidden(release, result, eva, mira, client):
    push(eva, make_submission(result))
    change_model(DetectionModel.objects.get(), ChangeModelOptions(), by=mira)
    status, said = push(eva, make_submission(result, with_predictions=False))
    assert (status, said["is_public"]) == (201, False)
    found = client.get("/api/v1/leaderboard/", {"release": release.key}).json()
    assert (found["ranking"], found["reported"]) == ([], [])
