"""Asking until there are enough different messages."""

import math
import time
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass, field, replace

from core.inference.costs import prompt_tokens_of
from core.inference.pacing import Pace
from core.inference.servers import Price
from core.text import ngettext
from generation.prompts.algorithm.values import FilledPrompt
from generation.runs.algorithm.running import Result, RunOptions, RunReport, run_requests
from generation.runs.algorithm.values import Parameters, Provider, Request, Store


@dataclass(frozen=True, slots=True)
class Collected:
    """A message with the request it came from and its place in the answer."""

    text: str
    request_key: str
    position: int


@dataclass(slots=True)
class Collection:
    """The different messages of one prompt, in order, and the reports of the rounds they took."""

    messages: list[Collected] = field(default_factory=list)
    repeated: int = 0
    reports: list[RunReport] = field(default_factory=list)
    # Why messages are missing although nothing stopped the requests: another try may bring them.
    fell_short_because: str = ""

    @property
    def stopped_because(self) -> str:
        return self.reports[-1].stopped_because if self.reports else ""

    def total(self, name: str) -> float:
        """Return a figure of the reports (asked, reused, failed, refused, unreadable, spent) over all rounds."""
        return float(sum(getattr(report, name) for report in self.reports))


@dataclass(frozen=True, slots=True)
class Estimate:
    """What requests would take at most. `reused` answers are in the store already and cost nothing."""

    requests: int
    reused: int
    prompt_tokens: int
    completion_tokens: int
    cost: float


def estimate_cost(requests: Iterable[Request], *, price: Price, answered: Container[str] = ()) -> Estimate:
    """Return what requests would cost at most, without asking; `answered` are keys that the store holds."""
    asked = reused = prompt = completion = 0
    for request in requests:
        if answered and request.key in answered:
            reused += 1
            continue
        asked += 1
        prompt += prompt_tokens_of(request.chat)
        completion += request.parameters.max_tokens
    return Estimate(asked, reused, prompt, completion, price.of(prompt_tokens=prompt, completion_tokens=completion))


def requests_for(wanted: int, per_request: int) -> int:
    """Return how many requests are needed if each brings what it was asked for."""
    return math.ceil(wanted / per_request)


def most_requests_for(wanted: int, per_request: int) -> int:
    """Return how many are made at most, where a model declines or repeats itself."""
    return 3 * requests_for(wanted, per_request)


def collect_messages(
    provider: Provider,
    prompt: FilledPrompt,
    *,
    wanted: int,
    per_request: int,
    store: Store,
    parameters: Parameters | None = None,
    options: RunOptions | None = None,
    pace: Pace | None = None,
    most_requests: int | None = None,
    on_progress: Callable[[int, int], None] = lambda done, total: None,
    on_result: Callable[[Result], None] = lambda result: None,
    should_stop: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], None] = time.sleep,
) -> Collection:
    """Ask in rounds until `wanted` different messages are there, or after `most_requests` (three times the need).

    Refuses to ask for less than one message. A second call with the same store continues where the first one ended.
    """
    if wanted < 1 or per_request < 1:
        raise ValueError("at least one message must be wanted, and one per request")
    parameters, options = parameters or Parameters(), options or RunOptions()
    limit = most_requests or most_requests_for(wanted, per_request)
    found: dict[str, Collected] = {}
    collection = Collection()
    number = 0
    while len(found) < wanted and number < limit:
        size = min(requests_for(wanted - len(found), per_request), limit - number)
        requests = [Request(prompt, provider.model, parameters, number + i) for i in range(size)]
        number += size
        left = None if options.budget is None else max(0.0, options.budget - collection.total("spent"))
        report = run_requests(
            provider,
            requests,
            store=store,
            options=replace(options, budget=left),
            pace=pace,
            failures_before=collection.reports[-1].failures_in_a_row if collection.reports else 0,
            on_result=on_result,
            should_stop=should_stop,
            sleep=sleep,
        )
        collection.reports.append(report)
        _add_messages(collection, found, report)
        on_progress(min(len(found), wanted), wanted)
        if report.stopped_because:
            break
    collection.messages = list(found.values())[:wanted]
    errors = [result.error for report in collection.reports for result in report.results if result.error]
    if errors and len(found) < wanted and not collection.stopped_because:
        collection.fell_short_because = ngettext(
            "%(count)s request failed: %(reason)s",
            "%(count)s requests failed, the last one: %(reason)s",
            len(errors),
            reason=errors[-1],
        )
    return collection


def _add_messages(collection: Collection, found: dict[str, Collected], report: RunReport) -> None:
    # Requests finish in any order: sorted, the same answers always give the same list.
    for result in sorted(report.results, key=lambda result: result.request.number):
        if result.is_refusal:
            continue
        for position, text in enumerate(result.parsed.messages):
            if text in found:
                collection.repeated += 1
            else:
                found[text] = Collected(text, result.request.key, position)
