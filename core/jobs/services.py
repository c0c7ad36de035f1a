"""The life of a job: request, claim, hold, report, finish, cancel, sweep.

The row decides everything. Two workers that hear the same doorbell compete by compare-and-set; a worker that dies
stops holding its lease, and the sweep hands the job to another one, which goes on from the checkpoint.
"""

import traceback
from datetime import timedelta
from typing import Any

import structlog
from django.conf import settings
from django.db import InterfaceError, OperationalError, connection, transaction
from django.db.models import F, Q
from django.utils import timezone

from accounts.models import Action, User
from accounts.plain_values import storable
from accounts.services import audit
from core.errors import DomainError, Missing, WrongState, sentence_of
from core.extras import missing_extra
from core.jobs.models import FINISHED, JOB_MOVES, JobState
from core.jobs.running import KINDS, JobCancelled, JobLost, RunningJob, WaitUntil, notify_workers
from core.models import Job
from core.notifications.models import Happening
from core.notifications.services import notify
from core.states import move_rows
from core.text import _, ngettext

log = structlog.get_logger(__name__)
BACK_OFF = timedelta(seconds=5)
WORKER_DIED = _(
    "The worker process ended unexpectedly at every attempt. It may have run out of memory. Ask the operator."
)
DATABASE_AWAY = (OperationalError, InterfaceError)  # it restarts, ended our connection, is locked or full


def lease() -> timedelta:
    return timedelta(seconds=settings.JOB_LEASE_SECONDS)


@transaction.atomic
def request_job(
    kind: str, payload: dict[str, Any], *, title: str, by: User | None, result_url: str = "", ring_now: bool = True
) -> Job:
    """Queue work of a known kind; the doorbell rings when the transaction is committed.

    `ring_now=False` leaves the job to whoever performs it at once (a command); the sweep still finds it if that dies.
    """
    if kind not in KINDS:
        raise Missing(_("There is no job kind '%(kind)s'. Known: %(known)s.", kind=kind, known=sorted(KINDS)))
    job = Job.objects.create(
        kind=kind,
        payload=payload,
        title=title,
        queue=KINDS[kind].queue,
        requested_by=by,
        result_url=result_url,
        notified_at=timezone.now(),
    )
    audit.record(by, Action.JOB_REQUESTED, job, kind=kind)
    if ring_now:
        transaction.on_commit(lambda: notify_workers(job))
    return job


def claim(key: str, *, worker: str) -> Job | None:
    """Take a waiting job, or one whose worker stopped holding it. None when somebody else has it."""
    now = timezone.now()
    free = Q(state=JobState.QUEUED, not_before__lte=now) | Q(state=JobState.RUNNING, lease_until__lt=now)
    won = move_rows(
        Job.objects.filter(free, key=key),
        JobState.RUNNING,
        JOB_MOVES,
        worker=worker,
        lease_until=now + lease(),
        attempts=F("attempts") + 1,
        started_at=now,
        error="",
    )
    return Job.objects.get(key=key) if won else None


def perform(key: str, *, worker: str, on_progress: Any = None) -> Job | None:
    """Claim a job and run it to its end, whatever that is. Called by workers and by commands."""
    job = claim(key, worker=worker)
    if job is None:
        return None
    kind = KINDS[job.kind]
    running = RunningJob(job, lease=lease(), on_progress=on_progress)
    try:
        if job.cancel_requested:
            raise JobCancelled
        with running.held():
            result = kind.run(running, **job.payload)
    except JobCancelled:
        _end(job, JobState.CANCELLED, message=_("Stopped on request."))
    except JobLost:
        log.warning("job_lost", job=key, worker=worker)
    except WaitUntil as pause:
        _put_off(job, pause, done=running.done)
    except kind.retry_on as error:
        _wait_or_fail(job, sentence_of(error))
    except DATABASE_AWAY as error:
        log.warning("job_interrupted", job=key, kind=job.kind, attempt=job.attempts, exc_info=error)
        _wait_or_fail(job, _("The database did not respond while the job ran. Finished work is kept."))
    except DomainError as error:
        _fail(job, error=error.title, result=error.facts())
    except KeyboardInterrupt:  # the lease ends here, so that the same command again need not wait for it
        Job.objects.filter(pk=job.pk, worker=worker, attempts=job.attempts).update(lease_until=timezone.now())
        raise
    except Exception as error:
        if refusal := missing_extra(error):
            _fail(job, error=refusal.title, result=refusal.facts())
        else:
            log.exception("job_failed", job=key, kind=job.kind)
            _fail(job, error=f"{type(error).__name__}: {error}\n{traceback.format_exc(limit=-5)}")
    else:
        counts = {"done": running.done, "total": running.total or running.done}
        _end(job, JobState.DONE, result=result, message=running.message, **counts)
    job.refresh_from_db()
    return job


def _leave(job: Job, to: JobState, **facts: Any) -> None:
    """Write how the attempt ended. Only the worker that still holds the job may do so."""
    mine = Job.objects.filter(pk=job.pk, state=JobState.RUNNING, worker=job.worker, attempts=job.attempts)
    facts = storable(facts)  # errors and results quote what was in a file
    try:
        move_rows(mine, to, JOB_MOVES, lease_until=None, **facts)
    except DATABASE_AWAY:
        if connection.in_atomic_block:
            raise
        # The connection was lost under the job. If a new one fails too, the lease ends and the sweep finds the job.
        connection.close()
        move_rows(mine, to, JOB_MOVES, lease_until=None, **facts)


def _end(job: Job, state: JobState, **facts: Any) -> None:
    _leave(job, state, finished_at=timezone.now(), **facts)


def _fail(job: Job, **facts: Any) -> None:
    _end(job, JobState.FAILED, **facts)
    try:
        _tell_owner(Job.objects.select_related("requested_by").get(pk=job.pk))
    except DATABASE_AWAY as error:  # the job has ended; its page says how
        log.warning("owner_not_told", job=job.key, error=str(error))


def _tell_owner(job: Job) -> None:
    """Tell the person who requested a job that it failed; once for each time it failed."""
    if job.state == JobState.FAILED and job.requested_by and job.finished_at:
        notify(
            Happening.JOB_FAILED,
            [job.requested_by],
            key=f"{job.key}:{job.finished_at.isoformat()}",
            title=_("“%(job)s” failed", job=job.title),
            text=job.reason,
            url=job.get_absolute_url(),
            facts={"job": job.key, "kind": job.kind},
        )


def _put_off(job: Job, pause: WaitUntil, *, done: int) -> None:
    """The sweep rings for it when the moment has come."""
    _leave(
        job,
        JobState.QUEUED,
        not_before=pause.moment,
        notified_at=None,
        done=done,
        attempts=F("attempts") - 1,
        message=_("Postponed until %(moment)s: %(reason)s", moment=pause.moment, reason=sentence_of(pause)),
    )


def _wait_or_fail(job: Job, reason: str) -> None:
    """Queue the job again, later after each attempt; the sweep rings for it. Fail it after its last attempt."""
    if job.attempts >= job.max_attempts:
        error = ngettext(
            "Failed after %(count)s attempt. Last error: %(reason)s",
            "Failed after %(count)s attempts. Last error: %(reason)s",
            job.attempts,
            reason=reason,
        )
        _fail(job, error=error)
        return
    _leave(
        job,
        JobState.QUEUED,
        not_before=timezone.now() + BACK_OFF * 2 ** (job.attempts - 1),
        notified_at=None,
        message=_("Will be retried. Last error: %(reason)s", reason=reason),
    )


@transaction.atomic
def cancel(job: Job, *, by: User) -> None:
    """Ask a job to stop. One that has not begun stops at once; a running one at its next report."""
    if job.state in FINISHED:
        raise WrongState(job, now=job.state, wanted=JobState.CANCELLED)
    ended = {"finished_at": timezone.now(), "message": _("Stopped before it started.")}
    row = Job.objects.filter(pk=job.pk)
    stopped = move_rows(row, JobState.CANCELLED, JOB_MOVES, come_from=[JobState.QUEUED], **ended)
    if not stopped:
        row.filter(state=JobState.RUNNING).update(cancel_requested=True, message=_("Stopping …"))
    audit.record(by, Action.JOB_CANCELLED, job)
    job.refresh_from_db()


@transaction.atomic
def resume(job: Job, *, by: User | None, ring_now: bool = True) -> None:
    """Run a failed or stopped job again, from its checkpoint. `ring_now` as for `request_job`."""
    revived = move_rows(
        Job.objects.filter(pk=job.pk),
        JobState.QUEUED,
        JOB_MOVES,
        come_from=[JobState.FAILED, JobState.CANCELLED],
        cancel_requested=False,
        attempts=0,
        error="",
        finished_at=None,
        not_before=timezone.now(),
        notified_at=timezone.now(),
    )
    if not revived:
        raise WrongState(job, now=job.state, wanted=JobState.QUEUED)
    audit.record(by, Action.JOB_REQUESTED, job, resumed=True)
    job.refresh_from_db()
    if ring_now:
        transaction.on_commit(lambda: notify_workers(job))


def sweep() -> int:
    """Find jobs whose worker died or whose message was lost, and notify the workers again. Return how many.

    A job abandoned more often than it may be tried fails: one that kills its worker cannot do so for ever.
    """
    now = timezone.now()
    given_up: dict[str, Any] = {"finished_at": now, "error": WORKER_DIED, "lease_until": None}
    hopeless = list(Job.objects.abandoned().filter(attempts__gte=F("max_attempts")).values_list("pk", flat=True))
    move_rows(Job.objects.abandoned().filter(pk__in=hopeless), JobState.FAILED, JOB_MOVES, **given_up)
    for job in Job.objects.filter(pk__in=hopeless).select_related("requested_by"):
        _tell_owner(job)
    again: dict[str, Any] = {"lease_until": None, "not_before": now, "notified_at": None}
    move_rows(Job.objects.abandoned(), JobState.QUEUED, JOB_MOVES, **again)
    unheard = Job.objects.due().filter(Q(notified_at=None) | Q(notified_at__lt=now - lease()))
    found = list(unheard)
    unheard.update(notified_at=now)
    for job in found:
        notify_workers(job)
    return len(found)
