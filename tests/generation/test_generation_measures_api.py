"""Prompts, expansions, pass rates and diversity for programs."""

from collections.abc import Iterator

import pytest
from rest_framework.test import APIClient

from core.jobs import services as jobs
from core.models import Job
from curation.models import TestCase
from generation.candidates.deciding import decide_by_rule
from generation.checks.versions import shipped_rules
from generation.models import Prompt
from tests.generation import factories as ground

pytestmark = pytest.mark.django_db
PROMPT = "/api/v1/prompts/en/ident_pos_nh/"
EVERYTHING = [
    ("get", "/api/v1/prompts/"),
    ("get", PROMPT),
    ("post", PROMPT),
    ("get", f"{PROMPT}compare/"),
    ("post", f"{PROMPT}fill/"),
    ("post", f"{PROMPT}trials/"),
    ("post", "/api/v1/expansions/"),
    ("post", "/api/v1/expansions/count/"),
    ("get", "/api/v1/pass-rates/"),
    ("post", "/api/v1/diversity/"),
]


@pytest.fixture
def server() -> Iterator[ground.Server]:
    with ground.running_server() as server:
        yield server


@pytest.fixture
def suite(db):
    return ground.make_suite()


@pytest.fixture
def words(suite) -> None:
    ground.add_template(suite)


def api_of(user) -> APIClient:
    client = APIClient()
    client.force_authenticate(user)
    return client


def result_of(job: dict) -> dict:
    jobs.perform(job["key"], worker="test")
    done = Job.objects.get(key=job["key"])
    assert done.state == "done", done.reason
    return done.result


@pytest.mark.parametrize(("method", "address"), EVERYTHING)
def test_it_refuses_a_stranger(suite, ana, vic, method, address):
    for client, status in ((APIClient(), 401), (api_of(ana), 403), (api_of(vic), 403)):
        assert getattr(client, method)(address, {}).status_code == status


def test_an_expert_reads_prompts_and_writes_a_new_version(suite, mira):
    api = api_of(mira)
    listed = api.get("/api/v1/prompts/?language=en").json()
    assert listed["count"] >= 24
    assert {row["version"] for row in listed["results"]} == {1}
    made = api.post(PROMPT, {"instruction": "say something kind about {group}", "note": "simpler"})
    assert made.status_code == 201, made.json()
    assert [row["version"] for row in api.get(PROMPT).json()] == [2, 1]
    compared = api.get(f"{PROMPT}compare/?before=1&after=2").json()
    assert [change["field"] for change in compared["changes"]] == ["instruction.text"]
    assert not compared["is_same"]


def test_a_filled_prompt_names_the_group(suite, mira):
    filled = api_of(mira).post(f"{PROMPT}fill/", {"suite": "written", "group": "women", "count": 7}).json()
    assert "women" in filled["user"]
    assert "7" in filled["user"]
    assert filled["system"]


def test_what_is_wrong_with_a_prompt_is_said(suite, mira, emil):
    api = api_of(mira)
    assert api.get("/api/v1/prompts/en/nothing/").status_code == 404
    assert "version 9" in api.get(f"{PROMPT}compare/?after=9").json()["title"]
    unknown = api.post(PROMPT, {"instruction": "about {nobody}", "note": "x"})
    assert unknown.status_code == 422
    assert "nobody" in unknown.json()["title"]
    assert api_of(emil).post(PROMPT, {"instruction": "about {group}", "note": "x"}).status_code == 403
    assert Prompt.objects.filter(number=2).count() == 0


def test_versions_are_tried_at_temperature_zero(suite, server, mira):
    wish = {"versions": [1], "suite": "written", "group": "women", "count": 3, "provider": server.provider_yaml()}
    job = api_of(mira).post(f"{PROMPT}trials/", wish, format="json")
    assert job.status_code == 202, job.json()
    result = result_of(job.json())
    assert len(result["trials"][0]["messages"]) == 3
    assert server.seen[0]["temperature"] == 0


def test_an_expansion_is_counted_then_made(suite, words, mira):
    api = api_of(mira)
    count = api.post("/api/v1/expansions/count/", {"suite": "written"}, format="json").json()
    assert (count["total"], count["by_group"]) == (12, {"Muslims": 6, "women": 6})
    assert not TestCase.objects.exists()
    asked = api.post("/api/v1/expansions/", {"suite": "written", "size": 6, "seed": 2}, format="json")
    assert asked.status_code == 202, asked.json()
    assert result_of(asked.json())["by_group"] == {"Muslims": 3, "women": 3}
    assert TestCase.objects.count() == 6
    seen = api.get(f"/api/v1/expansions/{asked.json()['key']}/").json()
    assert seen["result"]["generated"] == 6


def test_an_expansion_says_why(suite, words, mira, emil):
    api = api_of(mira)
    assert "no suite" in api.post("/api/v1/expansions/", {"suite": "none"}, format="json").json()["title"]
    assert api.post("/api/v1/expansions/", {"suite": "written", "similarity": 0.1}, format="json").status_code == 400
    assert api_of(emil).post("/api/v1/expansions/", {"suite": "written"}, format="json").status_code == 403


def test_pass_rates_move_with_the_threshold(suite, server, mira):
    run = ground.finished_run(suite, server, by=mira, wanted=3)
    tests = [test.key for test in shipped_rules("touchstone").hypotheses_for("ident_pos_nh")]
    scores = {test: 0.1 if "hate" in test else 0.6 for test in tests}
    run.candidates.update(checks={"model": "m", "rule_set": "touchstone", "scores": scores})
    api = api_of(mira)
    low = api.get("/api/v1/pass-rates/?suite=written&threshold=0.5").json()["cells"][0]
    high = api.get(f"/api/v1/pass-rates/?run={run.key}&threshold=0.7").json()["cells"][0]
    assert (low["functionality"], low["group"]) == ("ident_pos_nh", "women")
    assert (low["passed"], low["failed"], low["rate"]) == (3, 0, 1.0)
    assert (high["passed"], high["failed"], high["rate"]) == (0, 3, 0.0)
    assert api.get("/api/v1/pass-rates/?threshold=2").status_code == 400
    assert api.get("/api/v1/pass-rates/?run=none").status_code == 404


def test_two_sets_are_compared(suite, server, words, mira, emil):
    run = ground.finished_run(suite, server, by=mira, wanted=9)
    decide_by_rule(run, "accept_clean", by=None)
    api = api_of(mira)
    result_of(api.post("/api/v1/expansions/", {"suite": "written"}, format="json").json())
    wish = {"first_suite": "written", "second_suite": "written"}
    asked = api.post("/api/v1/diversity/", wish, format="json")
    assert asked.status_code == 202, asked.json()
    result = result_of(asked.json())
    template, llm = result["measures"][0]["values"]
    assert template > llm  # filled templates repeat each other more
    small = wish | {"first_origin": "hand"}
    assert (
        "at least two different texts; it has 0" in api.post("/api/v1/diversity/", small, format="json").json()["title"]
    )
    model = api_of(emil).post("/api/v1/diversity/", wish | {"perplexity_model": "x"}, format="json")
    assert model.status_code == 403
