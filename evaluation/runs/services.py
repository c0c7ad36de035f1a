"""The life of a run: asked for, worked on, finished; its state follows the job that does it."""

import platform
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, DomainError, WrongState
from core.jobs import services as jobs
from core.jobs.models import JobState
from core.models import Job
from core.states import move, move_rows
from core.text import _, ngettext
from curation.models import Release, ReleaseCase
from curation.releases.access import require_reading
from curation.releases.models import ReleaseState
from evaluation.models import EvaluationRun, ModelVersion
from evaluation.permissions import require_steering, require_work_on
from evaluation.registry.archiving import require_current
from evaluation.runners import Runner
from evaluation.runners.code_commit import commit_of
from evaluation.runners.labels import all_of
from evaluation.runs.models import RunSource, RunState
from evaluation.states import RUN_MOVES

KIND = "evaluation.run"
UNFINISHED = [RunState.QUEUED, RunState.RUNNING, RunState.FAILED, RunState.CANCELLED]
LOOK_EVERY = 1.0  # seconds
LONGEST_WAIT = timedelta(minutes=5)


class RunFailed(DomainError):
    """The run ended without a result."""

    code, status = "run_failed", 409


class RunPaused(DomainError):
    """The run waits for longer than anybody would sit in front of a terminal."""

    code, status = "run_paused", 409

    def __init__(self, run: EvaluationRun, job: Job) -> None:
        super().__init__(
            ngettext(
                "%(reason)s %(done)s of %(count)s case is answered and kept. "
                "The run continues by itself where a worker is running, or when you repeat the command then.",
                "%(reason)s %(done)s of %(count)s cases are answered and kept. "
                "The run continues by itself where a worker is running, or when you repeat the command then.",
                job.total or 0,
                reason=job.message,
                done=job.done,
            ),
            run=run.key,
            goes_on_at=job.not_before.isoformat(),
        )


class NotPublished(WrongState):
    """A release that could still change."""

    def __init__(self, release: Release) -> None:
        super().__init__(release, now=release.state, wanted="evaluated")
        self.title = _(
            "%(release)s is not published (state: %(state)s). Models run on published releases only: publish it first.",
            release=release.key,
            state=release.get_state_display(),
        )
        self.args = (self.title,)


def require_published(release: Release) -> None:
    """Refuses anything that could still change."""
    if release.state != ReleaseState.PUBLISHED:
        raise NotPublished(release)


@transaction.atomic
def start_run(
    release: Release, version: ModelVersion, *, source: str = RunSource.RUN, by: User | None, **facts: Any
) -> EvaluationRun:
    """Open a run of a model on a published release."""
    require_published(release)
    require_current(version.model)
    run = EvaluationRun.objects.create(
        release=release, model_version=version, source=source, created_by=by, environment=version.description, **facts
    )
    audit.record(by, Action.EVALUATION_REQUESTED, run, release=release.key, model=version.model.key)
    return run


def languages_of(release: Release, version: ModelVersion, wanted: Sequence[str] = ()) -> dict[str, list[str]]:
    """Return the options of a run that is restricted to the wanted languages, or to those the model says it knows.

    A code without a region means every variety: `pt` finds `pt-BR`. Refuses languages the release does not have.
    """
    known = wanted or version.description.get("languages") or ()
    if not known:
        return {}
    there = sorted(set(ReleaseCase.objects.filter(release=release).values_list("language", flat=True)))
    found = [language for language in there if language in known or language.partition("-")[0] in known]
    missing = [code for code in wanted if not any(code in (one, one.partition("-")[0]) for one in there)]
    if missing or not found:
        raise BadInput(
            _(
                "%(release)s has no case in %(codes)s. Its languages are: %(languages)s.",
                release=release.key,
                codes=list(missing or known),
                languages=there,
            )
        )
    return {} if found == there else {"languages": found}


@transaction.atomic
def request_run(release: Release, version: ModelVersion, *, by: User, languages: Sequence[str] = ()) -> EvaluationRun:
    """Queue a model on a published release. While it waits or runs, asking again gives the same run.

    Refuses releases that are not published, languages they do not have, and models whose predictions are uploaded.
    Evaluators run the models they registered, on releases whose cases they may read.
    """
    require_work_on(by, version.model)
    require_published(release)
    require_reading(by, release)
    if version.description.get("kind") == "upload":
        raise BadInput(
            _(
                "%(model)s is known by its uploaded predictions only. Upload its predictions for %(release)s.",
                model=version.model.name,
                release=release.key,
            )
        )
    labels = version.description.get("labels", release.suite.labels)
    if labels != release.suite.labels:
        raise BadInput(
            _(
                "%(model)s answers with %(answers)s; %(release)s has %(labels)s. "
                "Register the model for a release of this suite.",
                model=version.title,
                answers=all_of(labels),
                release=release.key,
                labels=all_of(release.suite.labels),
            )
        )
    options = languages_of(release, version, languages)
    waiting = unfinished_run(release, version, options, states=[RunState.QUEUED, RunState.RUNNING])
    if waiting:
        return waiting
    run = start_run(release, version, by=by, options=options)
    give_job(run, by=by)
    return run


def unfinished_run(
    release: Release, version: ModelVersion, options: dict[str, Any], *, states: list[RunState] | None = None
) -> EvaluationRun | None:
    """The newest run of this version on this release that has not come to its end."""
    found = EvaluationRun.objects.current().filter(
        release=release, model_version=version, source=RunSource.RUN, state__in=states or UNFINISHED
    )
    for run in found.select_related("job", "release__suite", "model_version__model").order_by("-id"):
        follow_job(run)
        if run.state in (states or UNFINISHED) and run.options == options:
            return run
    return None


def finished_run(release: Release, version: ModelVersion, options: dict[str, Any]) -> EvaluationRun | None:
    """Return a finished run that asking again could not improve: every case has an answer that is not an error."""
    found = EvaluationRun.objects.finished().filter(release=release, model_version=version, source=RunSource.RUN)
    runs = found.select_related("report", "model_version__model", "release__suite").order_by("-id")
    run = next((run for run in runs if run.options == options), None)
    return run if run and not run.predictions.exclude(error="").exists() else None


def give_job(run: EvaluationRun, *, by: User | None, ring_now: bool = True) -> Job:
    """A job that does the run."""
    url = run.get_absolute_url()
    job = jobs.request_job(KIND, {"run": run.key}, title=run.title, by=by, result_url=url, ring_now=ring_now)
    EvaluationRun.objects.filter(pk=run.pk).update(job=job)
    run.job = job
    return job


def perform_here(run: EvaluationRun, *, worker: str, on_progress: Any = None) -> EvaluationRun:
    """Do a run in this process, or wait for the process that has it. Refuses with the reason when it fails.

    One that was put off is tried at once: its quota may have been raised.
    """
    if run.job is None or run.job.is_finished:
        give_job(run, by=None, ring_now=False)
    job = run.job
    assert job is not None
    now = timezone.now()
    Job.objects.filter(pk=job.pk, state=JobState.QUEUED, not_before__gt=now).update(not_before=now)
    while not job.is_finished:
        if jobs.perform(job.key, worker=worker, on_progress=on_progress) is None:
            time.sleep(LOOK_EVERY)  # another worker has it, or it waits for a busy service
        job.refresh_from_db()
        if job.state == JobState.QUEUED and job.not_before > timezone.now() + LONGEST_WAIT:
            raise RunPaused(run, job)
        if on_progress and not job.is_finished:
            waiting = _("waiting for %(worker)s", worker=job.worker or _("a worker"))
            on_progress(job.done, job.total, job.message or waiting)
    run.refresh_from_db()
    follow_job(run)
    if run.state != RunState.DONE:
        ended = _("The run ended without a result. Its state: %(state)s.", state=run.get_state_display())
        raise RunFailed(job.reason or job.message or ended)
    return run


@transaction.atomic
def resume_run(run: EvaluationRun, *, by: User) -> None:
    """Go on with a failed or stopped run; answers it has are kept."""
    require_steering(by, run)
    follow_job(run)
    if run.state not in (RunState.FAILED, RunState.CANCELLED):
        raise WrongState(run, now=run.state, wanted=RunState.QUEUED)
    if run.job is None:
        give_job(run, by=by)
    else:
        jobs.resume(run.job, by=by)
    move(run, RunState.QUEUED, RUN_MOVES, error="")


def stop_run(run: EvaluationRun, *, by: User) -> None:
    """Ask a run to stop. What was answered is kept."""
    require_steering(by, run)
    if run.job is None:
        raise WrongState(run, now=run.state, wanted=RunState.CANCELLED)
    jobs.cancel(run.job, by=by)
    follow_job(run)


def follow_job(run: EvaluationRun) -> None:
    """A job can end without its function having run (stopped while it waited, its worker died too often)."""
    if run.job is None or run.state not in (RunState.QUEUED, RunState.RUNNING):
        return
    ended = {JobState.FAILED: RunState.FAILED, JobState.CANCELLED: RunState.CANCELLED}
    to = ended.get(JobState(run.job.state))
    if to:
        rows = EvaluationRun.objects.filter(pk=run.pk)
        move_rows(rows, to, RUN_MOVES, come_from=[run.state], error=run.job.reason)
        run.refresh_from_db(fields=["state", "error"])


def enter(run: EvaluationRun, runner: Runner) -> None:
    """The run begins or goes on; what it runs on is written down."""
    environment = {**runner.describe(), "machine": platform.node(), "platform": platform.platform()}
    environment |= {"python": platform.python_version(), "touchstone": settings.VERSION}
    environment["commit"] = commit_of(settings.BASE_DIR)
    environment["release_sha256"] = run.release.sha256
    if "used" in environment:
        # Counted for this run alone, over all its attempts; the runner counts since it was loaded.
        environment["used"] = run.environment.get("used", {}) if run.predictions.exists() else {}
    if run.state == RunState.RUNNING:
        EvaluationRun.objects.filter(pk=run.pk).update(environment=environment)
    else:
        move(run, RunState.RUNNING, RUN_MOVES, error="", environment=environment)


def leave(run: EvaluationRun, to: RunState, *, error: str = "") -> None:
    """The run stops here for now; only from where it can."""
    finished = timezone.now() if to == RunState.DONE else None
    move_rows(EvaluationRun.objects.filter(pk=run.pk), to, RUN_MOVES, error=error, finished_at=finished)
    run.refresh_from_db()
