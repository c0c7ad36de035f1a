"""Starting, watching and stopping the processes of the embedded mode."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.conf import settings


def is_free(host: str, port: int) -> bool:
    """Whether somebody could listen there now."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            return False
    return True


def next_free_port(host: str, start: int) -> int:
    """The first free port from `start` on. Refuses when a thousand are taken."""
    for port in range(start, start + 1000):
        if is_free(host, port):
            return port
    raise OSError(f"no free port between {start} and {start + 999} on {host}")


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

    def look_after(self, say: Callable[[str], None]) -> None:
        now = time.monotonic()
        if self.process is not None and self.process.poll() is not None:
            self.deaths = 0 if now - self.started_at > 60 else self.deaths + 1
            delay = min(2**self.deaths, 30)
            say(f"The {self.name} ended with code {self.process.returncode}; starting it again in {delay} s.")
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


def web_command(host: str, port: int) -> list[str]:
    return [
        *(sys.executable, "-m", "granian", "--interface", "wsgi", "--host", host, "--port", str(port)),
        *("--workers", "1", "--blocking-threads", "8", "--no-ws", "--log-level", "warning", "config.wsgi:application"),
    ]


def worker_command() -> list[str]:
    queues = f"{settings.QUEUE_PREFIX}light,{settings.QUEUE_PREFIX}models"
    return [
        *(sys.executable, "-m", "celery", "--quiet", "-A", "config", "worker", "--beat", "--queues", queues),
        *("--concurrency", "2", "--loglevel", "WARNING", "--without-gossip", "--without-mingle"),
    ]
