"""One start at a time on a folder of run-time data: two would share the spool and end each other's processes."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from core.errors import DomainError

PATIENCE = 6.0  # seconds; processes of a killed start end within four


class InstanceRuns(DomainError):
    """Touchstone runs with this folder already."""

    code, status = "instance_runs", 409


def take_lock(folder: Path, *, patience: float = PATIENCE) -> int:
    """Lock the folder for this process, and for the program it becomes. Returns the open file that holds the lock.

    The system gives the lock back when the process ends, however it ends. Refuses while another start holds it.
    """
    (folder / "up").mkdir(exist_ok=True)
    handle = os.open(folder / "up" / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    deadline = time.monotonic() + patience
    while True:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            break
        except BlockingIOError:
            if time.monotonic() >= deadline:
                holder = os.pread(handle, 20, 0).decode(errors="replace").strip()
                os.close(handle)
                raise InstanceRuns(
                    f"Touchstone runs with the data folder {folder} already (process {holder or 'unknown'}). "
                    "Stop it, or name another folder with TOUCHSTONE_VAR."
                ) from None
            time.sleep(0.1)
    os.ftruncate(handle, 0)
    os.pwrite(handle, str(os.getpid()).encode(), 0)
    os.set_inheritable(handle, True)
    return handle


@contextmanager
def lock_instance(folder: Path) -> Iterator[None]:
    """Hold the lock for a while."""
    handle = take_lock(folder, patience=0.5)
    try:
        yield
    finally:
        os.close(handle)
