"""A Redis that is killed: people sign in, the API answers, and guessing stays limited."""

import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import caches
from django.urls import reverse

from config import caches as own_caches
from tests.conftest import PASSWORD
from tests.services.workers import answers

pytestmark = [
    pytest.mark.services,
    pytest.mark.django_db,
    pytest.mark.skipif(not shutil.which("redis-server"), reason="starts a Redis of its own"),
]


class Redis:
    def __init__(self, folder: Path) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.folder = folder
        self.start()

    def start(self) -> None:
        command = ["redis-server", "--port", str(self.port), "--save", "", "--dir", str(self.folder)]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while not answers(self.url):
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(timeout=10)


@pytest.fixture
def redis(tmp_path, settings, monkeypatch) -> Iterator[Redis]:
    server = Redis(tmp_path)
    monkeypatch.setattr(own_caches.SteadyRedisCache, "_away_until", 0.0)
    monkeypatch.setattr(own_caches, "ASK_AGAIN_AFTER", 0.2)
    settings.CACHES = {"default": {"BACKEND": "config.caches.SteadyRedisCache", "LOCATION": server.url}}
    yield server
    server.kill()
    caches["default"]._own.clear()


def sign_in(client, password: str):
    return client.post(reverse("account_login"), {"login": "ana@example.org", "password": password})


def test_people_sign_in_and_the_api_answers_while_redis_is_away(client, ana, redis, caplog):
    assert client.get("/api/v1/releases/").status_code == 200
    redis.kill()
    assert client.get("/api/v1/releases/").status_code == 200
    assert sign_in(client, PASSWORD).status_code == 302
    assert client.get("/api/v1/suites/").status_code == 200
    assert client.get("/api/v1/jobs/").status_code == 200
    assert caplog.text.count("cache_away") == 1, "one line per outage"
    redis.start()
    time.sleep(0.3)
    caches["default"].set("colour", "blue")
    assert caches["default"].get("colour") == "blue"
    assert caplog.text.count("cache_back") == 1


@pytest.mark.parametrize("setting", [("maxmemory", "1"), ("min-replicas-to-write", "1")], ids=["full", "read-only"])
def test_people_sign_in_and_the_api_answers_while_redis_takes_no_writes(client, ana, redis, setting):
    subprocess.run(["redis-cli", "-p", str(redis.port), "config", "set", *setting], check=True, capture_output=True)
    assert client.get("/api/v1/releases/").status_code == 200
    assert sign_in(client, PASSWORD).status_code == 302
    assert client.get("/api/v1/suites/").status_code == 200


def test_guessing_stays_limited_while_redis_is_away(client, ana, redis):
    redis.kill()
    assert [sign_in(client, "wrong").status_code for _ in range(6)] == [200] * 4 + [429] * 2
    assert sign_in(client, PASSWORD).status_code == 429


def test_requests_to_the_api_stay_limited_while_redis_is_away(client, redis, monkeypatch):
    from rest_framework.throttling import AnonRateThrottle

    monkeypatch.setattr(AnonRateThrottle, "rate", "3/min", raising=False)
    redis.kill()
    statuses = [client.get("/api/v1/releases/").status_code for _ in range(5)]
    assert statuses == [200, 200, 200, 429, 429]


def test_every_operation_works_without_redis(redis):
    redis.kill()
    cache = caches["default"]
    assert cache.get("colour", "none") == "none"
    assert cache.add("colour", "blue")
    assert not cache.add("colour", "red")
    assert cache.get_or_set("colour", "red") == "blue"
    assert cache.has_key("colour")
    cache.set_many({"a": 1, "b": 2})
    assert cache.get_many(["a", "b"]) == {"a": 1, "b": 2}
    assert (cache.incr("a"), cache.decr("b")) == (2, 1)
    assert cache.touch("a", 10)
    cache.delete_many(["a"])
    assert cache.delete("b")
    cache.clear()
    assert cache.get("colour") is None
