"""The front of the web server: an event loop waits for slow clients, so that no thread of Django does.

As a WSGI application a request has a thread from its first line on, which waits for the body: ten clients that send a
byte now and then keep all threads. Here the loop reads the whole body first, large ones into a file, and sends large
answers from a file. A thread is busy only while Django works. Start it with `granian --interface rsgi`.
"""

import asyncio
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from io import BytesIO
from typing import IO, Any
from urllib.parse import unquote_to_bytes

import structlog

from config.environment import number
from config.wsgi import application as django

THREADS = number("WEB_THREADS", 4, least=1, most=64)  # more only fight for the interpreter
MOST_BYTES = 2**30
IN_MEMORY = 2**20
BLOCK = 2**18
# A body may take this long, and a second more for each of these portions that has arrived.
PATIENCE, LEAST_RATE = 30.0, 4_096
SEND_PATIENCE = 60.0  # for one block of an answer
SPELLED_ALIKE = {"content-type": "CONTENT_TYPE", "content-length": "CONTENT_LENGTH"}
BASE = {
    "SCRIPT_NAME": "",
    "SERVER_SOFTWARE": "Granian",
    "wsgi.version": (1, 0),
    "wsgi.errors": sys.stderr,
    "wsgi.multithread": True,
    "wsgi.multiprocess": True,
    "wsgi.run_once": False,
}
log = structlog.get_logger(__name__)
Headers = list[tuple[str, str]]


class Refused(Exception):
    """A request that is not passed on."""

    def __init__(self, status: HTTPStatus) -> None:
        self.status = status


class Growing:
    """A file that a thread writes while the loop sends it: the thread never waits for the client."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self.file = tempfile.TemporaryFile()  # noqa: SIM115  (closed by `close`)
        self.size = 0
        self.is_whole = self.is_unwanted = False
        self._loop, self._news = loop, asyncio.Event()

    def write(self, block: bytes) -> None:
        """Add a block. Refuses when the client is gone."""
        if self.is_unwanted:
            raise BrokenPipeError
        os.pwrite(self.file.fileno(), block, self.size)
        self.size += len(block)
        self._tell()

    def finish(self) -> None:
        self.is_whole = True
        self._tell()

    def _tell(self) -> None:
        self._loop.call_soon_threadsafe(self._news.set)

    async def send(self, transport: Any) -> None:
        """Send what is there until it is whole. Ends when the client does not take a block for a minute."""
        sent = 0
        try:
            while not (self.is_whole and sent == self.size):
                self._news.clear()
                block = os.pread(self.file.fileno(), BLOCK, sent)
                if not block and not self.is_whole:
                    await self._news.wait()
                elif block:
                    await asyncio.wait_for(transport.send_bytes(block), SEND_PATIENCE)
                    sent += len(block)
        finally:
            self.is_unwanted = True


class Front:
    """The application that granian calls."""

    def __init__(self) -> None:
        self.threads = ThreadPoolExecutor(THREADS, thread_name_prefix="django")

    async def __rsgi__(self, scope: Any, proto: Any) -> None:
        if scope.path == "/healthz" and scope.method in ("GET", "HEAD"):  # alive also while every thread is busy
            proto.response_str(200, [("content-type", "text/plain")], "ok\n")
            return
        try:
            body = await read_body(scope, proto)
        except Refused as refused:
            text = f"{refused.status} {refused.status.phrase}\n"
            proto.response_str(refused.status, [("content-type", "text/plain"), ("connection", "close")], text)
            return
        answer = asyncio.get_running_loop().create_future()
        self.threads.submit(work, environ_of(scope, body), answer)
        status, headers, content = await answer
        if isinstance(content, Growing):
            try:
                await content.send(proto.response_stream(status, headers))
            except (TimeoutError, RuntimeError):  # the client sleeps or is gone (RSGIProtocolClosed)
                log.info("client_gone", path=scope.path)
        elif content and scope.method != "HEAD":
            proto.response_bytes(status, headers, content)
        else:
            proto.response_empty(status, headers)


async def read_body(scope: Any, proto: Any) -> IO[bytes]:
    """Return the whole body. Refuses one that is too large, and one that comes too slowly."""
    given = scope.headers.get("content-length")
    if not given and "transfer-encoding" not in scope.headers and scope.http_version.startswith("1"):
        return BytesIO()
    if given and (not given.isdecimal() or int(given) > MOST_BYTES):
        raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE if given.isdecimal() else HTTPStatus.BAD_REQUEST)
    body: IO[bytes] = tempfile.SpooledTemporaryFile(IN_MEMORY)  # noqa: SIM115
    size, began = 0, time.monotonic()
    chunks = proto.__aiter__()
    while True:
        left = began + PATIENCE + size / LEAST_RATE - time.monotonic()
        try:
            chunk = await asyncio.wait_for(chunks.__anext__(), max(left, 0))
        except StopAsyncIteration:
            break
        except TimeoutError:
            raise Refused(HTTPStatus.REQUEST_TIMEOUT) from None
        if not chunk:
            break
        size += len(chunk)
        if size > MOST_BYTES:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE)
        body.write(chunk)
    body.seek(0)
    return body


def environ_of(scope: Any, body: IO[bytes]) -> dict[str, Any]:
    """Return a request as WSGI describes it (PEP 3333)."""
    host, _, port = scope.server.rpartition(":")
    environ: dict[str, Any] = {
        **BASE,
        "REQUEST_METHOD": scope.method,
        "PATH_INFO": unquote_to_bytes(scope.path).decode("latin-1"),
        "QUERY_STRING": scope.query_string,
        "SERVER_NAME": host.strip("[]"),
        "SERVER_PORT": port,
        "SERVER_PROTOCOL": f"HTTP/{scope.http_version}",
        "REMOTE_ADDR": scope.client.rpartition(":")[0].strip("[]"),
        "wsgi.url_scheme": scope.scheme,
        "wsgi.input": body,
    }
    if scope.authority:
        environ["HTTP_HOST"] = scope.authority
    for name, value in scope.headers.items():
        if "_" in name:  # it would be taken for the name with a hyphen, which a proxy may have checked
            continue
        key = SPELLED_ALIKE.get(name) or f"HTTP_{name.upper().replace('-', '_')}"
        text = value.encode().decode("latin-1")
        environ[key] = f"{environ[key]}{'; ' if name == 'cookie' else ','}{text}" if key in environ else text
        if key == "HTTP_HOST":
            environ[key] = text
    environ["CONTENT_LENGTH"] = str(body.seek(0, os.SEEK_END))
    body.seek(0)
    return environ


def work(environ: dict[str, Any], answer: asyncio.Future[tuple[int, Headers, Any]]) -> None:
    """Let Django answer, on a thread of its own from the first line to the last. Never raises."""
    loop = answer.get_loop()
    begun: list[Any] = []

    def start(status: str, headers: Headers, exc_info: Any = None) -> None:
        begun[:] = [int(status.split(" ", 1)[0]), headers]

    def reply(content: bytes | Growing) -> None:
        loop.call_soon_threadsafe(_set, answer, (*begun, content))

    growing: Growing | None = None
    try:
        response: Any = django(environ, start)  # type: ignore[arg-type]  # Django uses no `write`
        try:
            for block in in_blocks(response):
                if growing is None and len(block) < BLOCK:
                    reply(block)  # the whole answer
                    return
                if growing is None:
                    growing = Growing(loop)
                    reply(growing)
                growing.write(block)
            if growing is None:
                reply(b"")
        finally:
            response.close()
    except BrokenPipeError:
        pass
    except Exception:
        log.exception("front_failed")
        if growing is None:
            begun[:] = [500, [("content-type", "text/plain")]]
            reply(b"500 Internal Server Error\n")
    finally:
        if growing is not None:
            growing.finish()
        environ["wsgi.input"].close()


def in_blocks(parts: Any) -> Iterator[bytes]:
    """Join small parts: Django hands files out in pieces of 4 kB. Only the last block is smaller than BLOCK."""
    waiting = bytearray()
    for part in parts:
        waiting += part
        if len(waiting) >= BLOCK:
            yield bytes(waiting)
            waiting.clear()
    if waiting:
        yield bytes(waiting)


def _set(answer: asyncio.Future[Any], value: Any) -> None:
    if not answer.done():  # cancelled where the client left
        answer.set_result(value)


application = Front()
