"""One writer at a time on SQLite, in good order.

SQLite lets writers poll for their turn with growing pauses, so ten threads of one server would wait a tenth of a second
for a lock that is held for two milliseconds. A lock of the process wakes the next one at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection

_turn = threading.Lock()


@contextmanager
def writing_turn() -> Iterator[None]:
    """Wait for one's turn to write. Inside a transaction it is too late to queue, and PostgreSQL needs no queue."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with _turn:
        yield
