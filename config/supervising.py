"""Watches the processes of the embedded mode. It knows nothing of Django and runs as a program of its own, so that the
command that started it does not stay in memory: `python -P config/supervising.py` with a `Plan` as JSON.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, field
from types import FrameType
from typing import NoReturn


@dataclass(frozen=True)
class Plan:
    """What to run, by name, where the web server will answer, and what to say when it does."""

    commands: dict[str, list[str]]
    host: str
    port: int
    announcement: str


def become_supervisor(plan: Plan) -> NoReturn:
    """Turn this process into the one that watches; it keeps its number, its terminal and its children's parent."""
    sys.stdout.flush()
    sys.stderr.flush()
    program = [sys.executable, "-P", __file__, json.dumps(asdict(plan))]
    os.execv(sys.executable, program)  # noqa: S606  (no shell, and nothing a user typed)


def answers(host: str, port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((host, port), timeout=0.2):
        return True
    return False


@dataclass
class Child:
    """A process that is started again when it dies, a little later each time it dies young."""

    name: str
    command: list[str]
    process: subprocess.Popen[bytes] | None = None
    deaths: int = 0
    started_at: float = 0.0
    start_again_at: float = field(default=0.0)

    def start(self) -> None:
        # A group of its own: Ctrl-C reaches only the parent, which stops the children in order.
        self.process = subprocess.Popen(self.command, start_new_session=True)
        self.started_at = time.monotonic()

    def look_after(self, tell: Callable[[str], None]) -> None:
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self.deaths = 0 if now - self.started_at > 60 else self.deaths + 1
            delay = min(2**self.deaths, 30)
            tell(f"The {self.name} ended with code {self.process.returncode}; starting it again in {delay} s.")
            self.process, self.start_again_at = None, now + delay
        if self.process is None and now >= self.start_again_at:
            self.start()

    def ask_to_end(self) -> None:
        """Only the process itself: it stops its own children in good order."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def end(self) -> None:
        """The whole group, also what an ended parent left behind."""
        if self.process is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)


def stop_all(children: Iterable[Child], *, patience: float = 8.0) -> None:
    """Ask the processes to end, wait, then end those that did not."""
    children = list(children)
    for child in children:
        child.ask_to_end()
    deadline = time.monotonic() + patience
    for child in children:
        if child.process is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(timeout=max(deadline - time.monotonic(), 0.1))
    for child in children:
        child.end()


def say(sentence: str) -> None:
    sys.stdout.write(f"{sentence}\n")
    sys.stdout.flush()


def watch(plan: Plan) -> None:
    """Start everything, start again what dies, until asked to stop."""
    children = [Child(name, command) for name, command in plan.commands.items()]
    stopping = False

    def stop(_signal: int, _frame: FrameType | None) -> None:
        nonlocal stopping
        stopping = True

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    announced = False
    try:
        while not stopping:
            for child in children:
                child.look_after(say)
            if not announced and answers(plan.host, plan.port):
                say(plan.announcement)
                announced = True
            time.sleep(0.2)
    finally:
        stop_all(children)
    say("Stopped.")


if __name__ == "__main__":
    watch(Plan(**json.loads(sys.argv[1])))
