"""The Python client against a server made of functions."""

import json
import sys
from pathlib import Path

import httpx
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parents[3] / "clients" / "python"))

from touchstone_client import (
    Client,
    NotFound,
    NotSignedIn,
    RunFailed,
    StillRunning,
    TouchstoneError,
    print_progress,
)


@pytest.fixture
def connect():
    def make(answer, **options):
        slept: list[float] = []
        client = Client(
            "https://touchstone.test",
            token="t0ken",
            transport=httpx.MockTransport(answer),
            sleep=slept.append,
            **options,
        )
        client.slept = slept  # type: ignore[attr-defined]
        return client

    return make


def problem(status: int, **fields: str) -> httpx.Response:
    return httpx.Response(status, json=fields, headers={"content-type": "application/problem+json"})


def test_releases_come_from_every_page_with_the_token(connect):
    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == "Bearer t0ken"
        assert request.url.path == "/api/v1/releases/"
        if "page" in request.url.params:
            return httpx.Response(200, json={"results": [{"suite": "b", "version": "2"}], "next": None})
        following = "https://touchstone.test/api/v1/releases/?page=2"
        return httpx.Response(200, json={"results": [{"suite": "a", "version": "1", "cases": 7}], "next": following})

    with connect(answer) as client:
        found = list(client.releases())
    assert [(release.key, release.cases) for release in found] == [("a@1", 7), ("b@2", None)]


def test_the_token_does_not_follow_to_another_host(connect):
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.url.host)
        return httpx.Response(200, json={"results": [], "next": "https://elsewhere.test/api/v1/releases/"})

    with pytest.raises(TouchstoneError, match=r"another host: elsewhere\.test"):
        list(connect(answer).releases())
    assert asked == ["touchstone.test"]


def test_cases_are_read_and_keep_every_field(connect):
    row = {"case_id": 5, "test_case": "a text", "label_gold": "hateful", "functionality": "f1", "templ_id": 3}

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.url.path == "/api/v1/releases/hatecheck@1.0/cases/"
        return httpx.Response(200, json=[row])

    (case,) = connect(answer).cases("hatecheck@1.0")
    assert (case.case_id, case.text, case.label, case.functionality) == ("5", "a text", "hateful", "f1")
    assert case.data["templ_id"] == 3


@pytest.mark.parametrize("key", ["hatecheck", "a@b@c", "../users@1"])
def test_a_name_that_is_no_release_is_refused_before_anything_is_sent(connect, key):
    with pytest.raises(ValueError, match="suite@version"):
        connect(lambda request: pytest.fail("nothing should be sent")).evaluate(key, model="m")


def run(state: str, done: int, **more: object) -> httpx.Response:
    return httpx.Response(200, json={"key": "r1", "state": state, "done": done, "total": 10, **more})


def test_an_evaluation_is_started_waited_for_and_reported(connect):
    states = iter([run("queued", 0), run("running", 5), run("done", 10)])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            assert json.loads(request.content) == {"release": "hatecheck@1.0", "model": "mine@1"}
            return httpx.Response(201, json={"key": "r1", "state": "queued", "total": 10})
        if request.url.path == "/api/v1/runs/r1/report/":
            return httpx.Response(200, json={"models": {"mine@1": {"overall": {"accuracy": None}}}})
        return next(states)

    client = connect(answer)
    seen: list[float | None] = []
    finished = client.wait(
        client.evaluate("hatecheck@1.0", model="mine@1"), progress=lambda s: seen.append(s.share), every=3
    )
    assert seen == [0.0, 0.5, 1.0]
    assert client.slept == [3, 3]
    assert client.report(finished)["models"]["mine@1"]["overall"]["accuracy"] is None


@pytest.mark.parametrize("state", ["failed", "cancelled"])
def test_a_run_without_a_result_says_why(connect, state):
    with pytest.raises(RunFailed, match=f"ended as {state}: the key was refused"):
        connect(lambda request: run(state, 3, error="the key was refused")).wait("r1")


def test_waiting_ends_when_the_time_is_up(connect):
    moments = iter([0.0, 5.0, 11.0])
    with pytest.raises(StillRunning, match="Call wait again"):
        connect(lambda request: run("running", 3)).wait("r1", every=1, timeout=10, clock=lambda: next(moments))


def test_predictions_are_sent_as_a_file(connect):
    def answer(request: httpx.Request) -> httpx.Response:
        body = request.read().decode()
        assert '{"case_id": "1", "label": "hateful"}' in body
        assert '{"case_id": "2", "label": "non-hateful", "score": 0.1}' in body
        assert 'name="release"\r\n\r\nhatecheck@1.0' in body
        assert 'name="model"\r\n\r\nmine' in body
        return httpx.Response(201, json={"key": "r2", "state": "done"})

    answers = {"1": "hateful", "2": {"label": "non-hateful", "score": 0.1}}
    sent = connect(answer).upload_predictions("hatecheck@1.0", model="mine", answers=answers)
    assert (sent.key, sent.share) == ("r2", None)


def test_scores_are_sent_with_where_to_cut_them(connect):
    def answer(request: httpx.Request) -> httpx.Response:
        body = request.read().decode()
        assert '{"case_id": "1", "label": 0.7}' in body
        assert 'name="threshold"\r\n\r\n0.6' in body
        assert 'name="allow_missing"\r\n\r\ntrue' in body
        return httpx.Response(201, json={"key": "r2", "state": "done"})

    options = {"answers": {"1": 0.7}, "threshold": 0.6, "allow_missing": True}
    assert connect(answer).upload_predictions("a@1", model="mine", **options).state == "done"


def test_a_model_is_registered_and_its_check_waited_for(connect):
    states = iter([{"state": "running"}, {"state": "done", "result": {"model": "mine"}}])

    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            assert json.loads(request.content) == {"name": "Mine", "spec": "hf:owner/name", "trained_on": ["en"]}
            return httpx.Response(202, json={"job": "j1", "state": "queued"})
        if request.url.path == "/api/v1/models/mine/":
            return httpx.Response(200, json={"name": "Mine", "key": "mine"})
        return httpx.Response(200, json=next(states))

    client = connect(answer)
    assert client.register("Mine", "hf:owner/name", trained_on=["en"]).name == "Mine"
    assert client.slept == [1.0]


def test_a_model_that_cannot_be_used_says_why(connect):
    def answer(request: httpx.Request) -> httpx.Response:
        if request.method == "POST":
            return httpx.Response(202, json={"job": "j1", "state": "queued"})
        return httpx.Response(200, json={"state": "failed", "error": "it has no safetensors"})

    with pytest.raises(RunFailed, match="no safetensors"):
        connect(answer).register("Mine", "hf:owner/name")


def test_no_predictions_are_not_sent(connect):
    with pytest.raises(ValueError, match="no predictions"):
        connect(lambda request: pytest.fail("nothing should be sent")).upload_predictions("a@1", model="m", answers={})


@pytest.mark.parametrize(
    ("status", "kind"), [(401, NotSignedIn), (404, NotFound), (409, TouchstoneError), (400, TouchstoneError)]
)
def test_a_refusal_carries_code_and_sentence(connect, status, kind):
    with pytest.raises(kind) as caught:
        connect(lambda request: problem(status, code="unknown_ids", title="3 ids are unknown", detail="x1, x2")).run(
            "r1"
        )
    assert (caught.value.code, caught.value.status) == ("unknown_ids", status)
    assert str(caught.value) == "3 ids are unknown. x1, x2"


def test_an_error_page_is_an_error_too(connect):
    with pytest.raises(TouchstoneError, match="HTTP 500"):
        connect(lambda request: httpx.Response(500, text="<html>")).run("r1")


def test_a_busy_server_is_asked_again_when_it_says(connect):
    answers = iter([httpx.Response(429, headers={"retry-after": "7"}), run("done", 10)])
    client = connect(lambda request: next(answers))
    assert client.run("r1").is_finished
    assert client.slept == [7.0]


def test_a_server_that_stays_busy_is_given_up(connect):
    client = connect(lambda request: httpx.Response(503), attempts=3)
    with pytest.raises(TouchstoneError, match="HTTP 503"):
        client.run("r1")
    assert len(client.slept) == 2


def test_a_lost_connection_is_tried_again_for_reading_only(connect):
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        asked.append(request.method)
        raise httpx.ConnectError("gone")

    with pytest.raises(TouchstoneError, match="cannot be reached"):
        connect(answer, attempts=3).run("r1")
    with pytest.raises(TouchstoneError, match="cannot be reached"):
        connect(answer, attempts=3).evaluate("a@1", model="m")
    assert asked == ["GET", "GET", "GET", "POST"]


def test_progress_is_one_line_that_ends_when_the_run_does(connect, capsys):
    states = iter([run("running", 5), run("done", 10)])
    connect(lambda request: next(states)).wait("r1", progress=print_progress)
    assert capsys.readouterr().err == "\rr1: running 50% (5/10)\rr1: done 100% (10/10)\n"


def test_the_token_comes_from_the_environment(monkeypatch):
    monkeypatch.setenv("TOUCHSTONE_TOKEN", "from-env")

    def answer(request: httpx.Request) -> httpx.Response:
        assert request.headers["authorization"] == "Bearer from-env"
        return httpx.Response(200, json=[])

    assert list(Client("https://touchstone.test/", transport=httpx.MockTransport(answer)).models()) == []


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(200, json={"message": "hello"}),
        httpx.Response(200, json={"results": [{"name": "something else"}]}),
        httpx.Response(200, json=["a", "b"]),
        httpx.Response(200, text="<html>"),
    ],
)
def test_another_server_is_told_apart_from_ours(connect, answer):
    with pytest.raises(TouchstoneError, match=r"https://touchstone\.test/api/v1/ does not answer as Touchstone does"):
        list(connect(lambda request: answer).releases())
