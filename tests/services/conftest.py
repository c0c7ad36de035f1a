"""Real workers on real brokers, each in an instance of its own."""

import os
from collections.abc import Iterator

import pytest

from tests.services.workers import Instance, answers

IN_CI = os.environ.get("CI", "").lower() == "true"


@pytest.fixture(params=["spool folder", "Redis", "RabbitMQ"])
def instance(request, tmp_path) -> Iterator[Instance]:
    urls = {
        "spool folder": "filesystem://",
        "Redis": os.environ.get("REDIS_URL", "redis://127.0.0.1:6379/9"),
        "RabbitMQ": os.environ.get("RABBITMQ_URL", "amqp://guest:guest@127.0.0.1:5672//"),
    }
    url = urls[request.param]
    if request.param != "spool folder" and not answers(url):
        assert not IN_CI, f"CI needs {request.param}"
        pytest.skip(f"{request.param} does not answer")
    found = Instance(tmp_path, url)
    yield found
    found.end()
