"""Runs: chunks with one holder, states that follow the job, answers that are never asked for twice."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.errors import NotAllowed
from curation.errors import BadInput, WrongState
from curation.models import Job
from curation.models.jobs import JobState
from curation.services import jobs
from evaluation.models import ModelVersion, Prediction, RunChunk
from evaluation.models.runs import RunState
from evaluation.runners import Answer
from evaluation.services import chunks, loaded, predicting, running
from evaluation.services.answers import missing_cases, store_answers
from evaluation.services.registry import ModelChanged
from tests.evaluation_ground import allow_models, registered, run_model
from tests.release_ground import make_candidate, make_release, make_suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def release(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    loaded._slot.clear()
    return make_release(make_suite(by=mira), cascade="none", by=mira)


@pytest.fixture
def run(release, mira):
    return running.request_run(release, registered("by_word", name="Words"), by=mira)


def claimed_job(run) -> str:
    job = jobs.claim(run.job.key, worker="one")
    return chunks.holder_name(job.key, job.attempts)


def test_a_chunk_has_one_holder(run):
    assert chunks.cut(run, missing_cases(run), size=4) == 2
    assert chunks.cut(run, missing_cases(run), size=1) == 2
    holder = claimed_job(run)
    first, second = (chunks.claim_chunk(run, holder=holder) for _ in range(2))
    assert {first.number, second.number} == {0, 1}
    assert sorted(first.cases + second.cases) == sorted(run.release.cases.values_list("pk", flat=True))
    assert chunks.claim_chunk(run, holder=holder) is None
    chunks.finish_chunk(first)
    assert chunks.unfinished(run) == 1


def test_the_chunk_of_a_dead_worker_is_free_again(run):
    chunks.cut(run, missing_cases(run))
    holder = claimed_job(run)
    assert chunks.claim_chunk(run, holder=holder)
    assert chunks.claim_chunk(run, holder="other#1") is None
    Job.objects.filter(pk=run.job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert chunks.claim_chunk(run, holder="other#1")


def test_a_case_that_has_an_answer_keeps_it(run):
    case = run.release.cases.first()
    store_answers(run, [(case.pk, Answer("hateful"))])
    store_answers(run, [(case.pk, Answer("non-hateful"))])
    assert Prediction.objects.get().label == "hateful"
    assert case.pk not in {pk for pk, _, _ in missing_cases(run)}


def test_another_worker_may_take_the_chunks(run, monkeypatch, mira):
    """The helper does all of it; the leader only measures."""
    monkeypatch.setattr(chunks, "CHUNK", 2)
    chunks.cut(run, missing_cases(run), size=2)
    running.leave(run, RunState.RUNNING)
    helper = jobs.request_job(predicting.HELP, {"run": run.key}, title="help", by=mira)
    assert jobs.perform(helper.key, worker="two").result == {"run": run.key, "chunks": 3}
    monkeypatch.setattr(
        "evaluation.runners.python_callable.PythonRunner.predict", lambda *a, **k: pytest.fail("asked twice")
    )
    assert jobs.perform(run.job.key, worker="one").state == JobState.DONE
    run.refresh_from_db()
    assert (run.state, run.predictions.count()) == (RunState.DONE, 6)
    assert not RunChunk.objects.exists()


def test_asking_twice_gives_the_waiting_run(run, release, mira):
    assert running.request_run(release, run.model_version, by=mira) == run


def test_a_finished_run_says_what_it_ran_on(release, mira):
    done = run_model(release, "by_word", name="Words", by=mira)
    assert done.environment["release_sha256"] == release.sha256
    assert {"python", "platform", "packages", "machine", "device", "touchstone"} <= done.environment.keys()
    assert done.finished_at


def test_a_failing_model_fails_its_run_with_the_reason_and_it_can_go_on(run, mira, monkeypatch):
    monkeypatch.setattr(predicting, "score_run", lambda run: 1 / 0)
    jobs.perform(run.job.key, worker="one")
    run.refresh_from_db()
    assert (run.state, run.error) == (RunState.FAILED, "division by zero")
    monkeypatch.undo()
    running.resume_run(run, by=mira)
    jobs.perform(run.job.key, worker="one")
    run.refresh_from_db()
    assert run.state == RunState.DONE


def test_a_run_whose_job_was_stopped_is_stopped(run, mira):
    jobs.cancel(run.job, by=mira)
    running.follow_job(run)
    assert run.state == RunState.CANCELLED


def test_a_model_that_changed_since_it_was_registered_is_refused(run):
    ModelVersion.objects.update(fingerprint="something else")
    job = jobs.perform(run.job.key, worker="one")
    assert job.state == JobState.FAILED
    assert job.result["code"] == ModelChanged.code


def test_only_published_releases_are_run(settings, tmp_path, mira):
    settings.VAR = tmp_path
    allow_models(settings)
    candidate = make_candidate(make_suite(by=mira), by=mira)
    with pytest.raises(WrongState):
        running.request_run(candidate, registered("by_word", name="Words"), by=mira)


def test_only_maintainers_run_models(release, emil):
    with pytest.raises(NotAllowed):
        running.request_run(release, registered("by_word", name="Words"), by=emil)


def test_a_model_known_by_its_uploads_cannot_be_run(release, mira):
    version = registered("by_word", name="Words")
    version.description["kind"] = "upload"
    with pytest.raises(BadInput, match="uploaded predictions only"):
        running.request_run(release, version, by=mira)


def test_a_new_release_only_asks_about_new_texts(release, mira, monkeypatch):
    run_model(release, "by_word", name="Words", by=mira)
    second = make_release(release.suite, "1.1.0", cascade="closure", by=mira)
    monkeypatch.setattr(
        "evaluation.runners.python_callable.PythonRunner.predict", lambda *a, **k: pytest.fail("asked again")
    )
    assert run_model(second, "by_word", name="Words", by=mira).predictions.count() == second.cases.count()
