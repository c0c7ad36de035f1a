"""Asking a service about many texts with several threads, keeping every answer when it ends early."""

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import TypeVar

from core.batches import in_batches
from core.inference.errors import Interrupted, ModelUnusable, RequestFailed, RunnerBusy, Stopped
from core.inference.pacing import Retrying, ask_patiently
from core.inference.servers import Server
from core.text import _, ngettext
from evaluation.runners.answers import Answer, Progress, ShouldStop

# Sent to strangers' services to see whether they answer at all, and shown on a page.
MILD_TEXT = "Have a lovely day, all of you."
FIRST_WAIT = 0.5  # seconds
Found = TypeVar("Found")
Question = TypeVar("Question")


class BadAnswer(Exception):
    """The service answered this one request with something we cannot use; others may be fine."""


class Patience:
    """Asks a server again while it is busy, and tells the fault of one text from what ends the run."""

    def __init__(self, server: Server, *, url: str, longest_wait: float) -> None:
        self._url, self._pace = url, server.pace()
        self._retrying = Retrying(attempts=server.attempts, first_wait=FIRST_WAIT, longest_wait=longest_wait)
        self._quitting = threading.Event()

    def begin(self) -> None:
        """Take up work, also after an earlier `end`."""
        self._quitting.clear()

    def end(self) -> None:
        """Cut short every wait that is under way."""
        self._quitting.set()

    def ask(self, ask: Callable[[], Found], *, mild: Callable[[], object]) -> Found:
        """Return the answer to one request.

        Raises `BadAnswer` for this request alone, `RunnerBusy` or `QuotaReached` when the run has to wait, and
        `ModelUnusable` when no request can succeed (wrong key, wrong address). `mild` is a request that a service in
        good health answers: it tells a text that the service breaks on from a service that is broken.
        """
        statuses: list[int | None] = []

        def once() -> Found:
            try:
                return ask()
            except RequestFailed as error:
                statuses.append(error.status)
                # What came in the wrong form was perhaps cut short; a second time it is the answer, and paid for.
                if error.status == 200:
                    error.is_retryable = statuses.count(200) == 1
                raise

        try:
            return ask_patiently(
                once,
                retrying=self._retrying,
                pace=self._pace,
                should_stop=self._quitting.is_set,
                sleep=self._quitting.wait,
            )[0]
        except RequestFailed as error:
            raise self._meaning(error, set(statuses), mild) from None

    def _meaning(self, error: RequestFailed, statuses: set[int | None], mild: Callable[[], object]) -> Exception:
        attempts = self._retrying.attempts
        if error.is_final:
            return ModelUnusable(_("%(url)s answered %(answer)s", url=self._url, answer=error.sentence))
        if not error.is_retryable:
            return BadAnswer(error.sentence)
        if self._retrying.is_too_long(error):
            seconds = error.retry_after or 0.0
            return RunnerBusy(
                _(
                    "%(url)s asks to wait %(seconds)s s (%(answer)s).",
                    url=self._url,
                    seconds=f"{seconds:.0f}",
                    answer=error.sentence,
                ),
                retry_after=seconds,
            )
        if statuses == {500} and self._answers(mild):
            return BadAnswer(
                ngettext(
                    "HTTP 500 at the only attempt, while another text was answered",
                    "HTTP 500 at each of %(count)s attempts, while another text was answered",
                    attempts,
                )
            )
        return RunnerBusy(
            ngettext(
                "%(url)s did not answer after %(count)s attempt (%(answer)s). Try again later.",
                "%(url)s did not answer after %(count)s attempts (%(answer)s). Try again later.",
                attempts,
                url=self._url,
                answer=error.sentence,
            )
        )

    def _answers(self, mild: Callable[[], object]) -> bool:
        self._pace.wait(should_stop=self._quitting.is_set)
        try:
            mild()
        except RequestFailed as error:
            return error.status is not None and error.status < 400
        return True


def ask_all(
    questions: Sequence[Question],
    ask: Callable[[Sequence[Question]], list[Answer]],
    *,
    patience: Patience,
    batch_size: int = 1,
    concurrency: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> list[Answer]:
    """Return the answers in the order of the questions.

    When one request ends the run, those under way are let finish and `Interrupted.answers` carries what there is.
    """
    patience.begin()
    batches = list(in_batches(questions, batch_size))
    results: list[list[Answer] | None] = [None] * len(batches)
    running: dict[Future[list[Answer]], int] = {}
    waiting = iter(range(len(batches)))
    ending: Exception | None = None
    done = 0
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        while True:
            if ending is None and should_stop is not None and should_stop():
                ending = Stopped(_("stopped on request"))
                patience.end()
            while ending is None and len(running) < concurrency and (index := next(waiting, None)) is not None:
                running[pool.submit(ask, batches[index])] = index
            if not running:
                break
            for future in wait(running, timeout=0.2, return_when=FIRST_COMPLETED).done:
                index = running.pop(future)
                try:
                    answers = results[index] = future.result()
                except Exception as error:  # whatever it is, it is raised again once the others have finished
                    ending = ending or error
                    continue
                done += len(answers)
                if progress is not None:
                    progress(done, len(questions))
    if ending is not None:
        if isinstance(ending, Interrupted):
            ending.answers = _flatten(batches, results)
        raise ending
    return [answer for answer in _flatten(batches, results) if answer is not None]


def _flatten(batches: Sequence[Sequence[object]], results: Sequence[list[Answer] | None]) -> list[Answer | None]:
    flat: list[Answer | None] = []
    for batch, answers in zip(batches, results, strict=True):
        flat.extend(answers if answers is not None else [None] * len(batch))
    return flat
