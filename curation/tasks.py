"""The Celery tasks: two bells. What is done when they ring is in services and in each app's `jobs.py`."""

from __future__ import annotations

import os
import socket

from celery import current_task, shared_task

from curation.services import jobs


@shared_task(name="curation.run_job")  # type: ignore[untyped-decorator]
def run_job(key: str) -> None:
    jobs.perform(key, worker=f"{socket.gethostname()}:{os.getpid()}:{current_task.request.id}"[:120])


@shared_task(name="curation.sweep_jobs")  # type: ignore[untyped-decorator]
def sweep_jobs() -> None:
    jobs.sweep()
