"""Asking a service about many texts with several threads, keeping every answer when it ends early."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from evaluation.runners.answers import Answer, Progress, ShouldStop
from evaluation.runners.errors import Interrupted, Stopped

# Sent to strangers' services to see whether they answer at all, and shown on a page.
MILD_TEXT = "Have a lovely day, all of you."
Ask = Callable[[Sequence[str]], list[Answer]]


def ask_all(
    texts: Sequence[str],
    ask: Ask,
    *,
    on_stop: Callable[[], None],
    batch_size: int = 1,
    concurrency: int = 1,
    progress: Progress | None = None,
    should_stop: ShouldStop | None = None,
) -> list[Answer]:
    """The answers in the order of the texts.

    When one request ends the run, those under way are let finish and `Interrupted.answers` carries what there is.
    """
    batches = [texts[start : start + batch_size] for start in range(0, len(texts), batch_size)]
    results: list[list[Answer] | None] = [None] * len(batches)
    running: dict[Future[list[Answer]], int] = {}
    waiting = iter(range(len(batches)))
    ending: Exception | None = None
    done = 0
    with ThreadPoolExecutor(max_workers=concurrency) as pool:
        while True:
            if ending is None and should_stop is not None and should_stop():
                ending = Stopped("stopped on request")
                on_stop()
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
                    progress(done, len(texts))
    if ending is not None:
        if isinstance(ending, Interrupted):
            ending.answers = _flatten(batches, results)
        raise ending
    return [answer for answer in _flatten(batches, results) if answer is not None]


def _flatten(batches: Sequence[Sequence[str]], results: Sequence[list[Answer] | None]) -> list[Answer | None]:
    flat: list[Answer | None] = []
    for batch, answers in zip(batches, results, strict=True):
        flat.extend(answers if answers is not None else [None] * len(batch))
    return flat
