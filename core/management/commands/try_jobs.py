"""See that workers work."""

import time
from argparse import ArgumentParser
from typing import Any

from core.commands import DomainCommand
from core.errors import DomainError
from core.jobs.services import request_job
from core.text import _


class NoWorkerRuns(DomainError):
    """The job did not end in time."""

    code, status = "no_worker_runs", 503


class Command(DomainCommand):
    help = "Queue a small job and wait for a worker to finish it."

    def add_domain_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--steps", type=int, default=5)
        parser.add_argument("--pause", type=float, default=0.1, help="seconds per step")
        parser.add_argument("--timeout", type=float, default=60)

    def perform(self, **options: Any) -> dict[str, Any]:
        payload = {"to": options["steps"], "pause": options["pause"]}
        job = request_job("curation.count", payload, title=_("Test of the workers"), by=None)
        deadline = time.monotonic() + options["timeout"]
        while not job.is_finished and time.monotonic() < deadline:
            time.sleep(0.2)
            job.refresh_from_db()
            self.show_progress(job.done, job.total, job.message)
        if not job.is_finished:
            raise NoWorkerRuns(f"No worker finished {job.key} in {options['timeout']:.0f} s. Is a worker running?")
        return {"job": job.key, "state": job.state, "done": job.done, "attempts": job.attempts}

    def describe(self, result: dict[str, Any]) -> str:
        return f"{result['job']} is {result['state']}: {result['done']} steps in {result['attempts']} attempts."
