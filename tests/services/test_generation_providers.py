"""Providers against a real HTTP server that speaks OpenAI's protocol, in all its moods."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from core.inference.chat import ChatRequest
from core.inference.errors import ConfigurationError, NotAllowed, RequestFailed
from core.inference.pacing import Retrying
from core.inference.settings import InferenceSettings, allow_hosts
from generation.prompts.algorithm.values import FilledPrompt
from generation.runs.algorithm.collecting import collect_messages
from generation.runs.algorithm.config import ProviderConfig, build_provider
from generation.runs.algorithm.running import RunOptions, run_requests
from generation.runs.algorithm.values import Parameters, Request
from tests.generation.stores import JsonLinesStore, MemoryStore

MESSAGES = ["The bakers sing.", "Bakers bake bread.", "A baker said “no”."]
Mood = Callable[["Handler", dict[str, Any]], None]
QUICKLY = RunOptions(concurrency=2, retrying=Retrying(attempts=3, first_wait=0.01), give_up_after=2)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Server

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        with self.server.lock:
            number = len(self.server.seen)
            self.server.seen.append({"path": self.path, "headers": dict(self.headers), "body": body})
        moods = self.server.moods
        moods[min(number, len(moods) - 1)](self, body)

    def send(self, status: int, content: object, **headers: str) -> None:
        data = (content if isinstance(content, str) else json.dumps(content)).encode()
        self.send_response(status)
        for name, value in {"content-type": "application/json", **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *args: object) -> None:
        pass


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.moods: list[Mood] = [good]
        self.seen: list[dict[str, Any]] = []
        self.lock = threading.Lock()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/v1"


def completion(text: str | None, finish: str = "stop", **message: str) -> dict[str, Any]:
    return {
        "model": "test-2026-11",
        "choices": [
            {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        ],
        "usage": {"prompt_tokens": 50, "completion_tokens": 20},
    }


def good(handler: Handler, body: dict[str, Any]) -> None:
    seed = body["seed"]
    text = json.dumps({"messages": [f"{message} {seed}" for message in MESSAGES]})
    if body["stream"]:
        stream(handler, text)
    else:
        handler.send(200, completion(text))


def stream(handler: Handler, text: str, *, breaks_off: bool = False) -> None:
    handler.send_response(200)
    handler.send_header("content-type", "text/event-stream")
    handler.send_header("connection", "close")
    handler.end_headers()
    events: list[dict[str, Any]] = [{"choices": [{"delta": {"role": "assistant"}}], "model": "test-2026-11"}]
    events += [{"choices": [{"delta": {"content": text[i : i + 7]}}]} for i in range(0, len(text), 7)]
    if not breaks_off:
        events.append({"choices": [{"delta": {}, "finish_reason": "stop"}]})
        events.append({"choices": [], "usage": {"prompt_tokens": 50, "completion_tokens": 20}})
    for event in events:
        handler.wfile.write(f": keep alive\n\ndata: {json.dumps(event)}\n\n".encode())
    if not breaks_off:
        handler.wfile.write(b"data: [DONE]\n\n")
    handler.close_connection = True


def says(text: str, finish: str = "stop") -> Mood:
    return lambda handler, body: handler.send(200, completion(text, finish))


def fails(status: int, content: object = "", **headers: str) -> Mood:
    return lambda handler, body: handler.send(status, content, **headers)


def slow(handler: Handler, body: dict[str, Any]) -> None:
    time.sleep(1.0)
    handler.close_connection = True


def no_formats(handler: Handler, body: dict[str, Any]) -> None:
    if "response_format" in body:
        handler.send(400, {"error": {"message": f"response_format {body['response_format']['type']} is not supported"}})
    else:
        good(handler, body)


def picky(handler: Handler, body: dict[str, Any]) -> None:
    if "max_tokens" in body:
        handler.send(400, {"error": {"param": "max_tokens", "message": "use max_completion_tokens instead"}})
    elif "seed" in body:
        handler.send(422, {"error": {"message": "extra field: seed"}})
    else:
        good(handler, {**body, "seed": 0})


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    yield server
    server.shutdown()
    server.server_close()
    thread.join()


def provider_for(server: Server, *, api_key: str = "", hosts: tuple[str, ...] = ("127.0.0.1",), **options: Any):
    described = {"url": server.url, "model": "test", "timeout": 5.0, "structured": "off", **options}
    if api_key:
        described["api_key"] = "${TEST_API_KEY}"
    settings = InferenceSettings(allow_url=allow_hosts(hosts), environment={"TEST_API_KEY": api_key})
    return build_provider(ProviderConfig.read(described), settings=settings)


def request(number: int = 0) -> ChatRequest:
    return question(number).chat


def question(number: int = 0) -> Request:
    return Request(FilledPrompt("system", "user"), "test", Parameters(seed=100), number)


def run(server, moods, count=1, store=None, **options):
    server.moods = moods
    store = store if store is not None else MemoryStore()
    return run_requests(
        provider_for(server, **options), [question(i) for i in range(count)], store=store, options=QUICKLY
    )


@pytest.mark.parametrize("streams", [False, True])
def test_it_works_with_and_without_streaming(server, streams):
    answer = provider_for(server, stream=streams, api_key="secret").ask(request(2))
    assert json.loads(answer.text)["messages"][0] == "The bakers sing. 102"
    assert (answer.model, answer.finish_reason) == ("test-2026-11", "stop")
    assert (answer.prompt_tokens, answer.completion_tokens) == (50, 20)
    (seen,) = server.seen
    assert seen["path"] == "/v1/chat/completions"
    assert {k.lower(): v for k, v in seen["headers"].items()}["authorization"] == "Bearer secret"
    assert seen["body"]["messages"] == [{"role": "system", "content": "system"}, {"role": "user", "content": "user"}]


def test_structured_output_falls_back_step_by_step_and_remembers(server):
    server.moods = [no_formats]
    provider = provider_for(server, structured="auto")
    provider.ask(request())
    provider.ask(request())
    kinds = [seen["body"].get("response_format", {}).get("type") for seen in server.seen]
    assert kinds == ["json_schema", "json_object", None, None]


def test_structured_output_asks_for_a_schema_where_it_is_supported(server):
    provider_for(server, structured="auto").ask(request())
    schema = server.seen[0]["body"]["response_format"]["json_schema"]["schema"]
    assert schema["properties"]["messages"]["items"] == {"type": "string"}


def test_a_server_that_dislikes_a_field_is_asked_without_it(server):
    server.moods = [picky]
    provider = provider_for(server)
    assert provider.ask(request()).text
    assert provider.ask(request()).text
    assert [("max_tokens" in s["body"], "seed" in s["body"]) for s in server.seen] == [
        (True, True),
        (False, True),
        (False, False),
        (False, False),
    ]


def test_a_format_that_was_insisted_on_and_is_not_supported_is_an_error(server):
    server.moods = [no_formats]
    with pytest.raises(RequestFailed, match="json_schema is not supported"):
        provider_for(server, structured="json_schema").ask(request())


def test_a_busy_server_is_waited_for_as_long_as_it_asks(server):
    started = time.monotonic()
    report = run(server, [fails(429, retry_after="1"), good])
    assert time.monotonic() - started >= 1
    assert report.asked == 1
    assert report.results[0].record.attempts == 2


def test_a_server_that_asks_to_wait_for_hours_ends_the_run_and_says_so(server):
    report = run(server, [fails(429, retry_after="86400")], 3)
    assert "The server asks to wait for 24.0 h" in report.stopped_because
    assert "Resume the run then" in report.stopped_because
    assert len(server.seen) <= 2


def test_a_wait_that_makes_no_sense_is_as_if_none_was_asked_for(server):
    report = run(server, [fails(429, retry_after="inf"), good])
    assert (report.asked, report.results[0].record.attempts) == (1, 2)


@pytest.mark.parametrize(
    "odd",
    [
        {"usage": {"prompt_tokens": "50", "completion_tokens": 12.5}},
        {"usage": [1, 2]},
        {"usage": {"prompt_tokens": -1, "completion_tokens": 10**30}},
        {"model": {"name": "x"}},
        {"finish": {"type": "stop"}},
        {"content": [{"type": "text", "text": '{"messages": ["One."'}, {"type": "text", "text": ', "Two."]}'}]},
    ],
    ids=["text-counts", "list-counts", "impossible-counts", "model", "finish", "parts"],
)
def test_an_answer_with_odd_fields_is_read_at_the_first_try(server, odd):
    message = {"content": odd.get("content", '{"messages": ["One.", "Two."]}')}
    choice = {"message": message, "finish_reason": odd.get("finish", "stop")}
    whole = {"model": odd.get("model", "m"), "choices": [choice], "usage": odd.get("usage")}
    report = run(server, [lambda handler, body: handler.send(200, whole)])
    assert len(server.seen) == 1
    assert report.messages == ["One.", "Two."]
    record = report.results[0].record
    assert record.cost is not None
    assert isinstance(record.model, str)
    assert isinstance(record.answer.finish_reason, str)


@pytest.mark.parametrize("streams", [False, True])
def test_half_a_character_is_no_reason_to_lose_an_answer(server, streams):
    # Half a character at the end of a message, and an emoji of which a stream of sevens sends one half at a time.
    text = '{"messages": ["Well done \ud83d", "So! \ud83d\ude00 so", "abc"]}'
    assert text.index("\ude00") % 7 == 0

    def halves(handler: Handler, body: dict[str, Any]) -> None:
        if body["stream"]:
            stream(handler, text)
        else:
            handler.send(200, completion(text))

    report = run(server, [halves], stream=streams)
    assert report.messages == ["Well done \ufffd", "So! \U0001f600 so", "abc"]
    report.results[0].record.answer.text.encode()
    report.results[0].record.answer.raw.encode()


def test_an_empty_account_is_not_asked_again(server):
    report = run(server, [fails(429, {"error": {"code": "insufficient_quota", "message": "pay"}})], 5)
    assert len(server.seen) <= 2
    assert "insufficient_quota" in report.stopped_because


@pytest.mark.parametrize(
    "trouble",
    [
        fails(500, "oops"),
        fails(503, {"error": "overloaded"}),
        fails(200, "<html>not JSON</html>"),
        fails(200, {"choices": []}),
        fails(200, {"choices": None}),
        fails(200, [1, 2]),
        lambda handler, body: handler.wfile.write(b"nonsense\r\n\r\n"),
    ],
    ids=["500", "503", "not-json", "no-choice", "null-choices", "a-list", "not-http"],
)
def test_trouble_that_passes_is_overcome(server, trouble):
    report = run(server, [trouble, good])
    assert report.asked == 1
    assert len(report.messages) == 3


def test_a_slow_server_is_given_up_and_asked_again(server):
    report = run(server, [slow, good], timeout=0.3)
    assert report.asked == 1
    assert report.results[0].record.attempts == 2


@pytest.mark.parametrize(("status", "is_final"), [(400, False), (401, True), (403, True), (404, True), (302, True)])
def test_errors_that_do_not_pass_are_told_with_the_servers_words(server, status, is_final):
    server.moods = [fails(status, {"error": {"message": "wrong thing"}})]
    with pytest.raises(RequestFailed) as caught:
        provider_for(server).ask(request())
    assert not caught.value.is_retryable
    assert caught.value.is_final is is_final
    assert str(status) in str(caught.value)
    assert status == 302 or "wrong thing" in str(caught.value)


def test_a_server_that_is_not_there_can_be_retried():
    config = ProviderConfig.read({"url": "http://127.0.0.1:9/v1", "model": "m", "timeout": 2})
    provider = build_provider(config, settings=InferenceSettings(allow_url=lambda url: True))
    with pytest.raises(RequestFailed, match="the connection failed") as caught:
        provider.ask(request())
    assert caught.value.is_retryable


def test_an_answer_that_ran_out_of_tokens_gives_its_whole_messages(server):
    report = run(server, [says('{"messages": ["One message.", "Two mess', "length")])
    assert report.messages == ["One message."]
    assert report.results[0].parsed.how == "cut_off"


def test_a_stream_that_breaks_off_keeps_what_was_paid_for(server):
    store = MemoryStore()
    text = json.dumps({"messages": MESSAGES}, ensure_ascii=False)[:-20]
    moods: list[Mood] = [lambda handler, body: stream(handler, text, breaks_off=True)]
    report = run(server, moods, store=store, stream=True)
    assert report.messages == MESSAGES[:2]
    assert next(iter(store.records.values())).answer.finish_reason == "interrupted"


def test_refusals_are_counted_whatever_their_form(server):
    refusals: list[Mood] = [
        says("I'm sorry, but I can't help with that."),
        lambda handler, body: handler.send(200, completion(None, refusal="I will not.")),
        says("", "content_filter"),
        fails(400, {"error": {"code": "content_filter", "message": "the prompt was filtered"}}),
        good,
    ]
    report = run(server, refusals, 5)
    assert (report.asked, report.refused, len(report.messages)) == (5, 4, 3)


def test_several_requests_run_side_by_side_and_keep_their_seeds(server):
    report = run(server, [good], 8)
    assert sorted(seen["body"]["seed"] for seen in server.seen) == list(range(100, 108))
    assert {result.record.seed for result in report.results} == set(range(100, 108))


def test_a_run_that_failed_half_way_is_resumed_and_nothing_is_paid_twice(server, tmp_path):
    path = tmp_path / "answers.jsonl"
    first = run(server, [good, good, good, fails(500)], 8, JsonLinesStore(path))
    answered = first.asked
    assert 0 < answered < 8
    assert "in a row failed" in first.stopped_because
    server.seen.clear()
    second = run(server, [good], 8, JsonLinesStore(path))
    assert (second.reused, second.asked, second.failed) == (answered, 8 - answered, 0)
    assert len(server.seen) == 8 - answered
    assert len(set(second.messages)) == 24


def test_enough_messages_are_collected_over_http(server):
    collection = collect_messages(
        provider_for(server),
        FilledPrompt("system", "user"),
        wanted=7,
        per_request=3,
        store=MemoryStore(),
        options=QUICKLY,
    )
    assert len(collection.messages) == 7
    assert collection.total("asked") == 3


def test_an_address_that_is_not_listed_is_never_called(server):
    with pytest.raises(NotAllowed, match="is not on this installation's list of permitted addresses"):
        provider_for(server, hosts=("example.org",))
    assert server.seen == []


def test_a_key_that_the_server_says_back_is_hidden_in_errors_and_answers(server):
    key = "sk-very-secret-0123"

    def echoes(handler: Handler, body: dict[str, Any]) -> None:
        handler.send(401, {"error": {"message": f"no such key: {handler.headers['authorization']}"}})

    def quotes(handler: Handler, body: dict[str, Any]) -> None:
        handler.send(200, completion(json.dumps({"messages": [f"My key is {handler.headers['authorization'][7:]}."]})))

    server.moods = [echoes, quotes]
    provider = provider_for(server, api_key=key)
    with pytest.raises(RequestFailed, match=r"no such key: Bearer \[secret\]") as refused:
        provider.ask(request())
    assert key not in repr(refused.value)
    answer = provider.ask(request())
    assert server.seen[0]["headers"]["Authorization"] == f"Bearer {key}"
    assert "My key is [secret]." in answer.text
    assert key not in answer.raw


@pytest.mark.parametrize("key", ["sk-with\nbreak", "sk-“curly”"])
def test_a_key_that_no_header_can_hold_is_refused_without_quoting_it(server, key):
    with pytest.raises(ConfigurationError, match="such as a line break") as refused:
        provider_for(server, api_key=key)
    assert "sk-" not in str(refused.value)
    assert server.seen == []


def test_a_short_key_of_a_local_server_is_no_secret_and_stays_in_the_texts(server):
    server.moods = [says(json.dumps({"messages": ["The x-ray room has six boxes."]}))]
    assert "x-ray room has six boxes" in provider_for(server, api_key="x").ask(request()).text
