"""Watches the processes of the embedded mode. It knows nothing of Django and runs as a program of its own, so that the
command that started it does not stay in memory: `python -P config/supervising.py` with a `Plan` as JSON.

Nothing outlives it. Each child leads a process group, and a group ends with its leader. When the supervisor itself is
killed, a small forked process sees its pipe close and ends the groups; when that was killed too, the next start reads
the record file and ends what is left.
"""

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
from pathlib import Path
from types import FrameType
from typing import NoReturn


@dataclass(frozen=True)
class Plan:
    """What to run, by name, where the web server will answer, and what to say when it does."""

    commands: dict[str, list[str]]
    host: str
    port: int
    announcement: str
    records: str  # the folder where a supervisor notes its processes


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


@dataclass(frozen=True)
class Process:
    pid: int
    group: int
    started: str  # tells a process from a later one with the same number
    command: str


def process_table() -> list[Process]:
    """All living processes, from /proc or, where there is none (macOS), from ps."""
    if not Path("/proc/self/stat").exists():
        return _table_of_ps()
    boot = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            facts = (folder / "stat").read_text().rpartition(")")[2].split()
            command = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            if facts[0] != "Z":
                found.append(Process(int(folder.name), int(facts[2]), f"{boot} {facts[19]}", command))
    return found


def _table_of_ps() -> list[Process]:
    done = subprocess.run(
        ["ps", "-A", "-o", "pid=,pgid=,lstart=,command="], capture_output=True, text=True, env={"LC_ALL": "C"}
    )
    rows = [line.split(None, 7) for line in done.stdout.splitlines()]
    return [Process(int(row[0]), int(row[1]), " ".join(row[2:7]), row[7]) for row in rows if len(row) == 8]


def _started(pid: int) -> str:
    return next((process.started for process in process_table() if process.pid == pid), "")


def end_leftovers(records: Path) -> int:
    """End the processes of supervisors that died without stopping them. Returns how many were ended.

    A number alone proves nothing, because it may belong to another program by now: the supervisor and the leader of
    a group are known by their start, a member whose leader is gone by the Python it runs.
    """
    table = process_table()
    starts = {process.pid: process.started for process in table}
    ended = 0
    for file in records.glob("up-*.json"):
        try:
            record = json.loads(file.read_text())
        except ValueError:  # empty or cut short: the machine went down, and its processes with it
            file.unlink(missing_ok=True)
            continue
        if starts.get(record["supervisor"]) == record["started"]:
            continue
        for leader, started in record["groups"]:
            if starts.get(leader, started) != started:
                continue
            for process in table:
                if process.group == leader and process.command.startswith(record["python"]):
                    with contextlib.suppress(ProcessLookupError, PermissionError):
                        os.kill(process.pid, signal.SIGKILL)
                        ended += 1
        file.unlink(missing_ok=True)
    return ended


def end_group(leader: int) -> None:
    """The whole group, also what an ended leader left behind."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


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
            end_group(self.process.pid)  # a killed worker leaves its beat and its pool behind
            self.process, self.start_again_at = None, now + delay
        if self.process is None and now >= self.start_again_at:
            self.start()

    def ask_to_end(self) -> None:
        """Only the process itself: it stops its own children in good order."""
        if self.process is not None and self.process.poll() is None:
            self.process.terminate()

    def end(self) -> None:
        if self.process is not None:
            end_group(self.process.pid)


class Survivor:
    """A forked process that ends the children's groups if the supervisor is killed and cannot do it itself.

    It reads the groups from a pipe whose other end only the supervisor has; the pipe closes when the supervisor dies.
    """

    PATIENCE = 3.0

    def __init__(self, records: Path) -> None:
        self.file = records / f"up-{os.getpid()}.json"
        self.started = _started(os.getpid())
        self.groups: list[int] = []
        self.pid = 0
        self.pipe = -1

    def look_after(self, groups: list[int]) -> None:
        """Keep the process alive, and what it and the record know up to date."""
        is_new = not self.pid or os.waitpid(self.pid, os.WNOHANG) != (0, 0)
        if is_new:
            self._fork()
        if is_new or groups != self.groups:
            self.groups = groups
            with contextlib.suppress(OSError):  # the disk is full: that must not stop what still runs
                self._note()
            with contextlib.suppress(BrokenPipeError):
                os.write(self.pipe, (" ".join(map(str, groups)) + "\n").encode())

    def dismiss(self) -> None:
        """All children have ended: there is nothing left to do."""
        with contextlib.suppress(OSError):
            os.write(self.pipe, b"\n")
            os.close(self.pipe)
            os.waitpid(self.pid, 0)
        self.file.unlink(missing_ok=True)

    def _note(self) -> None:
        starts = {process.pid: process.started for process in process_table()}
        record = {
            "supervisor": os.getpid(),
            "started": self.started,
            "python": sys.executable,
            "groups": [[pid, starts.get(pid, "")] for pid in self.groups],
        }
        draft = self.file.with_suffix(".draft")
        draft.write_text(json.dumps(record))
        draft.replace(self.file)

    def _fork(self) -> None:
        if self.pipe >= 0:
            os.close(self.pipe)
        reading, self.pipe = os.pipe()
        self.pid = os.fork()
        if self.pid == 0:
            try:
                os.close(self.pipe)
                os.setsid()  # neither Ctrl-C nor the end of the terminal reaches it
                signal.signal(signal.SIGINT, signal.SIG_IGN)
                signal.signal(signal.SIGTERM, signal.SIG_DFL)
                self._outlive(reading)
            finally:
                os._exit(0)
        os.close(reading)

    def _outlive(self, reading: int) -> None:
        told = b""
        while chunk := os.read(reading, 4096):
            told += chunk
        lines = told.decode().split("\n")
        groups = [int(word) for word in lines[-2].split()] if len(lines) > 1 else []
        for group in groups:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(group, signal.SIGTERM)
        deadline = time.monotonic() + self.PATIENCE
        while time.monotonic() < deadline and any(_group_lives(group) for group in groups):
            time.sleep(0.1)
        for group in groups:
            end_group(group)
        self.file.unlink(missing_ok=True)


def _group_lives(group: int) -> bool:
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:  # macOS says so of a group of zombies
        return False
    return True


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
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup: it is to go on after its terminal is closed
        signal.signal(signal.SIGHUP, stop)
    survivor = Survivor(Path(plan.records))
    announced = False
    try:
        while not stopping:
            for child in children:
                child.look_after(say)
            survivor.look_after([child.process.pid for child in children if child.process is not None])
            if not announced and answers(plan.host, plan.port):
                say(plan.announcement)
                announced = True
            time.sleep(0.2)
    finally:
        stop_all(children)
        survivor.dismiss()
    say("Stopped.")


if __name__ == "__main__":
    watch(Plan(**json.loads(sys.argv[1])))
