"""What background jobs are made of: their kinds, the handle a running job reports through, and notifying workers."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import structlog
from celery import current_app
from django.conf import settings
from django.db import InterfaceError, close_old_connections, connection
from django.db import OperationalError as DatabaseAway
from django.utils import timezone
from kombu.exceptions import OperationalError

from core.jobs.models import JobState
from core.models import Job

log = structlog.get_logger(__name__)
REPORT_EVERY = 0.5  # seconds between writes; counting is free, writing is not
RUN_JOB = "core.run_job"


class JobCancelled(Exception):
    """Somebody asked the job to stop."""


class JobLost(Exception):
    """The lease ended and another worker has the job now."""


class WaitUntil(Exception):
    """The work can only go on at a known moment, such as the next day of a quota; waiting is no failed attempt."""

    def __init__(self, moment: datetime, reason: str) -> None:
        super().__init__(reason)
        self.moment = moment


class RunningJob:
    """What a job's function is given: its payload, its checkpoint, and a way to report."""

    def __init__(
        self, job: Job, *, lease: timedelta, on_progress: Callable[[int, int | None, str], None] | None = None
    ) -> None:
        self.key = job.key
        self.requested_by = job.requested_by
        self.checkpoint: dict[str, Any] = dict(job.checkpoint)
        self.done = job.done
        self.total = job.total
        self.message = job.message
        self._mine = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, worker=job.worker, attempts=job.attempts)
        self._lease = lease
        self._on_progress = on_progress
        self._written_at = 0.0
        self._stop = threading.Event()
        self._asked_to_stop = False
        self._lost = False

    def report(
        self,
        done: int,
        total: int | None = None,
        message: str | None = None,
        *,
        checkpoint: dict[str, Any] | None = None,
    ) -> None:
        """Say how far the work is. Raises when it was asked to stop or was given to somebody else.

        A checkpoint is written at once; plain progress at most twice a second.
        """
        self.done, self.total = done, total if total is not None else self.total
        self.message = message if message is not None else self.message
        now = time.monotonic()
        if checkpoint is not None:
            self.checkpoint = checkpoint
        if checkpoint is not None or now - self._written_at >= REPORT_EVERY or done == total:
            self._written_at = now
            self._hold()
        if self._on_progress:
            self._on_progress(self.done, self.total, self.message)
        self.stop_if_asked()

    def stop_if_asked(self) -> None:
        if self._lost:
            raise JobLost
        if self._asked_to_stop:
            raise JobCancelled

    def should_stop(self) -> bool:
        """For pure algorithms that take a question instead of raising."""
        return self._lost or self._asked_to_stop

    def _hold(self) -> None:
        """Write progress and renew the lease, and look whether somebody wants the job to stop."""
        held = self._mine.update(
            lease_until=timezone.now() + self._lease,
            done=max(self.done, 0),
            total=self.total,
            message=self.message,
            checkpoint=self.checkpoint,
        )
        self._lost = not held
        self._asked_to_stop = held == 1 and self._mine.filter(cancel_requested=True).exists()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keeps the lease alive from a second thread while the work computes without reporting."""
        if connection.in_atomic_block:  # tests inside a transaction: another connection would not see the job
            yield
            return
        thread = threading.Thread(target=self._beat, name=f"hold-{self.key}", daemon=True)
        thread.start()
        try:
            yield
        finally:
            self._stop.set()
            thread.join(timeout=5)

    def _beat(self) -> None:
        try:
            while not self._stop.wait(self._lease.total_seconds() / 3):
                close_old_connections()
                try:
                    self._hold()
                except (DatabaseAway, InterfaceError) as error:  # the next beat opens another connection
                    log.warning("lease_not_renewed", job=self.key, error=str(error).strip())
                    connection.close()
        finally:
            connection.close()


@dataclass(frozen=True, slots=True)
class Kind:
    name: str
    title: str
    queue: str
    run: Callable[..., Any]
    retry_on: tuple[type[BaseException], ...]


KINDS: dict[str, Kind] = {}


def _register(
    name: str, title: str, queue: str, retry_on: tuple[type[BaseException], ...]
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    def decorate(function: Callable[..., Any]) -> Callable[..., Any]:
        if name in KINDS and KINDS[name].run.__qualname__ != function.__qualname__:
            raise ValueError(f"two functions want to be the job kind '{name}'")
        KINDS[name] = Kind(name, title or name, queue, function, retry_on)
        return function

    return decorate


def light_work(
    name: str, *, title: str = "", retry_on: tuple[type[BaseException], ...] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Database work that any worker does. The function gets a RunningJob and the payload; it must be idempotent.

    `title` is what pages call this kind of work.
    """
    return _register(name, title, "light", retry_on)


def model_work(
    name: str, *, title: str = "", retry_on: tuple[type[BaseException], ...] = ()
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Work that loads a model or waits for one; workers with memory or a GPU listen to its queue."""
    return _register(name, title, "models", retry_on)


def notify_workers(job: Job) -> None:
    """Tell the workers that a job waits. The sweep repeats a message that no worker received."""
    try:
        current_app.send_task(RUN_JOB, kwargs={"key": job.key}, queue=settings.QUEUE_PREFIX + job.queue, retry=False)
    except OperationalError as error:  # the broker is away; the row is safe and the sweep notifies again
        log.warning("workers_not_notified", job=job.key, error=str(error))
