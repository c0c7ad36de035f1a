"""Asking a hub: permitted hosts only, no redirects, bounded answers, and a token that only its own server gets."""

import json
from collections.abc import Callable, Collection, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import httpx

from core.inference.errors import RequestFailed
from core.inference.http import LARGEST_ANSWER, Reply, failure_of
from core.inference.pacing import Pace, Retrying, ask_patiently
from core.inference.secrets import hide
from core.inference.settings import allow_hosts
from core.text import _
from curation.hubs.errors import HubAway, HubFailed

TIMEOUT = 60.0  # seconds for each step of a request
RETRYING = Retrying(attempts=4, first_wait=1.0, longest_wait=60.0)
Content = bytes | Path | None


class HubClient:
    """Asks one server with one token. `hosts` are all that may be asked, also those to which it hands files on."""

    def __init__(
        self, server: str, token: str, *, hosts: Collection[str], agent: str, retrying: Retrying = RETRYING
    ) -> None:
        self.server = server.rstrip("/")
        self._token = token
        self._is_permitted = allow_hosts(hosts)
        self._retrying = retrying
        # Proxies from the environment stay in force; secrets from ~/.netrc do not.
        self._client = httpx.Client(timeout=TIMEOUT, follow_redirects=False, headers={"User-Agent": agent})
        self._pace = Pace()

    def close(self) -> None:
        self._client.close()

    def ask(
        self,
        method: str,
        address: str,
        *,
        body: Any = None,
        content: Content = None,
        headers: Mapping[str, str] | None = None,
        accepts: Collection[int] = (),
        again: bool = True,
    ) -> Any:
        """Return the JSON of the answer, None where there is none. `address` is a path of the server, or a whole one.

        `accepts` are statuses beside success; `again=False` asks once, where asking again would do it again. Raises
        HubAway where another try may help, and HubFailed where it would not.
        """
        url = address if address.startswith(("http://", "https://")) else f"{self.server}{address}"
        self._require_permitted(url)
        sent = dict(headers or {})
        if self._is_own(url):
            sent["Authorization"] = f"Bearer {self._token}"
        if body is not None:
            content = json.dumps(body, ensure_ascii=False).encode()
            sent.setdefault("Content-Type", "application/json")

        def once() -> Any:
            return self._once(method, url, content, sent, accepts)

        try:
            if not again:
                return once()
            return ask_patiently(once, retrying=self._retrying, pace=self._pace)[0]
        except RequestFailed as error:
            host = urlsplit(url).netloc
            kind = HubAway if error.is_retryable else HubFailed
            raise kind(_("%(host)s did not accept the request: %(why)s", host=host, why=error.sentence)) from None

    def _require_permitted(self, url: str) -> None:
        if not self._is_permitted(url):
            raise HubFailed(
                _(
                    "%(host)s is not on this installation's list of permitted hosts. The operator can add it to the "
                    "setting ALLOWED_HUB_HOSTS (docs/deploy.md).",
                    host=urlsplit(url).netloc,
                )
            )

    def _is_own(self, url: str) -> bool:
        own, asked = urlsplit(self.server), urlsplit(url)
        return (own.scheme, own.netloc) == (asked.scheme, asked.netloc)

    def _once(
        self, method: str, url: str, content: Content, headers: Mapping[str, str], accepts: Collection[int]
    ) -> Any:
        try:
            if not isinstance(content, Path):
                return self._send(method, url, content, headers, accepts)
            with content.open("rb") as file:  # httpx takes the length from the file
                return self._send(method, url, file, headers, accepts)
        except httpx.HTTPError as error:
            said = hide(f"{type(error).__name__}: {error}", (self._token,))
            raise RequestFailed(_("the connection failed (%(error)s)", error=said), is_retryable=True) from None

    def _send(self, method: str, url: str, content: Any, headers: Mapping[str, str], accepts: Collection[int]) -> Any:
        with self._client.stream(method, url, content=content, headers=dict(headers)) as response:
            text = hide(b"".join(_bounded(response)).decode("utf-8", "replace"), (self._token,))
            if not response.is_success and response.status_code not in accepts:
                reply = Reply(response.status_code, response.headers, iter(()))
                raise failure_of(reply, text[:300])
        try:
            return json.loads(text) if text.strip() else None
        except ValueError:
            return None  # what is stored by a plain file server answers in words of its own


def _bounded(response: httpx.Response) -> Iterator[bytes]:
    size = 0
    for piece in response.iter_bytes():
        size += len(piece)
        if size > LARGEST_ANSWER:
            raise RequestFailed(_("the answer is larger than %(most)s bytes", most=LARGEST_ANSWER))
        yield piece


Report = Callable[[int, int | None, str], None]
