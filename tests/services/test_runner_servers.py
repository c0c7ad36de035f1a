"""Runners against real HTTP servers that misbehave: busy, broken, slow, strange."""

import json
import time

import pytest

from evaluation.runners import (
    ConfigurationError,
    ModelUnusable,
    NotAllowed,
    QuotaReached,
    RunnerBusy,
    RunnerSettings,
    Stopped,
    allow_hosts,
    check_model,
    load_runner,
)
from tests.evaluation.stub_server import Reply, server


def scored(number: int, body: dict) -> Reply:
    return Reply(body={"result": {"hate": min(1.0, len(body["text"]) / 10)}})


def http_runner(url: str, *, longest_wait: float = 5.0, environment: dict | None = None, **options):
    spec = {
        "kind": "http",
        "url": url,
        "body": {"text": "{text}"},
        "answer": {"score": "result.hate"},
        "threshold": 0.5,
        **options,
    }
    settings = RunnerSettings(
        allow_url=allow_hosts(["127.0.0.1"]), longest_wait=longest_wait, environment=environment or {}
    )
    return load_runner(spec, settings=settings)


def test_a_service_is_asked_once_per_text_and_answers_stay_in_order():
    texts = ["x" * length for length in range(10)]
    with server(lambda n, body: Reply(body=scored(n, body).body, pause=0.02 * (n % 3))) as (url, requests):
        answers = http_runner(url, concurrency=4).predict(texts)
    assert [answer.score for answer in answers] == [length / 10 for length in range(10)]
    assert [answer.label for answer in answers] == ["non-hateful"] * 5 + ["hateful"] * 5
    assert len(requests) == 10


def test_secrets_reach_the_service_but_not_the_record():
    with server(scored) as (url, requests):
        runner = http_runner(
            url,
            headers={"Authorization": "Bearer ${OUR_API_KEY}"},
            query={"key": "${OUR_API_KEY}"},
            environment={"OUR_API_KEY": "s3cret"},
        )
        runner.predict(["a"])
    assert requests[0]["headers"]["Authorization"] == "Bearer s3cret"
    assert requests[0]["path"].endswith("?key=s3cret")
    assert "s3cret" not in json.dumps(runner.describe(), default=str)


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_busy_service_is_asked_again(status):
    with server(lambda n, body: Reply(status, {}) if n == 0 else scored(n, body)) as (url, requests):
        (answer,) = http_runner(url).predict(["a longer text"])
    assert answer.label == "hateful"
    assert len(requests) == 2


def test_retry_after_is_honoured():
    with server(lambda n, body: Reply(429, {}, Retry_After="1") if n == 0 else scored(n, body)) as (url, requests):
        http_runner(url).predict(["a"])
    assert requests[1]["at"] - requests[0]["at"] >= 1.0


def test_a_wait_that_is_too_long_puts_the_run_off_and_keeps_the_answers():
    with (
        server(lambda n, body: Reply(429, {}, Retry_After="3600") if n == 2 else scored(n, body)) as (url, _),
        pytest.raises(RunnerBusy) as caught,
    ):
        http_runner(url).predict(["a", "b", "c", "d"])
    assert caught.value.retry_after == 3600
    assert [answer is not None for answer in caught.value.answers] == [True, True, False, False]


def test_a_resumed_run_asks_only_for_what_is_missing():
    texts = ["a", "b", "c", "d"]
    with server(lambda n, body: Reply(429, {}, Retry_After="3600") if n == 2 else scored(n, body)) as (url, requests):
        runner = http_runner(url)
        with pytest.raises(RunnerBusy) as caught:
            runner.predict(texts)
        missing = [text for text, answer in zip(texts, caught.value.answers, strict=True) if answer is None]
        assert len(runner.predict(missing)) == 2
    assert [request["body"]["text"] for request in requests] == ["a", "b", "c", "c", "d"]


def test_a_service_that_never_recovers_is_given_up():
    with (
        server(lambda n, body: Reply(503, {}, Retry_After="0")) as (url, requests),
        pytest.raises(RunnerBusy, match="after 3 attempts"),
    ):
        http_runner(url, attempts=3).predict(["a"])
    assert len(requests) == 3


def test_a_service_that_is_not_there_is_busy_not_a_crash():
    with server(scored) as (url, _):
        pass
    with pytest.raises(RunnerBusy, match="ConnectError"):
        http_runner(url, attempts=2).predict(["a"])


def test_a_slow_answer_times_out_and_is_asked_again():
    with server(lambda n, body: Reply(body=scored(n, body).body, pause=1.0 if n == 0 else 0.0)) as (url, requests):
        (answer,) = http_runner(url, timeout=0.3).predict(["a"])
    assert answer.label == "non-hateful"
    assert len(requests) == 2


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        (Reply(body={"result": {}}), "no key 'hate'"),
        (Reply(body={"result": {"hate": "very"}}), "'very' is not a number"),
        (Reply(body={"result": {"hate": float("nan")}}), "not a number"),
        (Reply(400, {"error": "language not supported"}), "language not supported"),
        (Reply(body=b"x" * 2_100_000), "larger than"),
    ],
)
def test_an_unusable_answer_is_an_error_of_that_text_alone(reply, says):
    with server(lambda n, body: reply if n == 0 else scored(n, body)) as (url, _):
        broken, fine = http_runner(url).predict(["a", "a longer text"])
    assert broken.label is None
    assert says in (broken.error or "")
    assert fine.label == "hateful"


def test_an_answer_in_the_wrong_form_is_asked_for_a_second_time():
    with server(lambda n, body: Reply(body=b'{"resul') if n == 0 else scored(n, body)) as (url, requests):
        (answer,) = http_runner(url).predict(["a longer text"])
    assert answer.label == "hateful"
    assert len(requests) == 2


def test_an_answer_that_stays_in_the_wrong_form_is_asked_for_twice_and_no_more():
    with server(lambda n, body: Reply(body=b"<html>")) as (url, requests):
        (answer,) = http_runner(url).predict(["a"])
    assert "not JSON" in (answer.error or "")
    assert len(requests) == 2


def test_a_text_that_the_service_breaks_on_is_an_error_of_that_text_alone():
    with server(lambda n, body: Reply(500, {}, Retry_After="0") if body["text"] == "b" else scored(n, body)) as (
        url,
        _,
    ):
        answers = http_runner(url, attempts=3).predict(["a", "b", "c"])
    assert [answer.label for answer in answers] == ["non-hateful", None, "non-hateful"]
    assert answers[1].error == "HTTP 500 at each of 3 attempts, while another text was answered"


def test_a_service_that_breaks_on_every_text_puts_the_run_off():
    with (
        server(lambda n, body: Reply(500, {}, Retry_After="0")) as (url, requests),
        pytest.raises(RunnerBusy, match="after 3 attempts"),
    ):
        http_runner(url, attempts=3).predict(["a"])
    assert len(requests) == 4


def test_a_key_that_the_service_repeats_is_neither_shown_nor_kept():
    reply = {"result": {"hate": 1.0}, "you_sent": "Bearer s3cret"}
    secret = {"headers": {"Authorization": "Bearer ${OUR_API_KEY}"}, "environment": {"OUR_API_KEY": "s3cret"}}
    with server(lambda n, body: Reply(401 if body["text"] == "refused" else 200, reply)) as (url, _):
        runner = http_runner(url, **secret)
        (answer,) = runner.predict(["a"])
        with pytest.raises(ModelUnusable) as caught:
            runner.predict(["refused"])
    assert "s3cret" not in answer.raw + str(caught.value)
    assert "[secret]" in answer.raw


@pytest.mark.parametrize("status", [401, 403, 404])
def test_a_wrong_key_or_address_ends_the_run_at_once(status):
    with (
        server(lambda n, body: Reply(status, {"why": "no such key"})) as (url, requests),
        pytest.raises(ModelUnusable, match=f"HTTP {status}.*no such key"),
    ):
        http_runner(url).predict(["a", "b"])
    assert len(requests) == 1


def test_a_redirect_is_not_followed():
    with (
        server(lambda n, body: Reply(302, {}, Location="http://127.0.0.1:1/elsewhere")) as (url, requests),
        pytest.raises(ModelUnusable, match="HTTP 302"),
    ):
        http_runner(url).predict(["a"])
    assert len(requests) == 1


def test_an_address_that_is_not_permitted_is_never_asked():
    with (
        server(scored) as (url, requests),
        pytest.raises(NotAllowed, match="permitted addresses"),
    ):
        http_runner(url.replace("127.0.0.1", "localhost"))
    assert requests == []


def test_the_daily_quota_ends_the_run_and_says_when_it_goes_on():
    with (
        server(scored) as (url, requests),
        pytest.raises(QuotaReached) as caught,
    ):
        http_runner(url, daily_quota=2).predict(["a", "b", "c"])
    assert len(requests) == 2
    assert 0 < (caught.value.retry_after or 0) <= 24 * 3600
    assert [answer is not None for answer in caught.value.answers] == [True, True, False]


def test_the_pace_is_kept_over_all_threads():
    with server(scored) as (url, requests):
        http_runner(url, requests_per_second=20, concurrency=8).predict(["a"] * 8)
    assert max(r["at"] for r in requests) - min(r["at"] for r in requests) >= 7 / 20 * 0.9


def test_a_stop_cuts_a_long_wait_short_and_the_runner_can_be_used_again():
    with server(lambda n, body: Reply(429, {}, Retry_After="4") if n == 1 else scored(n, body)) as (url, requests):
        runner = http_runner(url)
        started = time.monotonic()
        with pytest.raises(Stopped) as caught:
            runner.predict(["a", "b", "c"], should_stop=lambda: len(requests) >= 2)
        assert time.monotonic() - started < 3
        assert [answer is not None for answer in caught.value.answers] == [True, False, False]
        assert len(runner.predict(["b", "c"])) == 2


def test_a_batch_is_one_request():
    def answer(number: int, body: dict) -> Reply:
        return Reply(body={"all": [{"result": {"hate": 1.0}} for _ in body["texts"]]})

    with server(answer) as (url, requests):
        runner = http_runner(
            url, body={"texts": "{texts}"}, answer={"items": "all", "score": "result.hate"}, batch_size=4
        )
        answers = runner.predict([str(number) for number in range(10)])
    assert len(answers) == 10
    assert [len(request["body"]["texts"]) for request in requests] == [4, 4, 2]


def test_a_batch_with_a_missing_answer_is_an_error_of_all_its_texts():
    with server(lambda n, body: Reply(body={"all": [{"result": {"hate": 1.0}}]})) as (url, _):
        runner = http_runner(
            url, body={"texts": "{texts}"}, answer={"items": "all", "score": "result.hate"}, batch_size=2
        )
        answers = runner.predict(["a", "b"])
    assert [answer.error for answer in answers] == ["2 texts were sent and 1 came back"] * 2


def test_severity_words_are_collapsed_to_labels():
    words = iter(["none", "Severe", "unheard of"])
    with server(lambda n, body: Reply(body={"severity": next(words)})) as (url, _):
        spec = {"kind": "http", "preset": "severity_words", "url": url}
        settings = RunnerSettings(allow_url=allow_hosts(["127.0.0.1"]), environment={"SEVERITY_API_KEY": "k"})
        answers = load_runner(spec, settings=settings).predict(["a", "b", "c"])
    assert [answer.label for answer in answers] == ["non-hateful", "hateful", None]
    assert "unheard of" in (answers[2].error or "")


def said(content: str | None, **more: object) -> Reply:
    choice = {"message": {"content": content, **more}, "finish_reason": more.get("finish_reason", "stop")}
    return Reply(body={"choices": [choice], "usage": {"prompt_tokens": 30, "completion_tokens": 2}})


def chat_runner(url: str, **options):
    spec = {"kind": "chat", "url": url, "model": "tiny", "prompt": "Label this: {text}", **options}
    settings = RunnerSettings(allow_url=allow_hosts(["127.0.0.1"]), longest_wait=5.0)
    return load_runner(spec, settings=settings)


def test_a_language_model_is_asked_with_the_prompt_and_its_answers_are_parsed():
    replies = {
        "kind": said("Non-hateful."),
        "nasty": said("hateful"),
        "refused": said("I'm sorry, I can't help with that."),
        "blocked": said(None, refusal="no"),
        "filtered": said(None, finish_reason="content_filter"),
        "vague": said("Hmm."),
        "broken": Reply(body={"choices": []}),
    }

    def answer(number: int, body: dict) -> Reply:
        return replies[body["messages"][-1]["content"].removeprefix("Label this: ")]

    with server(answer) as (url, requests):
        runner = chat_runner(url, system="You label texts.", seed=7)
        answers = dict(zip(replies, runner.predict(list(replies)), strict=True))
    assert answers["kind"].label == "non-hateful"
    assert answers["nasty"].label == "hateful"
    assert [name for name, answer in answers.items() if answer.refusal] == ["refused", "blocked", "filtered"]
    assert [name for name, answer in answers.items() if answer.error] == ["vague", "broken"]
    assert requests[0]["path"] == "/score/chat/completions"
    assert requests[0]["body"]["messages"][0] == {"role": "system", "content": "You label texts."}
    assert (requests[0]["body"]["temperature"], requests[0]["body"]["seed"]) == (0.0, 7)
    assert runner.describe()["used"] == {"requests": 6, "input_tokens": 180, "output_tokens": 12, "refusals": 3}


def test_an_answer_that_was_cut_while_the_model_thought_is_an_error_that_says_what_to_raise():
    with server(lambda n, body: said("<think>It looks hateful, but", finish_reason="length")) as (url, _):
        (answer,) = chat_runner(url, max_tokens=16).predict(["a"])
    assert answer.label is None
    assert answer.error == "the answer is empty; it was cut after 16 tokens. Raise max_tokens."


def test_null_leaves_a_field_out_that_a_service_does_not_know():
    with server(lambda n, body: said("hateful")) as (url, requests):
        chat_runner(url, extra={"max_tokens": None, "max_completion_tokens": 400}).predict(["a"])
    assert "max_tokens" not in requests[0]["body"]
    assert requests[0]["body"]["max_completion_tokens"] == 400


def test_a_missing_key_of_a_language_model_is_named_as_it_was_written():
    with pytest.raises(ConfigurationError, match="api_key: the environment variable NOT_THERE_API_KEY is not set"):
        chat_runner("http://127.0.0.1:1", api_key="${NOT_THERE_API_KEY}")


def test_many_questions_run_side_by_side():
    with server(lambda n, body: Reply(body=said("hateful").body, pause=0.1)) as (url, _):
        started = time.monotonic()
        answers = chat_runner(url, concurrency=16).predict(["a"] * 32)
    assert {answer.label for answer in answers} == {"hateful"}
    assert time.monotonic() - started < 32 * 0.1


def test_the_cost_is_estimated_before_anything_is_sent():
    with server(scored) as (url, requests):
        runner = chat_runner(url, price={"input_per_million": 1.0, "output_per_million": 10.0}, max_tokens=10)
        estimate = runner.estimate_cost(["x" * 400] * 1000)
        without = chat_runner(url).estimate_cost(["x"])
    assert requests == []
    assert estimate.requests == 1000
    assert 130_000 < estimate.input_tokens < 170_000  # on the dear side: three characters a token
    assert estimate.output_tokens == 10_000
    assert estimate.cost == pytest.approx((estimate.input_tokens + 100_000) / 1e6)
    assert without.cost is None
    assert chat_runner(url, price={"input_per_million": 1.0}).estimate_cost(["x"]).at_most == "0.01 USD"


def test_a_score_beyond_one_is_cut_at_the_threshold_but_not_kept_as_a_share():
    with server(lambda n, body: Reply(body={"result": {"hate": 70}})) as (url, _):
        (answer,) = http_runner(url, threshold=60).predict(["a"])
    assert (answer.label, answer.score, answer.scores) == ("hateful", None, {"score": 70.0})


def test_a_stop_does_not_wait_for_a_slow_pace():
    with server(scored) as (url, requests):
        started = time.monotonic()
        with pytest.raises(Stopped):
            http_runner(url, requests_per_second=0.02).predict(["a", "b"], should_stop=lambda: bool(requests))
    assert time.monotonic() - started < 10


def test_a_model_is_checked_before_it_is_registered():
    with server(lambda n, body: scored(n, body) if body["text"] else Reply(400, {})) as (url, _):
        spec = {
            "kind": "http",
            "url": url,
            "body": {"text": "{text}"},
            "answer": {"score": "result.hate"},
            "threshold": 1,
        }
        settings = RunnerSettings(allow_url=allow_hosts(["127.0.0.1"]))
        fine = check_model(spec, settings=settings)
        wrong_path = check_model({**spec, "answer": {"score": "result.hat"}}, settings=settings)
        refused = check_model(spec, settings=RunnerSettings())
    assert fine.is_fine
    assert fine.record["kind"] == "http"
    assert [answer.label for answer in fine.answers[:2]] == ["hateful", "hateful"]
    assert "no key 'hat'" in (wrong_path.problem or "")
    assert (refused.is_fine, refused.code) == (False, "runner_not_allowed")
    assert check_model("upload", settings=settings).is_fine
