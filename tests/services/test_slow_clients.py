"""Clients that send or read slowly cost no thread: everyone else is answered as if they were not there (A4)."""

import contextlib
import http.client
import json
import socket
import time
from collections.abc import Iterator

import pytest

from config import front
from tests.services.workers import Instance

pytestmark = pytest.mark.services
SLOW = 50
HEAD = b"POST /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nCookie: csrftoken=" + b"a" * 32
HEAD += b"\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\nx"
PEOPLE = """
import json
from accounts.models import Scope, User
from accounts.services.tokens import create_token
person = User.objects.create_superuser("root@example.org", "a long enough password")
print(json.dumps(create_token(person, name="test", scope=Scope.WRITE)[1]))
"""


class Web:
    def __init__(self, instance: Instance, port: int) -> None:
        self.port = port
        self.token = str(instance.python(PEOPLE))
        instance.start_web(port)

    def ask(self, method: str, path: str, body: bytes = b"", **headers: str) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
        with contextlib.closing(connection):
            connection.request(method, path, body or None, {"Authorization": f"Bearer {self.token}", **headers})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def open(self, first: bytes) -> socket.socket:
        client = socket.create_connection(("127.0.0.1", self.port), timeout=60)
        client.sendall(first)
        return client


@pytest.fixture(scope="module")
def web(tmp_path_factory) -> Iterator[Web]:
    instance = Instance(tmp_path_factory.mktemp("slow"), "filesystem://")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    yield Web(instance, port)
    instance.end()


def test_fifty_slow_bodies_and_fifty_slow_headers_keep_nobody_waiting(web):
    web.ask("GET", "/account/login/")  # the first page loads the others
    slow = [web.open(HEAD) for _ in range(SLOW)] + [web.open(b"GET / HTTP/1.1\r\nHo") for _ in range(SLOW)]
    try:
        deadline = time.monotonic() + 12
        while time.monotonic() < deadline:
            for client in slow[:SLOW]:
                client.sendall(b"x")
            assert web.ask("GET", "/healthz")[0] == 200
            assert web.ask("GET", "/readyz")[0] == 200
            assert web.ask("GET", "/account/login/")[0] == 200
            changed = web.ask("PATCH", "/api/v1/me/", b'{"name": "Root"}', **{"Content-Type": "application/json"})
            assert changed[0] == 200, "what is sent by others is read and stored"
            time.sleep(2)
    finally:
        for client in slow:
            client.close()


def test_a_body_that_comes_too_slowly_is_given_up(web):
    client = web.open(HEAD)
    began = time.monotonic()
    assert b"408" in client.recv(200)
    assert time.monotonic() - began < front.PATIENCE + 15
    client.close()


def test_a_body_that_is_too_large_is_refused_before_it_is_sent(web):
    client = web.open(HEAD.replace(b"Length: 5000", b"Length: 9000000000"))
    assert b"413" in client.recv(200)
    client.close()


def test_slow_readers_of_a_large_answer_keep_nobody_waiting(web):
    path = b"/static/drf_spectacular_sidecar/swagger-ui-dist/swagger-ui-bundle.js"
    slow = [web.open(b"GET " + path + b" HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n") for _ in range(12)]
    time.sleep(1)
    assert web.ask("GET", "/account/login/")[0] == 200
    for client in slow:
        client.close()


def test_requests_arrive_as_they_were_sent(web):
    status, body = web.ask("GET", "/api/v1/people/?q=r%C3%B6%C3%B6t")
    assert (status, json.loads(body)["results"]) == (200, [])
    assert web.ask("GET", "/nothing/h%C3%A9re/")[0] == 404
    assert web.ask("HEAD", "/account/login/") == (200, b"")
    chunked = iter([b'{"name": ', b'"In parts"}'])
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)
    headers = {"Authorization": f"Bearer {web.token}", "Content-Type": "application/json"}
    connection.request("PATCH", "/api/v1/me/", chunked, headers, encode_chunked=True)
    assert json.loads(connection.getresponse().read())["name"] == "In parts"
    large = json.dumps({"name": "x" * 3_000_000}).encode()
    status, body = web.ask("PATCH", "/api/v1/me/", large, **{"Content-Type": "application/json"})
    assert (status, list(json.loads(body)["fields"])) == (400, ["name"])
    status, body = web.ask("GET", "/api/schema/")
    assert (status, len(body) > front.BLOCK, body.startswith(b"openapi")) == (200, True, True)


def test_a_name_with_an_underscore_does_not_pass_for_a_header(web):
    client = web.open(
        b"GET /account/login/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX_Request_ID: forged-0001\r\nConnection: close\r\n\r\n"
    )
    answer = b"".join(iter(lambda: client.recv(65536), b""))
    assert b"200 OK" in answer
    assert b"forged-0001" not in answer
