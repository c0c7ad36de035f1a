"""Fetch and send files: permitted addresses only, bounded, and plain about a network that is not there."""

import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import getproxies

import httpx

from core.inference.errors import InferenceError, NotAllowed
from core.inference.pacing import parse_retry_after
from core.text import _

MOST_REDIRECTS = 5
LONGEST = 3600.0  # seconds for one file
PIECE = 1 << 20

AllowUrl = Callable[[str], bool]


class TransferFailed(InferenceError):
    """A file could not be fetched or sent. `is_offline`: its server was not reached at all."""

    code = "transfer_failed"

    def __init__(
        self, message: str, *, is_offline: bool = False, status: int | None = None, retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.is_offline, self.status, self.retry_after = is_offline, status, retry_after


def fetch_bytes(url: str, *, allow_url: AllowUrl, largest: int, timeout: float = 30.0) -> bytes:
    """Return what is at an address. Raises NotAllowed and TransferFailed."""
    with _opened(url, allow_url, timeout) as response:
        return b"".join(_pieces(response, url, largest))


def fetch_file(
    url: str,
    into: Path,
    *,
    allow_url: AllowUrl,
    largest: int,
    timeout: float = 60.0,
    progress: Callable[[int, int | None], None] | None = None,
) -> None:
    """Write what is at an address into a file; `progress` gets the bytes so far and of all. Raises as `fetch_bytes`."""
    with _opened(url, allow_url, timeout) as response, into.open("wb") as file:
        length = response.headers.get("content-length", "")
        total, done = int(length) if length.isdecimal() else None, 0
        for piece in _pieces(response, url, largest):
            file.write(piece)
            done += len(piece)
            if progress is not None:
                progress(done, total)


def send_json(
    url: str, body: Any, *, headers: Mapping[str, str], allow_url: AllowUrl, largest: int, timeout: float = 300.0
) -> tuple[int, Any]:
    """Send a JSON document and return the status and the JSON answer, None where it is none. Follows no redirect."""
    _require_allowed(url, allow_url)
    try:
        with (
            httpx.Client(timeout=timeout, follow_redirects=False, headers=dict(headers)) as client,
            client.stream("POST", url, json=body) as response,
        ):
            content = b"".join(_pieces(response, url, largest))
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        raise TransferFailed(_unreachable(url, error), is_offline=True) from error
    try:
        return response.status_code, json.loads(content)
    except ValueError:
        return response.status_code, None


@contextmanager
def _opened(url: str, allow_url: AllowUrl, timeout: float) -> Iterator[httpx.Response]:
    """Follow redirects one by one: each must be permitted, and none may leave encryption."""
    # Proxies from the environment stay in force, secrets from ~/.netrc do not.
    with httpx.Client(timeout=timeout, follow_redirects=False, auth=None) as client:
        at = url
        for _hop in range(MOST_REDIRECTS):
            _require_allowed(at, allow_url)
            try:
                with client.stream("GET", at, headers={"Accept-Encoding": "identity"}) as response:
                    if not response.has_redirect_location:
                        _require_success(response, at)
                        yield response
                        return
                    onward = str(response.url.join(response.headers["location"]))
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise TransferFailed(_unreachable(at, error), is_offline=True) from error
            if at.startswith("https://") and not onward.startswith("https://"):
                raise TransferFailed(_("%(url)s leads to an address without encryption. Ask its publisher.", url=url))
            at = onward
    raise TransferFailed(_("%(url)s leads from one address to the next without end. Ask its publisher.", url=url))


def _require_allowed(url: str, allow_url: AllowUrl) -> None:
    if allow_url(url):
        return
    raise NotAllowed(
        _(
            "%(host)s is not on this installation's list of permitted addresses. An administrator can add it to the "
            "setting ALLOWED_MODEL_HOSTS (docs/deploy.md).",
            host=urlsplit(url).netloc or url,
        )
    )


def _require_success(response: httpx.Response, url: str) -> None:
    status = response.status_code
    if status < 300:
        return
    wait = parse_retry_after(response.headers.get("retry-after"), now=datetime.now(UTC))
    raise TransferFailed(
        _("%(url)s answers with HTTP %(status)s.", url=url, status=str(status)), status=status, retry_after=wait
    )


def _pieces(response: httpx.Response, url: str, largest: int) -> Iterator[bytes]:
    started, size = time.monotonic(), 0
    for piece in response.iter_bytes(PIECE):
        size += len(piece)
        if size > largest:
            raise TransferFailed(_("%(url)s is larger than %(most)s bytes.", url=url, most=f"{largest:,}"))
        if time.monotonic() - started > LONGEST:
            raise TransferFailed(_("%(url)s takes too long to download. Try again later.", url=url))
        yield piece


def _unreachable(url: str, error: Exception) -> str:
    """Say that there is no way to a server, and whether a proxy is in between."""
    parts = urlsplit(url)
    said = f"{type(error).__name__}: {error}"[:200]
    if proxy := getproxies().get(parts.scheme) or getproxies().get("all"):
        return _(
            "%(host)s cannot be reached through the proxy %(proxy)s (%(error)s). Check the network, and the proxy in "
            "the environment variables HTTPS_PROXY, HTTP_PROXY and NO_PROXY.",
            host=parts.netloc,
            proxy=_without_password(proxy),
            error=said.replace(proxy, _without_password(proxy)),
        )
    return _(
        "%(host)s cannot be reached (%(error)s). Check the network; behind a proxy, name it in the environment "
        "variable HTTPS_PROXY.",
        host=parts.netloc,
        error=said,
    )


def _without_password(proxy: str) -> str:
    parts = urlsplit(proxy)
    return proxy.replace(f"{parts.username}:{parts.password}@", "") if parts.password else proxy
