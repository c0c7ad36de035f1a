"""Many requests to one provider: side by side, within limits and budget, each answer kept before it is read.

Workers only talk to the provider. The store, the parsing and all callbacks run in the calling thread, so that a store
may be a database of that thread.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import suppress
from dataclasses import asdict, dataclass, field

from core.inference.chat import ChatAnswer
from core.inference.costs import Budget, cost_of, largest_cost_of, prompt_tokens_of
from core.inference.errors import QuotaReached, RequestFailed, Stopped
from core.inference.pacing import Pace, Retrying, ask_patiently
from core.inference.servers import Price
from core.text import _, ngettext
from generation.runs.algorithm.parsing import Parsed, parse_messages
from generation.runs.algorithm.refusals import is_refusal
from generation.runs.algorithm.values import Provider, Record, Request, Store
from generation.sentences import sentence_of

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
    failures_in_a_row: int = 0
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
    answer: ChatAnswer
    attempts: int
    seconds: float


def run_requests(
    provider: Provider,
    requests: Iterable[Request],
    *,
    store: Store,
    options: RunOptions | None = None,
    pace: Pace | None = None,
    failures_before: int = 0,
    on_result: Callable[[Result], None] = lambda result: None,
    should_stop: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], None] = time.sleep,
) -> RunReport:
    """Ask all requests that the store does not hold yet and read all answers.

    `failures_before` is how many requests in a row had failed when the round before this one ended.

    Stops early, with the reason in the report, when asked to, when the budget is used up, when the provider refuses the
    credentials or the address, or after several failures in a row. Run it again to continue: nothing is asked twice.
    """
    options = options or RunOptions()
    run = _Run(provider, store, options, pace or Pace(sleep=sleep), on_result, sleep)
    run.report.failures_in_a_row = failures_before
    pending = iter(requests)
    workers = max(1, min(options.concurrency, provider.max_concurrency or options.concurrency))
    with ThreadPoolExecutor(max_workers=workers) as pool:
        try:
            while True:
                if should_stop():
                    run.stop(_("Stopped on request."))
                while not run.is_stopped and len(run.under_way) < workers:
                    if not run.start_next(pending, pool):
                        break
                if not run.under_way:
                    break
                for future in wait(run.under_way, timeout=_LOOK_AROUND, return_when=FIRST_COMPLETED).done:
                    run.finish(future)
        finally:
            run.keep_the_rest()
    return run.report


class _Run:
    """The state of one run. All methods belong to the calling thread; workers only look at `halt`."""

    def __init__(
        self,
        provider: Provider,
        store: Store,
        options: RunOptions,
        pace: Pace,
        on_result: Callable[[Result], None],
        sleep: Callable[[float], None],
    ) -> None:
        self.provider, self.store, self.options, self.pace = provider, store, options, pace
        self.on_result, self.sleep = on_result, sleep
        self.budget = Budget(options.budget)
        self.report = RunReport()
        self.under_way: dict[Future[_Reply], tuple[Request, float]] = {}
        self.halt = threading.Event()

    @property
    def is_stopped(self) -> bool:
        return bool(self.report.stopped_because)

    def stop(self, reason: str) -> None:
        self.report.stopped_because = self.report.stopped_because or reason
        self.halt.set()

    def start_next(self, pending: Iterator[Request], pool: ThreadPoolExecutor) -> bool:
        """Send the next request that has no answer yet; False when there is none or no money for it."""
        for request in pending:
            record = self.store.find(request.key)
            if record is not None:
                self.report.reused += 1
                self.add(read_record(request, record, is_reused=True))
                continue
            reserved = largest_cost_of(request.chat, self.options.price)
            if not self.budget.reserve(reserved):
                self.stop(
                    _(
                        "The budget of %(budget)s is used up: %(spent)s spent.",
                        budget=self.options.budget,
                        spent=round(self.budget.spent, 4),
                    )
                )
                return False
            future = pool.submit(
                _ask,
                self.provider,
                request,
                self.options.retrying,
                self.pace,
                self.halt.is_set,
                self.sleep,
            )
            self.under_way[future] = (request, reserved)
            return True
        return False

    def finish(self, future: Future[_Reply]) -> None:
        """Keep an answer, then read it; or note why there is none."""
        request, reserved = self.under_way.pop(future)
        try:
            record = self.keep(request, reserved, future)
        except Stopped:
            return
        except RequestFailed as error:
            self.report.failures_in_a_row += 1
            self.report.failed += 1
            reason = sentence_of(error)
            self.add(Result(request, error=reason))
            if error.is_final:
                self.stop(reason)
            elif self.report.failures_in_a_row >= self.options.give_up_after:
                self.stop(
                    ngettext(
                        "%(count)s request failed: %(reason)s",
                        "%(count)s requests in a row failed, the last one: %(reason)s",
                        self.report.failures_in_a_row,
                        reason=reason,
                    )
                )
            return
        self.report.failures_in_a_row = 0
        self.add(read_record(request, record))

    def keep(self, request: Request, reserved: float, future: Future[_Reply]) -> Record:
        try:
            reply = future.result()
        except (Stopped, RequestFailed):
            self.budget.settle(reserved, 0.0)
            raise
        cost = cost_of(request.chat, reply.answer, self.options.price)
        self.budget.settle(reserved, cost)
        record = _record(request, reply, cost)
        self.store.keep(record)
        self.report.asked += 1
        self.report.spent = self.budget.spent
        return record

    def keep_the_rest(self) -> None:
        """Keep the answers that were on their way when something went wrong here: they are paid for."""
        self.halt.set()
        for future, (request, reserved) in self.under_way.items():
            with suppress(Stopped, RequestFailed):
                self.keep(request, reserved, future)

    def add(self, result: Result) -> None:
        self.report.results.append(result)
        self.report.refused += result.is_refusal
        self.report.unreadable += bool(result.record and not result.is_refusal and not result.parsed.messages)
        self.on_result(result)


def read_record(request: Request, record: Record, *, is_reused: bool = False) -> Result:
    """Return what a kept answer says: its messages, or that it is a refusal."""
    parsed = parse_messages(record.answer.text, is_cut_off=record.answer.is_cut_off)
    return Result(request, record, parsed, is_refusal=is_refusal(record.answer, parsed), is_reused=is_reused)


def _ask(
    provider: Provider,
    request: Request,
    retrying: Retrying,
    pace: Pace,
    should_stop: Callable[[], bool],
    sleep: Callable[[float], None],
) -> _Reply:
    started = time.monotonic()
    chat = request.chat
    try:
        answer, attempts = ask_patiently(
            lambda: provider.ask(chat),
            retrying=retrying,
            pace=pace,
            tokens=prompt_tokens_of(chat) + chat.max_tokens,
            # The wait is random only so that workers do not come back all at once; the seed keeps runs alike.
            chance=random.Random(request.key),
            should_stop=should_stop,
            sleep=sleep,
        )
    except QuotaReached as error:
        problem = _("%(reason)s Resume the run then.", reason=sentence_of(error))
        raise RequestFailed(problem, is_final=True) from error
    except RequestFailed as error:
        if not retrying.is_too_long(error):
            raise
        problem = _(
            "The server asks to wait for %(hours)s h. Resume the run then. Reason: %(reason)s",
            hours=round((error.retry_after or 0) / 3600, 1),
            reason=sentence_of(error),
        )
        raise RequestFailed(problem, is_final=True) from error
    return _Reply(answer, attempts, time.monotonic() - started)


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
