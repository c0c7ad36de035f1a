"""Runs all tests: on SQLite, the database tests again on PostgreSQL, jobs on every broker, pages in Chromium.

What cannot run here is named at the end. With CI=true nothing may be missing.
"""

import os
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).resolve().parent.parent
IN_CI = os.environ.get("CI", "").lower() == "true"
POSTGRES = os.environ.get("DATABASE_URL") or "postgres://127.0.0.1:5432/touchstone"
BROKERS = {"Redis": "redis://127.0.0.1:6379/9", "RabbitMQ": "amqp://guest:guest@127.0.0.1:5672//"}
APPS = ["accounts", "annotation", "config", "core", "curation", "evaluation", "generation", "touchstone", "ui"]


def answers(url: str) -> bool:
    parts = urlsplit(url)
    try:
        with socket.create_connection((parts.hostname or "127.0.0.1", parts.port or 5432), timeout=2):
            return True
    except OSError:
        return False


def pytest(title: str, *arguments: str, **environment: str) -> tuple[str, int, float]:
    print(f"\n=== {title}", flush=True)
    began = time.monotonic()
    command = [sys.executable, "-m", "pytest", "-q", *arguments]
    code = subprocess.call(command, cwd=ROOT, env={**os.environ, "OMP_NUM_THREADS": "1", **environment})
    return title, 0 if code == 5 else code, time.monotonic() - began


def postgres_user(url: str) -> str:
    """The local server's trusted user is the account's own name where the address names none."""
    parts = urlsplit(url)
    if parts.username or not parts.hostname:
        return url
    import getpass

    return url.replace("://", f"://{getpass.getuser()}@", 1)


def main() -> int:
    missing: list[str] = []
    runs = []
    fast = ("-n", "2", "--dist", "worksteal")
    os.environ.pop("DATABASE_URL", None)  # the first run is on SQLite whatever is given
    runs.append(pytest("Everything but the browser, on SQLite", "tests", "-m", "not browser and not services", *fast))
    if answers(POSTGRES):
        runs.append(
            pytest(
                "The database tests again, on PostgreSQL",
                *(f"tests/{app}" for app in APPS),
                "-m", "database and not browser and not services", *fast, DATABASE_URL=postgres_user(POSTGRES),
            )
        )  # fmt: skip
    else:
        missing.append("database tests on PostgreSQL (no server at 127.0.0.1:5432; give DATABASE_URL)")
    missing += [f"jobs on {name} (no server)" for name, url in BROKERS.items() if not answers(url)]
    by_file = ("-n", "2", "--dist", "loadfile")
    runs.append(pytest("Jobs on real brokers, with workers that are killed", "tests", "-m", "services", *by_file))
    browser = subprocess.run([ROOT / "tests" / "find-browser"], capture_output=True, text=True)
    if browser.returncode == 0:
        runs.append(
            pytest(
                "Pages in a real browser",
                "tests",
                "-m",
                "browser",
                "-n",
                "2",
                CHROMIUM=browser.stdout.strip().splitlines()[-1],
            )
        )
    else:
        missing.append("browser tests (no Chromium; install it or set CHROMIUM)")

    print()
    for title, code, seconds in runs:
        print(f"{'passed' if code == 0 else 'FAILED':>7}  {seconds:5.0f} s  {title}")
    for what in missing:
        print(f"not run: {what}")
    failed = sum(code != 0 for _, code, _ in runs) + (len(missing) if IN_CI else 0)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
