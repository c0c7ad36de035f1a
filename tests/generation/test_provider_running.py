"""Costs, limits, stores and the loop that asks, without any network."""

import json
import threading
import time
from dataclasses import replace

import pytest

from core.inference.chat import ChatAnswer
from core.inference.costs import Budget, count_tokens_roughly
from core.inference.errors import RequestFailed
from core.inference.pacing import Retrying
from core.inference.servers import Price
from generation.prompts.algorithm.values import FilledPrompt
from generation.runs.algorithm.collecting import collect_messages, estimate_cost
from generation.runs.algorithm.running import RunOptions, run_requests
from generation.runs.algorithm.values import Parameters, Request
from tests.generation.stores import JsonLinesStore, MemoryStore

PROMPT = FilledPrompt("system", "user")
PRICE = Price(input_per_million=1_000_000, output_per_million=1_000_000)


def requests(count, **parameters):
    return [Request(PROMPT, "m", Parameters(**parameters), number) for number in range(count)]


class Scripted:
    """A provider that follows a script: an answer's text or an error for each call; then it repeats the last."""

    model = "m"
    max_concurrency: int | None = 1

    def __init__(self, *script):
        self.script = list(script)
        self.asked = []

    def ask(self, request):
        self.asked.append(request)
        step = self.script.pop(0) if len(self.script) > 1 else self.script[0]
        if isinstance(step, Exception):
            raise step
        if callable(step):
            step = step(request)
        return ChatAnswer(step, step, "stop", "m-2026", prompt_tokens=10, completion_tokens=5)


def numbered(request):
    return json.dumps([f"Message {request.seed}a.", f"Message {request.seed}b."])


def run(provider, count=1, store=None, **options):
    store = store if store is not None else MemoryStore()
    chosen = {name: options.pop(name) for name in ("should_stop", "on_result") if name in options}
    return run_requests(
        provider, requests(count), store=store, options=RunOptions(**options), sleep=lambda seconds: None, **chosen
    )


def test_the_key_depends_on_everything_that_changes_the_answer():
    base = requests(1)[0]
    others = [
        replace(base, number=1),
        replace(base, model="n"),
        replace(base, prompt=FilledPrompt("system", "other")),
        replace(base, parameters=Parameters(temperature=0.1)),
        replace(base, parameters=Parameters(seed=3)),
    ]
    assert len({request.key for request in [base, *others]}) == 6
    assert base.key == requests(1)[0].key


def test_every_answer_is_kept_with_its_circumstances():
    store = MemoryStore()
    report = run(Scripted(RequestFailed("busy", is_retryable=True), numbered), store=store, price=PRICE)
    (record,) = store.records.values()
    assert (record.model, record.attempts, record.seed, record.cost) == ("m-2026", 2, 0, 15.0)
    assert record.prompt_sha256 == PROMPT.sha256
    assert record.parameters["temperature"] == 0.5
    assert report.messages == ["Message 0a.", "Message 0b."]


def test_an_answer_is_kept_before_it_is_read(monkeypatch):
    store = MemoryStore()

    def crash(*args, **kwargs):
        assert len(store.records) == 1
        raise RuntimeError("crash while reading")

    monkeypatch.setattr("generation.runs.algorithm.running.parse_messages", crash)
    with pytest.raises(RuntimeError):
        run(Scripted(numbered), store=store)
    monkeypatch.undo()
    again = Scripted(numbered)
    assert run(again, store=store).messages == ["Message 0a.", "Message 0b."]
    assert again.asked == []


def test_answers_on_their_way_are_kept_when_something_breaks():
    store = MemoryStore()
    both_asked = threading.Barrier(2, timeout=10)

    def together(request):
        both_asked.wait()
        if request.seed == 1:
            time.sleep(0.2)
        return numbered(request)

    def break_down(result):
        raise RuntimeError("the page is gone")

    provider = Scripted(together)
    provider.max_concurrency = None
    with pytest.raises(RuntimeError):
        run(provider, 2, store, on_result=break_down, concurrency=2)
    assert len(store.records) == 2


def test_callbacks_and_the_store_stay_in_the_calling_thread():
    here, threads = threading.get_ident(), set()

    class Watching(MemoryStore):
        def keep(self, record):
            threads.add(threading.get_ident())
            super().keep(record)

    def note(*args):
        threads.add(threading.get_ident())
        return False

    run(Scripted(numbered), 4, Watching(), on_result=note, should_stop=note)
    assert threads == {here}


def test_a_run_that_failed_half_way_goes_on_without_asking_twice(tmp_path):
    down = RequestFailed("down", is_retryable=True)
    store = JsonLinesStore(tmp_path / "answers.jsonl")
    first = run(Scripted(numbered, numbered, down), 6, store, give_up_after=2, retrying=Retrying(attempts=2))
    assert (first.asked, first.failed) == (2, 2)
    assert "2 requests in a row failed" in first.stopped_because
    healthy = Scripted(numbered)
    second = run(healthy, 6, JsonLinesStore(tmp_path / "answers.jsonl"))
    assert (second.reused, second.asked, second.stopped_because) == (2, 4, "")
    assert len(second.messages) == 12


def test_a_line_torn_by_a_crash_is_cut_off_and_the_rest_is_kept(tmp_path):
    path = tmp_path / "answers.jsonl"
    run(Scripted(numbered), 2, JsonLinesStore(path))
    path.write_bytes(path.read_bytes()[:-20])
    store = JsonLinesStore(path)
    assert [store.find(request.key) is not None for request in requests(2)] == [True, False]
    run(Scripted(numbered), 2, store)
    assert len(path.read_text(encoding="utf-8").splitlines()) == 2


def test_wrong_credentials_stop_the_run_at_once():
    provider = Scripted(RequestFailed("wrong key", is_final=True))
    report = run(provider, 10)
    assert len(provider.asked) == 1
    assert report.stopped_because == "wrong key"


def test_an_error_that_cannot_be_retried_is_not_retried():
    provider = Scripted(RequestFailed("bad request"), numbered)
    report = run(provider, 2)
    assert (report.failed, report.asked) == (1, 1)
    assert report.results[0].error == "bad request"


def test_refusals_and_unreadable_answers_are_counted_and_bring_no_messages():
    report = run(Scripted("I'm sorry, I can't help with that.", "Gardens!", numbered), 3)
    assert (report.refused, report.unreadable, report.asked) == (1, 1, 3)
    assert report.messages == ["Message 2a.", "Message 2b."]


def test_a_run_stops_when_asked_to():
    stop: list[object] = []
    report = run(Scripted(numbered), 10, should_stop=lambda: bool(stop), on_result=stop.append)
    assert report.stopped_because == "Stopped on request."
    assert report.asked == 1


def test_the_budget_is_never_passed():
    small = requests(10, max_tokens=20)
    largest = estimate_cost(small[:1], price=PRICE).cost
    cap = largest + 20
    options = RunOptions(price=PRICE, budget=cap)
    report = run_requests(Scripted(numbered), small, store=MemoryStore(), options=options)
    assert report.spent <= cap
    assert report.asked == 2
    assert "budget" in report.stopped_because


def test_a_budget_counts_what_is_under_way():
    budget = Budget(10)
    assert budget.reserve(6)
    assert not budget.reserve(6)
    budget.settle(6, 1)
    assert budget.reserve(6)
    assert budget.spent == 1


def test_a_dry_run_leaves_out_what_is_in_the_store():
    store = MemoryStore()
    run(Scripted(numbered), 2, store)
    estimate = estimate_cost(requests(5), price=PRICE, answered=store.records)
    assert (estimate.requests, estimate.reused) == (3, 2)
    assert estimate.completion_tokens == 3 * Parameters().max_tokens
    assert estimate.cost == estimate.prompt_tokens + estimate.completion_tokens


def test_rough_token_counts_are_on_the_dear_side():
    assert count_tokens_roughly("a plain English sentence of eight words here") >= 8
    assert count_tokens_roughly("这是一个例子") >= 6


def test_messages_are_collected_in_rounds_until_there_are_enough():
    provider = Scripted(json.dumps(["Same."]), json.dumps(["Same.", "Other."]), numbered)
    progress = []
    found = collect_messages(
        provider, PROMPT, wanted=3, per_request=2, store=MemoryStore(), on_progress=lambda *step: progress.append(step)
    )
    assert [message.text for message in found.messages] == ["Same.", "Other.", "Message 2a."]
    assert found.repeated == 1
    assert found.total("asked") == 3
    assert progress[-1] == (3, 3)


def test_collecting_ends_when_nothing_new_comes():
    found = collect_messages(Scripted('["Same."]'), PROMPT, wanted=4, per_request=2, store=MemoryStore())
    assert (len(found.messages), found.total("asked")) == (1, 6)


def test_collecting_again_with_the_same_store_asks_nothing():
    store = MemoryStore()
    first = collect_messages(Scripted(numbered), PROMPT, wanted=6, per_request=2, store=store)
    silent = Scripted(numbered)
    again = collect_messages(silent, PROMPT, wanted=6, per_request=2, store=store)
    assert again.messages == first.messages
    assert silent.asked == []
