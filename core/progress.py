"""Show how far a command is, for people at a terminal and for logs."""

import sys
import time
from collections.abc import Callable

from core.text import _

CLEAR_LINE = "\r\033[K"
SECONDS_BETWEEN_LINES = 10


class Progress:
    """Count, total and time left on stderr.

    On a terminal one line is rewritten in place and removed at the end. Elsewhere, as in the log of a cron job, a line
    is written at most every ten seconds, and the last state at the end.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._step: tuple[int | None, str] | None = None
        self._began_at, self._done_before = 0.0, 0
        self._written_at = 0.0
        self._unwritten = ""

    def show(self, done: int, total: int | None, message: str) -> None:
        """Show the state of a step. Another message or total is another step, whose time is counted anew."""
        now = self._clock()
        if self._step is None:
            self._written_at = now
        if self._step != (total, message):
            self._step, self._began_at, self._done_before = (total, message), now, done
        line = self._line(done, total, message, now)
        if sys.stderr.isatty():
            _write(CLEAR_LINE + line)
        elif now - self._written_at >= SECONDS_BETWEEN_LINES:
            self._written_at, self._unwritten = now, ""
            _write(line + "\n")
        else:
            self._unwritten = line

    def finish(self) -> None:
        """Leave the line of a terminal free for what is printed next; write the last state to a log."""
        if sys.stderr.isatty():
            _write(CLEAR_LINE)
        elif self._unwritten:
            _write(self._unwritten + "\n")
        self._step, self._unwritten = None, ""

    def _line(self, done: int, total: int | None, message: str, now: float) -> str:
        if not total:
            return f"{message}: {done:,}"
        line = f"{message}: {done:,} of {total:,} ({done / total:.0%})"
        if not self._done_before < done < total:
            return line
        seconds = (now - self._began_at) / (done - self._done_before) * (total - done)
        return f"{line}, {duration(seconds)} left"


def duration(seconds: float) -> str:
    """Return a time as people say it: 42 s, 7 min, 2 h 10 min."""
    if seconds < 60:
        return _("%(seconds)s s", seconds=max(1, round(seconds)))
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return _("%(minutes)s min", minutes=minutes)
    return _("%(hours)s h %(minutes)s min", hours=hours, minutes=minutes) if minutes else _("%(hours)s h", hours=hours)


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()
