"""When a server may be asked, and when to ask again after it was busy."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TypeVar

from core.inference.errors import RequestFailed, Stopped
from core.text import _

RETRYABLE = frozenset({408, 409, 425, 429, 500, 502, 503, 504, 529})
_WINDOW = 60.0
_STEP = 0.2
Result = TypeVar("Result")


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """Return the header Retry-After in seconds from now; None when it is absent or makes no sense."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value.strip())
        except ValueError:
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (moment - now).total_seconds()
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None


class Pace:
    """Lets through requests and tokens at a limited rate; threads may share it.

    `requests_per_second` spreads requests evenly; the other two count over any 60 seconds.
    """

    def __init__(
        self,
        *,
        requests_per_second: float | None = None,
        requests_per_minute: float | None = None,
        tokens_per_minute: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._gap = 1 / requests_per_second if requests_per_second else 0.0
        # Fewer than one a minute: one in a longer time.
        self._window = _WINDOW if not requests_per_minute else max(_WINDOW, _WINDOW / requests_per_minute)
        self.requests_per_minute = None if requests_per_minute is None else max(1, int(requests_per_minute))
        self.tokens_per_minute = tokens_per_minute
        self._clock, self._sleep = clock, sleep
        self._recent: deque[tuple[float, int]] = deque()
        self._not_before = 0.0
        self._lock = threading.Lock()

    def wait(self, tokens: int = 0, *, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Return when a request of so many tokens may start. Raises Stopped when asked to stop meanwhile."""
        while True:
            if should_stop():
                raise Stopped(_("stopped on request"))
            with self._lock:
                now = self._clock()
                delay = self._delay(tokens, now)
                if delay <= 0:
                    self._recent.append((now, tokens))
                    return
            self._sleep(min(delay, _STEP))

    def pause(self, seconds: float) -> None:
        """Start nothing for a while: the server said so, to one request but meant for all."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _delay(self, tokens: int, now: float) -> float:
        while self._recent and self._recent[0][0] <= now - self._window:
            self._recent.popleft()
        delay = self._not_before - now
        if self._gap and self._recent:
            delay = max(delay, self._recent[-1][0] + self._gap - now)
        if self.requests_per_minute is not None and len(self._recent) >= self.requests_per_minute:
            delay = max(delay, self._recent[-self.requests_per_minute][0] + self._window - now)
        if self.tokens_per_minute is not None and self._recent:
            # A single request above the limit goes through alone, else it would wait for ever.
            used = sum(recent[1] for recent in self._recent)
            if used + tokens > self.tokens_per_minute:
                delay = max(delay, self._recent[0][0] + self._window - now)
        return delay


@dataclass(frozen=True, slots=True)
class Retrying:
    """How often and how long to try again: doubling waits with a random part, never shorter than the server asks.

    A server that asks to wait for more than `longest_wait` seconds is not waited for.
    """

    attempts: int = 5
    first_wait: float = 1.0
    longest_backoff: float = 60.0
    longest_wait: float = 600.0

    def wait_before(self, attempt: int, error: RequestFailed, *, chance: random.Random) -> float:
        """Return the seconds before the given attempt (the second is 2)."""
        if error.retry_after is not None:
            return error.retry_after
        # The random part: without it a hundred workers that were turned away together come back together.
        return min(self.longest_backoff, self.first_wait * 2.0 ** (attempt - 2)) * (0.5 + chance.random() / 2)

    def is_too_long(self, error: RequestFailed) -> bool:
        """Return whether the server asks for more patience than there is."""
        return error.retry_after is not None and error.retry_after > self.longest_wait


def ask_patiently(
    ask: Callable[[], Result],
    *,
    retrying: Retrying,
    pace: Pace,
    tokens: int = 0,
    chance: random.Random | None = None,
    should_stop: Callable[[], bool] = lambda: False,
    sleep: Callable[[float], object] = time.sleep,
) -> tuple[Result, int]:
    """Ask until there is an answer, and return it with the number of attempts.

    Raises the last RequestFailed when another try cannot help, the attempts are used up, or the server asks to wait too
    long; and Stopped as soon as the caller asks to stop.
    """
    chance = chance or random.Random()
    attempt = 1
    while True:
        pace.wait(tokens, should_stop=should_stop)
        try:
            return ask(), attempt
        except RequestFailed as error:
            if not error.is_retryable or retrying.is_too_long(error) or attempt >= retrying.attempts:
                raise
            attempt += 1
            if error.retry_after is not None:
                pace.pause(error.retry_after)
            pause = retrying.wait_before(attempt, error, chance=chance)
        while pause > 0:
            if should_stop():
                raise Stopped(_("stopped on request"))
            sleep(min(pause, _STEP))
            pause -= _STEP
