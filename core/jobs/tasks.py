"""The Celery tasks. The work itself is in services and in each app's `jobs.py`."""

import os
import socket

from celery import current_task, shared_task

from core.jobs import services as jobs


@shared_task(name="core.run_job")  # type: ignore[untyped-decorator]
def run_job(key: str) -> None:
    jobs.perform(key, worker=f"{socket.gethostname()}:{os.getpid()}:{current_task.request.id}"[:120])


@shared_task(name="core.sweep_jobs")  # type: ignore[untyped-decorator]
def sweep_jobs() -> None:
    jobs.sweep()
