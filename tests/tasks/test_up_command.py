"""`manage.py up`, really started: it serves, minds its processes, and leaves nothing behind."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120


class Up:
    """The running command, its output line by line, and the processes below it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        environment = {
            **{
                name: value
                for name, value in os.environ.items()
                if name not in {"DATABASE_URL", "BROKER_URL", "LOG_LEVEL"}
            },
            "TOUCHSTONE_VAR": str(folder),
            "PYTHONUNBUFFERED": "1",
        }
        self.output = folder / "output.txt"
        with self.output.open("wb") as stream:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", *arguments],
                cwd=ROOT,
                env=environment,
                stdout=stream,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def said(self) -> str:
        return self.output.read_text(encoding="utf-8", errors="replace")

    def wait_for(self, pattern: str) -> re.Match[str]:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if found := re.search(pattern, self.said()):
                return found
            assert self.process.poll() is None, self.said()
            time.sleep(0.1)
        raise AssertionError(f"never said {pattern!r}:\n{self.said()}")

    def children(self, word: str = "") -> list[int]:
        """Direct children whose command line has the word."""
        pids = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return [int(pid) for pid in pids if word in Path(f"/proc/{pid}/cmdline").read_text()]

    def wait_for_child(self, word: str, *, other_than: int = 0) -> int:
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if found := [pid for pid in self.children(word) if pid != other_than]:
                return found[0]
            time.sleep(0.1)
        raise AssertionError(f"no process with {word!r} was started:\n{self.said()}")


@pytest.fixture
def start(tmp_path) -> Iterator:
    started: list[Up] = []

    def up(*arguments: str) -> Up:
        started.append(Up(tmp_path, *arguments))
        return started[-1]

    yield up
    for one in started:
        if one.process.poll() is None:
            one.process.send_signal(signal.SIGTERM)
            one.process.wait(timeout=30)


def read(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as response:
        return response.read().decode()


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes through /proc")
def test_one_command_serves_minds_its_worker_and_stops_everything(start):
    up = start("--port", "0", "--demo")
    address = up.wait_for(r"Touchstone \S+ is at (http://127\.0\.0\.1:\d+)/")[1]
    printed = up.wait_for(r"Stop with Ctrl-C") and up.said()
    assert len(re.findall(r"^  \S+@\S+", printed, re.M)) >= 4, "one sign-in per role is printed"

    assert read(f"{address}/healthz") == "ok\n"
    assert "Sign in" in read(f"{address}/account/login/")

    worker = up.wait_for_child("celery")
    os.killpg(worker, signal.SIGKILL)
    up.wait_for(r"The worker ended with code -9; starting it again in \d+ s")
    second = up.wait_for_child("celery", other_than=worker)

    everything = [*up.children(), second]
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(timeout=60) == 0
    assert "Stopped." in up.said()
    assert [pid for pid in everything if Path(f"/proc/{pid}").exists()] == []
    with pytest.raises(OSError):
        read(f"{address}/healthz")


def test_a_taken_port_is_named_with_a_way_out(start):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        up = start("--port", str(port))
        assert up.process.wait(timeout=PATIENCE) != 0
    assert up.said().strip() == (
        f"CommandError: Port {port} on 127.0.0.1 is taken. "
        "Stop what listens there, or start with --port 0 for the next free port."
    )
