"""Waiting: so many requests and tokens a minute, and longer when the provider asks for it."""

from __future__ import annotations

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from generation.providers.errors import ProviderError

_WINDOW = 60.0
_STEP = 0.2


class Stopped(Exception):
    """The run was stopped while it waited."""


class RateLimiter:
    """Lets through at most so many requests and tokens in any 60 seconds; safe to share between threads."""

    def __init__(
        self,
        *,
        requests_per_minute: int | None = None,
        tokens_per_minute: int | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self._clock = clock
        self._sleep = sleep
        self._recent: deque[tuple[float, int]] = deque()
        self._not_before = 0.0
        self._lock = threading.Lock()

    def wait(self, tokens: int, *, should_stop: Callable[[], bool] = lambda: False) -> None:
        """Return when a request of so many tokens may start. Raises Stopped when the run is stopped meanwhile."""
        while True:
            if should_stop():
                raise Stopped
            with self._lock:
                delay = self._delay(tokens)
                if delay <= 0:
                    self._recent.append((self._clock(), tokens))
                    return
            self._sleep(min(delay, _STEP))

    def pause(self, seconds: float) -> None:
        """Start nothing for a while: the provider said so, to one request but meant for all."""
        with self._lock:
            self._not_before = max(self._not_before, self._clock() + seconds)

    def _delay(self, tokens: int) -> float:
        now = self._clock()
        while self._recent and self._recent[0][0] <= now - _WINDOW:
            self._recent.popleft()
        delay = self._not_before - now
        if self.requests_per_minute is not None and len(self._recent) >= self.requests_per_minute:
            delay = max(delay, self._recent[-self.requests_per_minute][0] + _WINDOW - now)
        if self.tokens_per_minute is not None and self._recent:
            # A single request above the limit goes through alone, else it would wait for ever.
            used = sum(count for _, count in self._recent)
            if used + tokens > self.tokens_per_minute:
                delay = max(delay, self._recent[0][0] + _WINDOW - now)
        return delay


@dataclass(frozen=True, slots=True)
class Retrying:
    """How often and how long to try again: doubling waits with a random part, never shorter than the provider asks."""

    attempts: int = 5
    first_wait: float = 1.0
    longest_wait: float = 60.0

    def wait_before(self, attempt: int, error: ProviderError, *, chance: random.Random) -> float:
        """Seconds before the given attempt (the second is 2)."""
        backed_off = min(self.longest_wait, self.first_wait * 2.0 ** (attempt - 2))
        return max(backed_off * (0.5 + chance.random() / 2), error.retry_after or 0.0)
