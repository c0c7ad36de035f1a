"""When to try a busy service again, and how to keep to its pace."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

RETRYABLE = frozenset({408, 425, 429, 500, 502, 503, 504, 529})


def seconds_to_wait(attempt: int, *, retry_after: str | None, now: datetime, base: float = 0.5) -> float:
    """What the service asked for (seconds or a date), else doubling from `base` with jitter, at most a minute."""
    asked = parse_retry_after(retry_after, now=now)
    if asked is not None:
        return asked
    # Jitter: without it a hundred workers that were turned away together come back together.
    return float(min(60.0, base * 2**attempt)) * random.uniform(0.5, 1.0)


def parse_retry_after(value: str | None, *, now: datetime) -> float | None:
    """The header Retry-After in seconds from now; None when it is absent or makes no sense."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            moment = parsedate_to_datetime(value)
        except ValueError:
            return None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        seconds = (moment - now).total_seconds()
    return max(0.0, seconds) if seconds == seconds and seconds != float("inf") else None


class Pace:
    """At most so many requests per second over all threads; None is no limit."""

    def __init__(
        self,
        per_second: float | None,
        *,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._gap = 1 / per_second if per_second else 0.0
        self._clock = clock
        self._sleep = sleep
        self._next = 0.0
        self._lock = threading.Lock()

    def wait(self) -> None:
        """Return when the next request may leave."""
        if not self._gap:
            return
        with self._lock:
            now = self._clock()
            moment = max(now, self._next)
            self._next = moment + self._gap
        if moment > now:
            self._sleep(moment - now)
