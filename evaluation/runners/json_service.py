"""One way to call a JSON service: permitted addresses only, paced, retried, within quota, never following redirects."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import httpx

from evaluation.runners.errors import ModelUnusable, NotAllowed, QuotaReached, RunnerBusy, Stopped
from evaluation.runners.quota import MemoryQuota, QuotaStore, seconds_until_tomorrow
from evaluation.runners.retrying import RETRYABLE, Pace, seconds_to_wait
from evaluation.runners.settings import RunnerSettings

LARGEST_ANSWER = 2_000_000


class BadAnswer(Exception):
    """The service answered this one request with something we cannot use; others may be fine."""


class JsonService:
    """A service at one address; threads may share it."""

    def __init__(
        self,
        url: str,
        *,
        settings: RunnerSettings,
        headers: Mapping[str, str],
        query: Mapping[str, str],
        secrets: Sequence[str] = (),
        method: str = "POST",
        timeout: float = 30.0,
        attempts: int = 5,
        requests_per_second: float | None = None,
        daily_quota: int | None = None,
    ) -> None:
        if not settings.allow_url(url):
            raise NotAllowed(
                f"{httpx.URL(url).host} is not on this installation's list of permitted addresses. "
                "Whoever runs it can add it to the setting ALLOWED_MODEL_HOSTS (docs/deploy.md)."
            )
        self.url, self.method = url, method
        self._query, self._attempts = dict(query), attempts
        self._secrets = [secret.encode() for secret in secrets]
        self._longest_wait = settings.longest_wait
        self._quota: QuotaStore = settings.quota or MemoryQuota()
        self._daily_quota = daily_quota
        self._quitting = threading.Event()
        self._pace = Pace(requests_per_second, sleep=self._quitting.wait)
        # Redirects are not followed: they would lead past the list of permitted addresses. Proxies from the
        # environment stay in force, secrets from ~/.netrc do not.
        self._client = httpx.Client(headers=dict(headers), timeout=timeout, follow_redirects=False)

    def begin(self) -> None:
        """Take up work, also after an earlier `end`."""
        self._quitting.clear()

    def end(self) -> None:
        """Cut short every wait that is under way."""
        self._quitting.set()

    def call(self, body: Any, *, mild: Any) -> Any:
        """The JSON answer to one request.

        Raises `BadAnswer` for this request alone, `RunnerBusy` or `QuotaReached` when the run has to wait, and
        `ModelUnusable` when no request can succeed (wrong key, wrong address). `mild` is a request that a service in
        good health answers: it tells a text that the service breaks on from a service that is broken.
        """
        refused = ""
        statuses = set()
        for attempt in range(self._attempts):
            self._pace.wait()
            if self._quitting.is_set():
                raise Stopped("stopped on request")
            self._count()
            retry_after = None
            try:
                status, headers, content = self._send(body)
            except httpx.TransportError as error:
                refused = f"{type(error).__name__}: {error}"
            else:
                if status not in RETRYABLE:
                    return self._read(status, content)
                refused, retry_after = f"HTTP {status}", headers.get("retry-after")
                statuses.add(status)
            delay = seconds_to_wait(attempt, retry_after=retry_after, now=datetime.now(UTC))
            if delay > self._longest_wait:
                raise RunnerBusy(f"{self.url} asks to wait {delay:.0f} s ({refused}).", retry_after=delay)
            if attempt + 1 < self._attempts and self._quitting.wait(delay):
                raise Stopped("stopped on request")
        if statuses == {500} and self._is_in_good_health(mild):
            raise BadAnswer(f"HTTP 500 at each of {self._attempts} attempts, while another text was answered")
        raise RunnerBusy(f"{self.url} did not answer after {self._attempts} attempts ({refused}). Try again later.")

    def _is_in_good_health(self, mild: Any) -> bool:
        self._pace.wait()
        self._count()
        try:
            return self._send(mild)[0] < 400
        except httpx.TransportError:
            return False

    def _send(self, body: Any) -> tuple[int, Mapping[str, str], bytes]:
        started = time.monotonic()
        content = b""
        with self._client.stream(self.method, self.url, params=self._query or None, json=body) as response:
            for piece in response.iter_bytes():
                content += piece
                if len(content) > LARGEST_ANSWER:
                    raise BadAnswer(f"the answer is larger than {LARGEST_ANSWER:,} bytes")
                # httpx times each read, so a service that drips one byte at a time would hold a thread for ever.
                if time.monotonic() - started > 10 * self._longest_wait:
                    raise httpx.ReadTimeout("the answer took too long")
            # Some services repeat the key they were given; answers are kept and shown.
            for secret in self._secrets:
                content = content.replace(secret, b"[secret]")
            return response.status_code, response.headers, content

    def _read(self, status: int, content: bytes) -> Any:
        shown = content[:200].decode("utf-8", "replace")
        if status in {401, 403, 404, 405} or 300 <= status < 400:
            raise ModelUnusable(f"{self.url} answered HTTP {status}. Check address and key. It said: {shown}")
        if status >= 400:
            raise BadAnswer(f"HTTP {status}: {shown}")
        try:
            return json.loads(content)
        except ValueError:
            raise BadAnswer(f"the answer is not JSON: {shown}") from None

    def _count(self) -> None:
        if self._daily_quota is None:
            return
        now = datetime.now(UTC)
        host = httpx.URL(self.url).host
        if not self._quota.take(host, limit=self._daily_quota, now=now):
            seconds = seconds_until_tomorrow(now)
            raise QuotaReached(
                f"today's {self._daily_quota} requests to {host} are used up; the next day begins at 00:00 UTC.",
                retry_after=seconds,
            )
