"""Runs and candidates for programs."""

from collections.abc import Iterator

import pytest
from rest_framework.test import APIClient

from curation.models import TestCase
from generation.models import GenerationRun
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db
RUNS = "/api/v1/generation-runs/"


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def suite(db):
    return ground.make_suite()


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def wish(server: ground.Server, **facts: object) -> dict[str, object]:
    return {
        "suite": "written",
        "functionality": "ident_pos_nh",
        "groups": ["women"],
        "provider": server.provider_yaml(),
        "wanted": 6,
        "per_request": 3,
        **facts,
    }


def test_a_maintainer_estimates_starts_and_decides(suite, server, mira):
    api = api_of(mira)
    estimate = api.post(f"{RUNS}estimate/", wish(server)).json()
    assert (estimate["requests"], estimate["reused"], estimate["most_requests"]) == (2, 0, 6)
    assert 0 < estimate["cost"] < estimate["most_cost"]
    assert server.seen == []
    told = api.post(RUNS, wish(server))
    assert told.status_code == 201
    run = GenerationRun.objects.get(key=told.json()["key"])
    assert (told.json()["state"], told.json()["groups"]) == ("queued", ["women"])
    ground.perform(run)
    listed = api.get(f"{RUNS}{run.key}/candidates/").json()
    assert listed["count"] == 6
    assert listed["results"][0]["text"] == ground.message_of(0, 0)
    assert listed["results"][0]["passed"] is None
    decide = f"{RUNS}{run.key}/candidates/1/decide/"
    edited = api.post(decide, {"decision": "edit", "text": "Women win at chess."}).json()
    assert (edited["text"], edited["original_text"]) == ("Women win at chess.", ground.message_of(0, 0))
    assert api.post(decide, {"decision": "accept"}).json()["case"] == "en-00001"
    assert api.post(decide, {"decision": "accept"}).status_code == 409
    second = f"{RUNS}{run.key}/candidates/2/decide/"
    assert api.post(second, {"decision": "reject"}).status_code == 422
    assert api.post(second, {"decision": "reject", "reason": "dull"}).json()["state"] == "rejected"
    assert api.post(second, {"decision": "reconsider"}).json()["state"] == "proposed"
    assert api.post(second, {"decision": "explode"}).status_code == 400
    report = api.post(f"{RUNS}{run.key}/decide/", {"rule": "accept_clean"}).json()
    assert report == {"accepted": 5, "rejected": 0, "skipped": []}
    assert TestCase.objects.filter(origin="llm").count() == 6
    assert api.get(f"{RUNS}{run.key}/candidates/", {"state": "proposed"}).json()["count"] == 0


def test_runs_are_listed_filtered_stopped_and_resumed(suite, server, mira):
    api = api_of(mira)
    key = api.post(RUNS, wish(server)).json()["key"]
    assert api.get(RUNS, {"state": "queued", "suite": "written"}).json()["count"] == 1
    assert api.get(RUNS, {"state": "done"}).json()["count"] == 0
    assert api.post(f"{RUNS}{key}/cancel/").json()["state"] == "stopped"
    assert api.post(f"{RUNS}{key}/resume/").json()["state"] == "queued"
    assert api.post(f"{RUNS}{key}/resume/").status_code == 409


def test_strangers_and_annotators_see_nothing_and_experts_spend_nothing(suite, server, mira, emil, ana):
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    assert APIClient().get(RUNS).status_code == 401
    assert api_of(ana).get(RUNS).json()["count"] == 0
    assert api_of(ana).get(f"{RUNS}{run.key}/").status_code == 404
    assert api_of(ana).get(f"{RUNS}{run.key}/candidates/").json()["count"] == 0
    assert api_of(emil).get(RUNS).json()["count"] == 1
    assert api_of(emil).post(RUNS, wish(server)).status_code == 403
    assert api_of(emil).post(f"{RUNS}{run.key}/candidates/1/decide/", {"decision": "accept"}).status_code == 403


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        ({"suite": "nowhere"}, 404),
        ({"functionality": "nothing"}, 404),
        ({"groups": ["martians"]}, 404),
        ({"groups": []}, 422),
        ({"wanted": 0}, 400),
        ({"provider": "kind: nonsense"}, 422),
        ({"provider": "kind: openai_compatible\nmodel: m\nbase_url: http://10.1.1.1/v1"}, 422),
    ],
)
def test_bad_wishes_are_refused_with_the_reason(suite, server, mira, facts, status):
    told = api_of(mira).post(RUNS, wish(server, **facts))
    assert told.status_code == status, told.content
    assert not GenerationRun.objects.exists()


def test_a_threshold_that_is_no_number_is_refused(suite, server, mira):
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    api = api_of(mira)
    assert api.get(f"{RUNS}{run.key}/candidates/", {"threshold": "high"}).status_code == 422
    assert api.get(f"{RUNS}{run.key}/candidates/", {"threshold": "0.7"}).status_code == 200


def test_a_maintainer_has_candidates_checked(suite, server, mira, emil):
    run = ground.finished_run(suite, server, by=mira)
    assert api_of(emil).post(f"{RUNS}{run.key}/check/", {"model": "a/model"}).status_code == 403
    assert api_of(mira).post(f"{RUNS}{run.key}/check/", {}).status_code == 400
    told = api_of(mira).post(f"{RUNS}{run.key}/check/", {"model": "a/model"})
    assert told.status_code == 202
    assert told.json()["kind"] == "generation.check"


def test_a_seed_out_of_range_is_refused(suite, server, mira):
    told = api_of(mira).post(RUNS, wish(server, seed=2**40))
    assert told.status_code in (400, 422)
    assert not GenerationRun.objects.exists()


def test_answers_are_read_with_what_became_of_them(suite, server, mira, emil, ana):
    server.answer = lambda number, body: (ground.refuses if number == 0 else ground.writes_new_ones)(number, body)
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    address = f"{RUNS}{run.key}/answers/"
    told = api_of(emil).get(address).json()
    assert [(item["outcome"], item["messages"]) for item in told["results"]] == [("refusal", 0), ("messages", 3)]
    first = told["results"][0]
    assert (first["run"], first["seed"], first["parameters"]["max_tokens"]) == (run.key, run.seed, 100)
    assert "sorry" in first["raw"]
    assert api_of(emil).get(address, {"outcome": "refusal"}).json()["count"] == 1
    assert api_of(emil).get(address, {"outcome": "nonsense"}).status_code == 400
    assert api_of(ana).get(address).status_code == 404
    assert api_of(mira).get(f"{RUNS}run-0/answers/").status_code == 404


def test_thresholds_are_kept_and_move_the_verdicts(suite, server, mira, emil):
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    address = f"{RUNS}{run.key}/thresholds/"
    told = api_of(mira).post(address, {"threshold": 0.4, "thresholds": {"positive": 0.2}}, format="json").json()
    assert (told["threshold"], told["thresholds"]) == (0.4, {"positive": 0.2})
    strange = api_of(mira).post(address, {"threshold": 0.4, "thresholds": {"sunny": 0.2}}, format="json")
    assert (strange.status_code, "has no hypothesis 'sunny'" in strange.json()["title"]) == (422, True)
    half = '{"threshold": 0.4, "thresholds": {"\\ud800": 0.2}}'
    assert api_of(mira).post(address, half, content_type="application/json").status_code == 400
    assert api_of(mira).post(address, {"threshold": 3}, format="json").status_code == 400
    listed = f"{RUNS}{run.key}/candidates/"
    assert [api_of(mira).get(listed, {"threshold": value}).status_code for value in ("nan", "7", "x", "1")] == [
        *[422] * 3,
        200,
    ]
    assert api_of(mira).post(RUNS, wish(server, nli_model="x" * 301), format="json").status_code == 400
    assert api_of(emil).post(address, {"threshold": 0.4}, format="json").status_code == 403


def test_a_rule_for_very_many_answers_with_a_job(suite, server, mira, monkeypatch):
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    monkeypatch.setattr("generation.candidates.deciding.AT_ONCE", 2)
    told = api_of(mira).post(f"{RUNS}{run.key}/decide/", {"rule": "accept_clean"}, format="json")
    assert (told.status_code, told.json()["kind"]) == (202, "generation.decide")
    assert TestCase.objects.count() == 0
