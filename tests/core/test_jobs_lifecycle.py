"""The life of a job: the row decides, whoever works on it."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Action, AuditEvent
from core.errors import BadInput, Missing, WrongState
from core.jobs import services as jobs
from core.jobs.models import JobState
from core.jobs.running import KINDS, JobCancelled, RunningJob, WaitUntil, light_work
from core.models import Job

pytestmark = pytest.mark.django_db


class Busy(Exception):
    pass


@pytest.fixture
def kind() -> Iterator[str]:
    """A kind of job whose behaviour each test writes into `behaviour`."""
    yield "tests.job"
    KINDS.pop("tests.job", None)


def working(function, *, retry_on=()) -> None:
    KINDS.pop("tests.job", None)
    light_work("tests.job", retry_on=retry_on)(function)


def requested(**facts: object) -> Job:
    job = jobs.request_job("tests.job", {}, title="A job", by=None)
    Job.objects.filter(pk=job.pk).update(**facts)
    job.refresh_from_db()
    return job


def performed(job: Job, *, worker: str) -> Job:
    ended = jobs.perform(job.key, worker=worker)
    assert ended is not None, "somebody else has the job"
    return ended


def overdue() -> dict[str, object]:
    return {"state": JobState.RUNNING, "worker": "dead", "lease_until": timezone.now() - timedelta(seconds=1)}


def test_an_unknown_kind_is_refused_by_name():
    with pytest.raises(Missing, match=r"no job kind 'nope'.*curation\.count"):
        jobs.request_job("nope", {}, title="x", by=None)


def test_two_functions_cannot_be_the_same_kind(kind):
    working(lambda job: None)

    def another(job: RunningJob) -> None: ...

    with pytest.raises(ValueError, match=r"tests\.job"):
        light_work("tests.job")(another)


def test_workers_are_notified_only_after_the_commit(kind, monkeypatch, django_capture_on_commit_callbacks):
    notified: list[str] = []
    monkeypatch.setattr("core.jobs.services.notify_workers", lambda job: notified.append(job.key))
    working(lambda job: None)
    with django_capture_on_commit_callbacks(execute=True):
        job = jobs.request_job("tests.job", {}, title="A job", by=None)
        assert notified == []
    assert notified == [job.key]


def test_a_job_is_claimed_by_one_worker_only(kind):
    working(lambda job: None)
    job = requested()
    assert jobs.claim(job.key, worker="one") is not None
    assert jobs.claim(job.key, worker="two") is None


def test_a_job_whose_worker_stopped_holding_it_can_be_claimed(kind):
    working(lambda job: None)
    job = requested(**overdue(), attempts=1)
    claimed = jobs.claim(job.key, worker="two")
    assert claimed is not None
    assert (claimed.worker, claimed.attempts) == ("two", 2)


def test_what_the_work_returns_is_the_result(kind):
    working(lambda job: {"cases": 3})
    done = performed(requested(), worker="one")
    assert (done.state, done.result) == (JobState.DONE, {"cases": 3})
    assert done.finished_at is not None
    assert done.lease_until is None


def test_progress_is_written_while_the_work_goes_on(kind):
    seen: list[tuple[int, int | None, str]] = []

    def work(job: RunningJob) -> None:
        job.report(2, 4, "half", checkpoint={"next": 3})
        row = Job.objects.get(key=job.key)
        seen.append((row.done, row.total, row.message))
        assert row.checkpoint == {"next": 3}
        assert row.share_done == 0.5

    working(work)
    assert performed(requested(), worker="one").state == JobState.DONE
    assert seen == [(2, 4, "half")]


def test_a_second_attempt_goes_on_from_the_checkpoint(kind):
    starts: list[object] = []
    working(lambda job: starts.append(job.checkpoint))
    performed(requested(**overdue(), checkpoint={"next": 7}), worker="two")
    assert starts == [{"next": 7}]


def test_a_refusal_of_the_domain_ends_the_job_with_its_sentence(kind):
    def work(job: RunningJob) -> None:
        raise BadInput("Row 3 has no label. Add one.", row=3)

    working(work)
    failed = performed(requested(), worker="one")
    assert (failed.state, failed.error) == (JobState.FAILED, "Row 3 has no label. Add one.")
    assert failed.result is not None
    assert failed.result["code"] == "bad_input"


def test_a_crash_ends_the_job_with_the_place(kind):
    def work(job: RunningJob) -> None:
        raise ZeroDivisionError("by zero")

    working(work)
    failed = performed(requested(), worker="one")
    assert failed.state == JobState.FAILED
    assert failed.reason == "ZeroDivisionError: by zero"
    assert "in work" in failed.error


def test_a_busy_service_is_asked_again_later_and_given_up_in_the_end(kind):
    def work(job: RunningJob) -> None:
        raise Busy("come back")

    working(work, retry_on=(Busy,))
    job = requested(max_attempts=2)
    waiting = performed(job, worker="one")
    assert waiting.state == JobState.QUEUED
    assert waiting.not_before > timezone.now()
    assert jobs.perform(job.key, worker="one") is None  # not yet
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now())
    failed = performed(job, worker="one")
    assert failed.state == JobState.FAILED
    assert "Failed after 2 attempts. Last error: come back" in failed.error


def test_a_waiting_job_is_cancelled_at_once_and_never_runs(kind, mira):
    working(lambda job: pytest.fail("it ran"))
    job = requested()
    jobs.cancel(job, by=mira)
    assert job.state == JobState.CANCELLED
    assert jobs.perform(job.key, worker="one") is None
    assert AuditEvent.objects.filter(action=Action.JOB_CANCELLED, actor=mira).exists()


def test_a_running_job_stops_at_its_next_report(kind, mira):
    def work(job: RunningJob) -> None:
        jobs.cancel(Job.objects.get(key=job.key), by=mira)
        job.report(1, 10, checkpoint={"next": 2})
        pytest.fail("it went on")

    working(work)
    stopped = performed(requested(), worker="one")
    assert (stopped.state, stopped.message) == (JobState.CANCELLED, "Stopped on request.")
    assert stopped.checkpoint == {"next": 2}


def test_an_algorithm_that_only_asks_is_told_to_stop(kind, mira):
    def work(job: RunningJob) -> None:
        jobs.cancel(Job.objects.get(key=job.key), by=mira)
        with pytest.raises(JobCancelled):
            job.report(1, 10, checkpoint={})
        assert job.should_stop()
        job.stop_if_asked()

    working(work)
    assert performed(requested(), worker="one").state == JobState.CANCELLED


def test_a_worker_that_lost_its_job_cannot_end_it(kind):
    def work(job: RunningJob) -> None:
        Job.objects.filter(key=job.key).update(worker="two", attempts=2)
        job.report(9, 10, checkpoint={"wrong": True})

    working(work)
    after = performed(requested(), worker="one")
    assert (after.state, after.worker) == (JobState.RUNNING, "two")
    assert after.checkpoint == {}


@pytest.mark.parametrize("state", [JobState.FAILED, JobState.CANCELLED])
def test_a_failed_or_stopped_job_goes_on_from_its_checkpoint(kind, mira, state):
    starts: list[object] = []
    working(lambda job: starts.append(job.checkpoint))
    job = requested(state=state, attempts=5, checkpoint={"next": 4}, cancel_requested=True, error="x")
    jobs.resume(job, by=mira)
    assert performed(job, worker="one").state == JobState.DONE
    assert starts == [{"next": 4}]


@pytest.mark.parametrize("state", [JobState.QUEUED, JobState.RUNNING, JobState.DONE])
def test_other_jobs_cannot_be_resumed(kind, mira, state):
    working(lambda job: None)
    with pytest.raises(WrongState):
        jobs.resume(requested(state=state), by=mira)


def test_the_sweep_notifies_again_for_abandoned_jobs_and_lost_messages(kind, monkeypatch):
    notified: list[str] = []
    monkeypatch.setattr("core.jobs.services.notify_workers", lambda job: notified.append(job.key))
    working(lambda job: None)
    abandoned = requested(**overdue(), attempts=1)
    unheard = requested(notified_at=timezone.now() - timedelta(hours=1))
    requested()  # its bell has just notified
    requested(notified_at=None, not_before=timezone.now() + timedelta(hours=1))
    assert jobs.sweep() == 2
    assert set(notified) == {abandoned.key, unheard.key}
    abandoned.refresh_from_db()
    assert abandoned.state == JobState.QUEUED
    assert jobs.sweep() == 0


def test_a_job_that_kills_its_workers_is_not_tried_forever(kind):
    working(lambda job: None)
    job = requested(**overdue(), attempts=5, max_attempts=5)
    jobs.sweep()
    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert job.error.startswith("The worker process ended unexpectedly at every attempt.")


def test_a_job_without_a_broker_is_safe_and_said_in_the_log(kind, monkeypatch):
    from kombu.exceptions import OperationalError

    from core.jobs import running as work

    def away(*args: object, **facts: object) -> None:
        raise OperationalError("no route")

    monkeypatch.setattr("core.jobs.running.current_app.send_task", away)
    working(lambda job: None)
    job = requested()
    work.notify_workers(job)
    assert Job.objects.get(pk=job.pk).state == JobState.QUEUED


def test_work_that_has_to_wait_for_a_moment_is_put_off_until_then_and_no_attempt_is_counted(kind):
    tomorrow = timezone.now() + timedelta(days=1)

    def not_today(job: RunningJob) -> None:
        job.report(3, 9)
        raise WaitUntil(tomorrow, "used up")

    working(not_today)
    job = performed(requested(), worker="one")
    assert (job.state, job.attempts, job.not_before, job.done) == (JobState.QUEUED, 0, tomorrow, 3)
    assert job.message.endswith("used up")
    assert jobs.perform(job.key, worker="two") is None
    assert jobs.sweep() == 0
    Job.objects.filter(pk=job.pk).update(not_before=timezone.now())
    assert jobs.sweep() == 1


def test_a_command_that_was_interrupted_leaves_its_job_free_for_the_next_one(kind):
    def interrupted(job: RunningJob) -> None:
        raise KeyboardInterrupt

    working(interrupted)
    job = requested()
    with pytest.raises(KeyboardInterrupt):
        jobs.perform(job.key, worker="command-1")
    working(lambda job: {"fine": True})
    assert performed(job, worker="command-2").state == JobState.DONE
