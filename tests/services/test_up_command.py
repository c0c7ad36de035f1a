"""`manage.py up`, really started: it serves, minds its processes, and leaves nothing behind."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path

import pytest

from config.supervising import Plan, end_leftovers, process_table

pytestmark = pytest.mark.services
ROOT = Path(__file__).resolve().parent.parent.parent
PATIENCE = 120


class Up:
    """The running command, its output line by line, and the processes below it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.environment = {
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
                env=self.environment,
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

    def everything(self) -> set[int]:
        """The supervisor's children and all processes of their groups."""
        leaders = set(self.children())
        return {process.pid for process in process_table() if process.group in leaders}

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


def living(pids: set[int]) -> set[int]:
    return pids & {process.pid for process in process_table()}


def wait_until_gone(pids: set[int], seconds: float = 15) -> None:
    deadline = time.monotonic() + seconds
    while left := living(pids):
        assert time.monotonic() < deadline, [p.command for p in process_table() if p.pid in left]
        time.sleep(0.1)


def wait_for_group(up: Up, leader: int, size: int) -> set[int]:
    """The members of a group once it has grown to its size: Celery's pool and beat start after the parent."""
    deadline = time.monotonic() + PATIENCE
    while len(found := {process.pid for process in process_table() if process.group == leader}) < size:
        assert time.monotonic() < deadline, up.said()
        time.sleep(0.1)
    return found


def test_a_second_start_and_a_restore_on_the_same_folder_are_refused(start, tmp_path):
    up = start("--port", "0")
    address = up.wait_for(r"is at (http://127\.0\.0\.1:\d+)/")[1]
    second = start("--port", "0")
    assert second.process.wait(timeout=PATIENCE) != 0
    told = second.said()
    assert f"already (process {up.process.pid})" in told
    assert "Traceback" not in told
    archive = tmp_path / "any.zip"
    command = [sys.executable, "manage.py", "restore", str(archive), "--replace"]
    restore = subprocess.run(command, cwd=ROOT, env=up.environment, capture_output=True, text=True, timeout=120)
    assert restore.returncode != 0
    assert "already (process" in restore.stderr
    assert read(f"{address}/healthz") == "ok\n", "the first one was not disturbed"


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes through /proc")
def test_a_killed_worker_leaves_no_beat_and_no_pool_behind(start):
    up = start("--port", "0")
    up.wait_for(r"Stop with Ctrl-C")
    worker = up.wait_for_child("celery")
    group = wait_for_group(up, worker, 4)  # the parent, two of the pool, beat
    os.kill(worker, signal.SIGKILL)
    up.wait_for(r"The worker ended with code -9")
    wait_until_gone(group)
    assert up.wait_for_child("celery", other_than=worker)


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes through /proc")
@pytest.mark.parametrize("survivor_is_killed", [False, True], ids=["supervisor", "supervisor and its survivor"])
def test_when_the_supervisor_is_killed_the_next_start_finds_the_port_free(start, survivor_is_killed):
    up = start("--port", "0")
    port = up.wait_for(r"is at http://127\.0\.0\.1:(\d+)/")[1]
    wait_for_group(up, up.wait_for_child("celery"), 4)
    running = up.everything()
    assert len(running) >= 7, "web server with its worker, Celery with pool and beat, the survivor"
    survivor = next(pid for pid in up.children("supervising.py"))
    if survivor_is_killed:
        os.kill(up.process.pid, signal.SIGSTOP)  # or it would start another survivor
        os.kill(survivor, signal.SIGKILL)
    os.kill(up.process.pid, signal.SIGKILL)
    up.process.wait(timeout=10)
    if survivor_is_killed:
        assert len(living(running)) >= 5
    else:
        wait_until_gone(running)

    again = start("--port", port)
    again.wait_for(r"Stop with Ctrl-C")
    assert not living(running)
    assert read(f"http://127.0.0.1:{port}/healthz") == "ok\n"


def test_a_process_that_only_has_the_number_of_an_old_one_is_left_alone(tmp_path):
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as stranger:
        table = process_table()
        mine = next(process for process in table if process.pid == stranger.pid)
        gone = {"supervisor": 1, "started": "another boot 1", "python": sys.executable}
        (tmp_path / "up-1.json").write_text(json.dumps({**gone, "groups": [[stranger.pid, "another boot 2"]]}))
        assert end_leftovers(tmp_path) == 0
        assert stranger.poll() is None
        assert not list(tmp_path.iterdir()), "the old record is removed"

        (tmp_path / "up-1.json").write_text(json.dumps({**gone, "groups": [[stranger.pid, mine.started]]}))
        assert end_leftovers(tmp_path) == 1
        assert stranger.wait(timeout=10) == -signal.SIGKILL


def test_a_record_that_was_cut_short_does_not_stop_the_next_start(tmp_path):
    (tmp_path / "up-1.json").touch()
    (tmp_path / "up-2.json").write_text('{"supervisor": 2, "gro')
    assert end_leftovers(tmp_path) == 0
    assert not list(tmp_path.iterdir())


@pytest.fixture
def supervise(tmp_path) -> Iterator:
    """The supervisor alone, with a child that sleeps; returns its process and where the child notes its number."""
    started: list[subprocess.Popen[bytes]] = []

    def run(records: Path) -> tuple[subprocess.Popen[bytes], Path]:
        note = tmp_path / "child"
        child = [sys.executable, "-c", f"import os, time; open({str(note)!r}, 'a').write('x'); time.sleep(600)"]
        plan = Plan({"sleeper": child}, "127.0.0.1", 1, "", str(records))
        program = [sys.executable, "-P", str(ROOT / "config" / "supervising.py"), json.dumps(asdict(plan))]
        started.append(subprocess.Popen(program, stdout=subprocess.DEVNULL))
        return started[-1], note

    yield run
    for one in started:
        one.terminate()
        one.wait(timeout=30)


def wait_for_starts(note: Path, number: int) -> None:
    deadline = time.monotonic() + 30
    while not note.exists() or len(note.read_text()) < number:
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize("with_nohup", [False, True])
def test_a_closed_terminal_stops_it_unless_it_was_started_with_nohup(supervise, tmp_path, with_nohup):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN if with_nohup else signal.SIG_DFL)
    try:
        supervisor, note = supervise(tmp_path)
    finally:
        signal.signal(signal.SIGHUP, before)
    wait_for_starts(note, 1)
    supervisor.send_signal(signal.SIGHUP)
    if with_nohup:
        with pytest.raises(subprocess.TimeoutExpired):
            supervisor.wait(timeout=1)
    else:
        assert supervisor.wait(timeout=20) == 0


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="looks at processes through /proc")
def test_a_record_that_cannot_be_written_stops_nothing(supervise, tmp_path):
    """As on a full disk."""
    supervisor, note = supervise(tmp_path / "a folder that is not there")
    wait_for_starts(note, 1)
    children = Path(f"/proc/{supervisor.pid}/task/{supervisor.pid}/children").read_text().split()
    sleeper = next(int(pid) for pid in children if "sleep" in Path(f"/proc/{pid}/cmdline").read_text())
    os.kill(sleeper, signal.SIGKILL)
    wait_for_starts(note, 2)
    assert supervisor.poll() is None


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
