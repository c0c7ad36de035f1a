"""Many requests to one provider: side by side, within limits and budget, each answer kept before it is read.

Workers only talk to the provider. The store, the parsing and all callbacks run in the calling thread, so that a store
may be a database of that thread.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import asdict, dataclass, field

from generation.providers.costs import Budget, Price, cost_of, largest_cost_of, prompt_tokens_of
from generation.providers.errors import ProviderError
from generation.providers.limits import RateLimiter, Retrying, Stopped
from generation.providers.parsing import Parsed, parse_messages
from generation.providers.refusals import is_refusal
from generation.providers.values import Answer, Provider, Record, Request, Store

_LOOK_AROUND = 0.5
_NOTHING = Parsed((), "unreadable")


@dataclass(frozen=True, slots=True)
class Result:
    """The outcome of one request: a record with what was read from it, or the reason why there is none."""

    request: Request
    record: Record | None = None
    parsed: Parsed = _NOTHING
    is_refusal: bool = False
    is_reused: bool = False
    error: str = ""


@dataclass(slots=True)
class RunReport:
    """A run in numbers. `stopped_because` is empty when every request was dealt with."""

    results: list[Result] = field(default_factory=list)
    asked: int = 0
    reused: int = 0
    failed: int = 0
    refused: int = 0
    unreadable: int = 0
    spent: float = 0.0
    stopped_because: str = ""

    @property
    def messages(self) -> list[str]:
        return [message for result in self.results for message in result.parsed.messages if not result.is_refusal]


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How to run: how many at once, how often to retry, what it costs and may cost, and when to give up."""

    concurrency: int = 4
    retrying: Retrying = field(default_factory=Retrying)
    price: Price = field(default_factory=Price)
    budget: float | None = None
    give_up_after: int = 3  # requests in a row that failed for good


@dataclass(frozen=True, slots=True)
class _Reply:
    answer: Answer
    attempts: int
    seconds: float


def run_requests(
    provider: Provider,
    requests: Iterable[Request],
    *,
    store: Store,
    options: RunOptions | None = None,
    limiter: RateLimiter | None = None,
    on_result: Callable[[Result], None] = lambda result: None,
    should_stop: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], None] = time.sleep,
) -> RunReport:
    """Ask all requests that the store does not hold yet and read all answers.

    Stops early, with the reason in the report, when asked to, when the budget is used up, when the provider refuses the
    credentials or the address, or after several failures in a row. Run it again to go on: nothing is asked twice.
    """
    options = options or RunOptions()
    limiter = limiter or RateLimiter(sleep=sleep)
    budget = Budget(options.budget)
    report = RunReport()
    pending = iter(requests)
    running: dict[Future[_Reply], tuple[Request, float]] = {}
    failures_in_a_row = 0
    workers = max(1, min(options.concurrency, provider.max_concurrency or options.concurrency))
    with ThreadPoolExecutor(max_workers=workers) as pool:
        while True:
            if not report.stopped_because and should_stop():
                report.stopped_because = "stopped on request"
            while not report.stopped_because and len(running) < workers:
                request = _next_unanswered(pending, store, report, on_result)
                if request is None:
                    break
                reserved = largest_cost_of(request, options.price)
                if not budget.reserve(reserved):
                    report.stopped_because = f"the budget of {options.budget} is used up: {budget.spent:.4f} spent"
                    break
                halted = _either(should_stop, lambda: bool(report.stopped_because))
                future = pool.submit(_ask_patiently, provider, request, options.retrying, limiter, halted, sleep)
                running[future] = (request, reserved)
            if not running:
                break
            for future in wait(running, timeout=_LOOK_AROUND, return_when=FIRST_COMPLETED).done:
                request, reserved = running.pop(future)
                try:
                    reply = future.result()
                except Stopped:
                    budget.settle(reserved, 0.0)
                    continue
                except ProviderError as error:
                    budget.settle(reserved, 0.0)
                    failures_in_a_row += 1
                    report.failed += 1
                    _add(report, Result(request, error=str(error)), on_result)
                    if error.is_final:
                        report.stopped_because = str(error)
                    elif failures_in_a_row >= options.give_up_after:
                        report.stopped_because = f"{failures_in_a_row} requests in a row failed, the last one: {error}"
                    continue
                failures_in_a_row = 0
                cost = cost_of(request, reply.answer, options.price)
                budget.settle(reserved, cost)
                record = _record(request, reply, cost)
                store.keep(record)
                report.asked += 1
                report.spent = budget.spent
                _add(report, read_record(request, record), on_result)
    return report


def read_record(request: Request, record: Record, *, is_reused: bool = False) -> Result:
    """What a kept answer says: its messages, or that it is a refusal."""
    parsed = parse_messages(record.answer.text, is_cut_off=record.answer.is_cut_off)
    return Result(request, record, parsed, is_refusal=is_refusal(record.answer, parsed), is_reused=is_reused)


def _next_unanswered(
    pending: Iterator[Request], store: Store, report: RunReport, on_result: Callable[[Result], None]
) -> Request | None:
    for request in pending:
        record = store.find(request.key)
        if record is None:
            return request
        report.reused += 1
        _add(report, read_record(request, record, is_reused=True), on_result)
    return None


def _add(report: RunReport, result: Result, on_result: Callable[[Result], None]) -> None:
    report.results.append(result)
    report.refused += result.is_refusal
    report.unreadable += bool(result.record and not result.is_refusal and not result.parsed.messages)
    on_result(result)


def _ask_patiently(
    provider: Provider,
    request: Request,
    retrying: Retrying,
    limiter: RateLimiter,
    should_stop: Callable[[], bool],
    sleep: Callable[[float], None],
) -> _Reply:
    # The wait is random only so that workers do not come back all at once; the seed keeps runs alike.
    chance = random.Random(request.key)
    started = time.monotonic()
    for attempt in range(1, retrying.attempts + 1):
        limiter.wait(prompt_tokens_of(request) + request.parameters.max_tokens, should_stop=should_stop)
        try:
            answer = provider.ask(request)
        except ProviderError as error:
            if not error.is_retryable or attempt == retrying.attempts:
                raise
            pause = retrying.wait_before(attempt + 1, error, chance=chance)
            if error.retry_after is not None:
                limiter.pause(error.retry_after)
            _sleep_unless_stopped(pause, should_stop, sleep)
        else:
            return _Reply(answer, attempt, time.monotonic() - started)
    raise ValueError("at least one attempt is needed")


def _sleep_unless_stopped(seconds: float, should_stop: Callable[[], bool], sleep: Callable[[float], None]) -> None:
    while seconds > 0:
        if should_stop():
            raise Stopped
        sleep(min(seconds, _LOOK_AROUND))
        seconds -= _LOOK_AROUND


def _either(first: Callable[[], bool], second: Callable[[], bool]) -> Callable[[], bool]:
    return lambda: first() or second()


def _record(request: Request, reply: _Reply, cost: float) -> Record:
    return Record(
        key=request.key,
        prompt_sha256=request.prompt.sha256,
        system=request.prompt.system,
        user=request.prompt.user,
        model=reply.answer.model or request.model,
        parameters=asdict(request.parameters),
        seed=request.seed,
        attempts=reply.attempts,
        seconds=reply.seconds,
        answer=reply.answer,
        cost=cost,
    )
