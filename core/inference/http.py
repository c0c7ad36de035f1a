"""One way to ask a server: permitted addresses only, within its quota, never following redirects, bounded answers."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeVar

import httpx

from core.inference.errors import NotAllowed, QuotaReached, RequestFailed
from core.inference.pacing import RETRYABLE, parse_retry_after
from core.inference.quota import MemoryQuota, QuotaStore, seconds_until_tomorrow
from core.inference.secrets import hide
from core.inference.servers import Server
from core.inference.settings import InferenceSettings
from core.text import _, ngettext

LARGEST_ANSWER = 2_000_000
HOPELESS = frozenset({401, 402, 403, 404, 405})
Result = TypeVar("Result")


@dataclass(slots=True)
class Reply:
    """What a server sent: its status, headers, and the pieces of its content as they come."""

    status: int
    headers: Mapping[str, str]
    pieces: Iterator[bytes]

    def text(self) -> str:
        """Return all of the content. Refuses more than any answer needs."""
        return b"".join(self.pieces).decode("utf-8", "replace")


class HttpClient:
    """Asks one address; threads may share it. A secret that the server says back is hidden before anyone keeps it."""

    def __init__(
        self,
        server: Server,
        *,
        url: str,
        settings: InferenceSettings,
        query: Mapping[str, str] | None = None,
        method: str = "POST",
        largest_answer: int = LARGEST_ANSWER,
    ) -> None:
        if not settings.allow_url(url):
            raise NotAllowed(
                _(
                    "%(host)s is not on this installation's list of permitted addresses. An administrator can add it "
                    "to the setting ALLOWED_MODEL_HOSTS (docs/deploy.md).",
                    host=httpx.URL(url).host,
                )
            )
        self.server, self.url, self.method = server, url, method
        self.secrets = server.secrets(settings.environment)
        self._query = dict(query or {})
        self._largest = largest_answer
        # httpx times each read, so a server that drips one byte at a time would hold a thread for ever.
        self._longest = 10 * max(settings.longest_wait, server.timeout)
        self._quota: QuotaStore = settings.quota or MemoryQuota()
        # Redirects are not followed: they would lead past the list of permitted addresses. Proxies from the
        # environment stay in force, secrets from ~/.netrc do not.
        self._client = httpx.Client(
            headers=server.filled_headers(settings.environment), timeout=server.timeout, follow_redirects=False
        )

    def close(self) -> None:
        self._client.close()

    def post(self, body: Any, read: Callable[[Reply], Result]) -> Result:
        """Ask once and let `read` make something of the reply.

        Raises RequestFailed: busy servers, time-outs and broken connections are worth another try. Raises QuotaReached
        when the day's requests are used up.
        """
        self._count()
        try:
            with self._client.stream(self.method, self.url, params=self._query or None, json=body) as response:
                return read(Reply(response.status_code, response.headers, self._bounded(response)))
        except RequestFailed as error:
            error.args = (hide(error.sentence, self.secrets),)
            raise error from None
        except httpx.TimeoutException as error:
            problem = _("no answer within the time limit (%(error)s)", error=type(error).__name__)
            raise RequestFailed(problem, is_retryable=True) from None
        except httpx.HTTPError as error:
            problem = _("the connection failed (%(error)s)", error=f"{type(error).__name__}: {error}")
            raise RequestFailed(hide(problem, self.secrets), is_retryable=True) from None

    def post_json(self, body: Any) -> Any:
        """Ask once and return the JSON answer. Raises as `post`; what is not JSON is no reason for another try."""
        return self.post(body, self._json)

    def _json(self, reply: Reply) -> Any:
        text = hide(reply.text(), self.secrets)
        if reply.status >= 300:
            raise failure_of(reply, text[:200])
        try:
            return json.loads(text)
        except ValueError:
            problem = _("the answer is not JSON: %(answer)s", answer=text[:200])
            raise RequestFailed(problem, status=reply.status) from None

    def _bounded(self, response: httpx.Response) -> Iterator[bytes]:
        started, size = time.monotonic(), 0
        for piece in response.iter_bytes():
            size += len(piece)
            if size > self._largest:
                raise RequestFailed(_("the answer is larger than %(most)s bytes", most=self._largest))
            if time.monotonic() - started > self._longest:
                raise httpx.ReadTimeout("the answer took too long")
            yield piece

    def _count(self) -> None:
        limit = self.server.daily_quota
        if limit is None:
            return
        now = datetime.now(UTC)
        host = httpx.URL(self.url).host
        if not self._quota.take(host, limit=limit, now=now):
            raise QuotaReached(
                ngettext(
                    "today's %(count)s request to %(host)s is used up; the next day begins at 00:00 UTC.",
                    "today's %(count)s requests to %(host)s are used up; the next day begins at 00:00 UTC.",
                    limit,
                    host=host,
                ),
                retry_after=seconds_until_tomorrow(now),
            )


def failure_of(reply: Reply, said: str) -> RequestFailed:
    """Return the failure that a status other than success stands for, in the server's words."""
    status = reply.status
    is_hopeless = status in HOPELESS or status < 400 or "insufficient_quota" in said
    hopeless = _("HTTP %(status)s. Check address and key. It said: %(said)s", status=str(status), said=said)
    return RequestFailed(
        hopeless if is_hopeless else f"HTTP {status}: {said}",
        is_retryable=status in RETRYABLE and not is_hopeless,
        is_final=is_hopeless,
        retry_after=parse_retry_after(reply.headers.get("retry-after"), now=datetime.now(UTC)),
        status=status,
    )
