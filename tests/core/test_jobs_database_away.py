"""A short loss of the database costs a job one attempt, not its life."""

import logging
import threading
from collections.abc import Iterator

import pytest
from django.db import connection
from django.utils import timezone

from accounts.models import AuditEvent
from core.errors import BadInput
from core.jobs import services as jobs
from core.jobs.models import JobState
from core.jobs.running import KINDS, RunningJob, light_work
from core.models import Job

pytestmark = pytest.mark.django_db(transaction=True)
on_postgresql = pytest.mark.skipif("connection.vendor != 'postgresql'", reason="ends connections on the server")


@pytest.fixture
def kind() -> Iterator[str]:
    yield "tests.away"
    KINDS.pop("tests.away", None)


def lose_connection() -> None:
    """The server ends this connection, as it does when it restarts; SQLite has no server and refuses a statement."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")
        cursor.execute("SELECT * FROM a_table_that_is_not_there_now")


def perform_next(job: Job) -> Job:
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now())
    found = jobs.perform(job.key, worker="worker")
    assert found is not None
    return found


def test_a_job_that_loses_the_database_waits_and_goes_on_from_its_checkpoint(kind):
    def work(job: RunningJob) -> dict[str, int]:
        start = job.checkpoint.get("next", 0)
        for number in range(start, 3):
            job.report(number, 3, checkpoint={"next": number})
            if number == 1 and start == 0:
                lose_connection()
        return {"started_at": start}

    light_work(kind)(work)
    job = jobs.request_job(kind, {}, title="A job", by=None)
    waiting = perform_next(job)
    assert (waiting.state, waiting.attempts, waiting.error) == (JobState.QUEUED, 1, "")
    assert waiting.not_before > timezone.now(), "it waits a little"
    assert waiting.message == (
        "Will be retried. Last error: The database did not respond while the job ran. Finished work is kept."
    )
    assert (waiting.lease_until, waiting.notified_at) == (None, None), "the sweep rings when the moment has come"
    done = perform_next(job)
    assert (done.state, done.attempts, done.result) == (JobState.DONE, 2, {"started_at": 1})


def test_a_job_that_never_reaches_the_database_fails_with_a_sentence_and_no_traceback(kind):
    light_work(kind)(lambda job: lose_connection())
    job = jobs.request_job(kind, {}, title="A job", by=None)
    states = [perform_next(job).state for _ in range(5)]
    assert states == [JobState.QUEUED] * 4 + [JobState.FAILED]
    job.refresh_from_db()
    assert job.error == (
        "Failed after 5 attempts. Last error: The database did not respond while the job ran. Finished work is kept."
    )


@pytest.mark.parametrize("error", [ValueError, BadInput])
def test_an_error_that_quotes_what_cannot_be_stored_ends_the_job(kind, error, caplog):
    # Half a character in a captured log is more than pytest-xdist can send.
    caplog.set_level(logging.CRITICAL, logger="core.jobs.services")

    def work(job: RunningJob) -> None:
        raise error("'a\x00b\ud83d' is not a label.")

    light_work(kind)(work)
    job = jobs.request_job(kind, {}, title="A job", by=None)
    ended = perform_next(job)
    assert ended.state == JobState.FAILED
    assert "'a\ufffdb\ufffd' is not a label." in ended.error


@on_postgresql
def test_half_written_work_is_rolled_back_and_written_once(kind):
    def work(job: RunningJob) -> None:
        from django.db import transaction

        from accounts.models import Action
        from accounts.services import audit

        with transaction.atomic():
            audit.record(None, Action.JOB_REQUESTED, "half")
            if not Job.objects.filter(key=job.key, attempts__gt=1).exists():
                lose_connection()

    light_work(kind)(work)
    job = jobs.request_job(kind, {}, title="A job", by=None)
    perform_next(job)
    assert perform_next(job).state == JobState.DONE
    assert AuditEvent.objects.filter(subject_kind="half").count() == 1


@on_postgresql
def test_a_result_is_written_although_the_connection_died_at_the_last_moment(kind):
    def work(job: RunningJob) -> dict[str, bool]:
        connection.connection.close()
        return {"finished": True}

    light_work(kind)(work)
    job = jobs.request_job(kind, {}, title="A job", by=None)
    done = perform_next(job)
    assert (done.state, done.attempts, done.result) == (JobState.DONE, 1, {"finished": True})


@on_postgresql
def test_the_lease_is_renewed_again_after_its_connection_was_ended(kind, settings):
    settings.JOB_LEASE_SECONDS = 2
    renewed = threading.Event()

    def work(job: RunningJob) -> None:
        with connection.cursor() as cursor:
            leases = set()
            for _ in range(100):
                if renewed.wait(0.1):
                    break
                leases.add(Job.objects.get(key=job.key).lease_until)
                if len(leases) == 2:  # it was renewed once, so the connection that renews it is open
                    cursor.execute(
                        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                        "WHERE datname = current_database() AND pid <> pg_backend_pid()"
                    )
                if len(leases) > 3:
                    renewed.set()

    light_work(kind)(work)
    job = jobs.request_job(kind, {}, title="A job", by=None)
    assert perform_next(job).state == JobState.DONE
    assert renewed.is_set()
