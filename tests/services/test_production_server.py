"""The web server as the Dockerfile starts it, in production: it is found healthy and survives a killed worker."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator

import pytest

from config.supervising import process_table
from tests.services.workers import ROOT

pytestmark = pytest.mark.services
DOCKERFILE = (ROOT / "Dockerfile").read_text()


def instruction(name: str) -> list[str]:
    """The command of the last line with this instruction."""
    return json.loads(re.findall(rf"^{name}.*?(\[.*\])$", DOCKERFILE, re.M)[-1])


class Server:
    def __init__(self, folder) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = {
            **os.environ,
            "TOUCHSTONE_MODE": "production",
            "TOUCHSTONE_VAR": str(folder),
            "SECRET_KEY": "x" * 30 + "abcdefghijklmnopqrstuvwxyz-0123456789",
            "ALLOWED_HOSTS": "touchstone.example.org",
            "DATABASE_URL": f"sqlite:///{folder / 'touchstone.sqlite3'}",
            "BROKER_URL": "filesystem://",
        }
        subprocess.run(
            [sys.executable, "manage.py", "migrate", "--verbosity", "0"], cwd=ROOT, env=environment, check=True
        )
        program, *options = self.here(instruction("CMD"))
        assert program == "granian"
        self.process = subprocess.Popen(
            [sys.executable, "-m", program, *options], cwd=ROOT, env=environment, start_new_session=True
        )
        self.wait_for(lambda: self.status("/healthz") == 200)

    def here(self, command: list[str]) -> list[str]:
        """The command with this test's address instead of the container's."""
        return [part.replace("8000", str(self.port)).replace("0.0.0.0", "127.0.0.1") for part in command]

    def wait_for(self, condition, seconds: float = 60) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            assert self.process.poll() is None, "the web server ended"
            assert time.monotonic() < deadline
            time.sleep(0.1)

    def status(self, path: str) -> int:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=5) as response:
                return response.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def workers(self) -> set[int]:
        """The members of the server's group without the server itself and Python's resource tracker."""
        members = [process for process in process_table() if process.group == self.process.pid]
        return {one.pid for one in members if one.pid != self.process.pid and "resource_tracker" not in one.command}


@pytest.fixture(scope="module")
def server(tmp_path_factory) -> Iterator[Server]:
    found = Server(tmp_path_factory.mktemp("production"))
    yield found
    os.killpg(found.process.pid, signal.SIGKILL)
    found.process.wait(timeout=10)


def test_the_health_check_of_the_image_succeeds_although_it_asks_by_number(server):
    program, *options = server.here(instruction("HEALTHCHECK"))
    assert program == "python"
    assert subprocess.run([sys.executable, *options], timeout=30).returncode == 0
    assert server.status("/readyz") == 200


def test_the_death_of_one_worker_does_not_end_the_server(server):
    before = server.workers()
    assert len(before) == 2
    victim = min(before)
    os.kill(victim, signal.SIGKILL)
    server.wait_for(lambda: victim not in server.workers() and len(server.workers()) == 2)
    server.wait_for(lambda: server.status("/healthz") == 200)
    assert server.process.poll() is None
