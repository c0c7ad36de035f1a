"""An instance of its own for a test: a database, a spool, and real processes that can be killed."""

import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import uuid
from contextlib import closing
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent.parent


def answers(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 0), timeout=2):
            return True
    except OSError:
        return False


class Instance:
    """A database, a spool and a broker that no other test uses; commands and workers run as real processes."""

    def __init__(self, folder: Path, broker: str) -> None:
        self.folder = folder
        self.environment = {
            **os.environ,
            "TOUCHSTONE_VAR": str(folder),
            "BROKER_URL": broker,
            "JOB_LEASE_SECONDS": "3",
            "JOB_SWEEP_SECONDS": "1",
            "LOG_LEVEL": "WARNING",
            "QUEUE_PREFIX": f"test-{uuid.uuid4().hex[:8]}-",
        }
        self.environment.pop("DATABASE_URL", None)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.manage("migrate", "--verbosity", "0")

    def manage(self, *arguments: str) -> str:
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments],
            cwd=ROOT,
            env=self.environment,
            capture_output=True,
            text=True,
            timeout=120,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def python(self, code: str) -> object:
        """Run code in the instance; it prints one JSON document."""
        return json.loads(self.manage("shell", "--no-imports", "--command", code).strip().splitlines()[-1])

    def start_worker(self, queues: str = "light,models") -> subprocess.Popen[bytes]:
        command = [
            *(
                sys.executable,
                "-m",
                "celery",
                "--quiet",
                "-A",
                "config",
                "worker",
                "--beat",
                "--queues",
                queues,
            ),
            *("--concurrency", "1", "--loglevel", "ERROR", "--without-gossip", "--without-mingle"),
            *("--schedule", str(self.folder / f"beat-{uuid.uuid4().hex}")),
        ]
        worker = subprocess.Popen(command, cwd=ROOT, env=self.environment, start_new_session=True)
        self.processes.append(worker)
        return worker

    def start_web(self, port: int) -> subprocess.Popen[bytes]:
        """The web server as `manage.py up` starts it; returns when it answers."""
        from config.processes import web_command
        from config.supervising import answers as listens

        web = subprocess.Popen(web_command("127.0.0.1", port), cwd=ROOT, env=self.environment, start_new_session=True)
        self.processes.append(web)
        deadline = time.monotonic() + 60
        while not listens("127.0.0.1", port):
            assert web.poll() is None, "the web server ended at once"
            assert time.monotonic() < deadline, "the web server does not answer"
            time.sleep(0.05)
        return web

    def kill(self, worker: subprocess.Popen[bytes]) -> None:
        """SIGKILL to the worker and its children: nobody gets to say goodbye."""
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait(timeout=10)

    def job(self, key: str) -> dict[str, Any]:
        """Read straight from the file: starting Python for every look would take longer than the job."""
        with closing(sqlite3.connect(self.folder / "touchstone.sqlite3", timeout=30)) as database:
            database.row_factory = sqlite3.Row
            row = database.execute("SELECT * FROM curation_job WHERE key = ?", [key]).fetchone()
        return dict(row)

    def wait_until(self, key: str, condition, seconds: float = 90) -> dict[str, Any]:
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            job = self.job(key)
            if condition(job):
                return job
            time.sleep(0.1)
        raise AssertionError(f"{key} did not get there: {job}")

    def end(self) -> None:
        """Nothing that was started here stays."""
        for process in self.processes:
            if process.poll() is None:
                self.kill(process)
