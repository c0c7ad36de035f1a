"""What the stub servers of hubs share: requests are kept, answers are JSON, and a wrong token is refused."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit


class Refusal(Exception):
    """The stub answers with this status: the request is not what the protocol wants."""

    def __init__(self, status: int, said: str) -> None:
        super().__init__(said)
        self.status = status


class Stub(ThreadingHTTPServer):
    """A server on this machine. `fail_at` answers 500 to the next request whose line holds the text, after `work`."""

    daemon_threads = True

    def __init__(self, token: str) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.token = token
        self.requests: list[tuple[str, str, dict[str, str]]] = []
        self.breaks_before = ""  # dies before it does what is asked
        self.breaks_after = ""  # does what is asked, and dies before it answers

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def lines(self, method: str = "") -> list[str]:
        return [f"{verb} {path}" for verb, path, _headers in self.requests if verb.startswith(method)]

    def answer(self, method: str, path: str, query: dict[str, str], headers: dict[str, str], body: bytes) -> Any:
        raise NotImplementedError

    def require_token(self, headers: dict[str, str]) -> None:
        if headers.get("authorization") != f"Bearer {self.token}":
            raise Refusal(401, f"no valid token, got {headers.get('authorization')}")


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _serve(self) -> None:
        assert isinstance(self.server, Stub)
        stub = self.server
        headers = {name.lower(): value for name, value in self.headers.items()}
        if "chunked" in headers.get("transfer-encoding", ""):
            self._reply(501, {"message": "a length is needed"})
            self.close_connection = True
            return
        body = self.rfile.read(int(headers.get("content-length", 0)))
        parts = urlsplit(self.path)
        line = f"{self.command} {parts.path}"
        stub.requests.append((self.command, parts.path, headers))
        if stub.breaks_before and stub.breaks_before in line:
            self._reply(400, {"message": "broken before"})
            return
        try:
            query = {name: values[0] for name, values in parse_qs(parts.query).items()}
            status, content = 200, stub.answer(self.command, parts.path, query, headers, body)
            if isinstance(content, tuple):
                status, content = content
        except Refusal as refusal:
            status, content = refusal.status, {"message": str(refusal), "error": str(refusal)}
        if stub.breaks_after and stub.breaks_after in line:
            self._reply(400, {"message": "broken after"})
            return
        self._reply(status, content)

    def _reply(self, status: int, content: Any) -> None:
        data = b"" if content is None else json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    do_GET = do_POST = do_PUT = do_DELETE = _serve  # noqa: N815 - named by the library

    def log_message(self, *args: object) -> None:
        pass


@contextmanager
def running(stub: Stub) -> Iterator[Stub]:
    thread = Thread(target=stub.serve_forever, daemon=True)
    thread.start()
    try:
        yield stub
    finally:
        stub.shutdown()
        thread.join()
        stub.server_close()
