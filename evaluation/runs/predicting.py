"""Asking a model about every case of a release: by chunks that any worker may take, nothing twice and nothing lost."""

import time

from django.conf import settings
from django.db import transaction

from core.jobs import services as jobs
from core.jobs.running import RunningJob
from core.models import Job
from core.text import _
from curation.models import ReleaseCase
from evaluation.models import EvaluationRun, RunChunk
from evaluation.notifications import tell_of_results
from evaluation.registry.services import ModelRefused
from evaluation.runners import InferenceError, Interrupted, Runner
from evaluation.runners.loading import runner_kinds
from evaluation.runs import chunks
from evaluation.runs.answers import answers_of_twins, missing_cases, remembered, store_answers
from evaluation.runs.costing import add_usage, usage_of
from evaluation.runs.loaded import runner_of
from evaluation.runs.models import RunState
from evaluation.runs.scoring import score_run
from evaluation.runs.services import enter, leave

HELP = "evaluation.help"
LOOK_EVERY = 0.5  # seconds


def predict_run(run: EvaluationRun, job: RunningJob) -> EvaluationRun:
    """Ask the model about every case without a prediction, then score. Doing it again goes on where it stopped."""
    labels = run.release.suite.labels
    total = run.cases().count()
    job.report(run.predictions.count(), total, _("loading the model"))
    runner = runner_of(run.model_version, labels)
    enter(run, runner)
    if not run.chunks.exists():
        waiting = missing_cases(run)
        known = remembered(run, (question for case, question, length in waiting))
        store_answers(run, [(case, known[question]) for case, question, length in waiting if question in known])
        # Equal texts are asked about once; the others get the answer when it is there.
        asked = {question: case for case in reversed(waiting) if (question := case[1]) not in known}
        count = chunks.cut(run, [case for case in waiting if asked.get(case[1]) == case])
        call_helpers(run, count)
    while True:
        take_chunks(run, runner, job, total=total)
        if not chunks.unfinished(run):
            break
        job.report(run.predictions.count(), total, _("waiting for other workers"))
        time.sleep(LOOK_EVERY)
    store_answers(run, answers_of_twins(run))
    job.report(total, total, _("measuring"))
    score_run(run)
    leave(run, RunState.DONE)
    tell_of_results(run)
    RunChunk.objects.filter(run=run).delete()
    return run


def help_run(run: EvaluationRun, job: RunningJob) -> int:
    """Take chunks of a run that another job leads, until none is free. Returns how many were taken."""
    if run.state != RunState.RUNNING or not chunks.unfinished(run):
        return 0
    total = run.cases().count()
    job.report(run.predictions.count(), total, _("loading the model"))
    return take_chunks(run, runner_of(run.model_version, run.release.suite.labels), job, total=total)


def take_chunks(run: EvaluationRun, runner: Runner, job: RunningJob, *, total: int) -> int:
    """Claim chunk after chunk until none is free. Whatever ends it early, the chunk in hand is given back."""
    holder = chunks.holder_name(job.key, Job.objects.values_list("attempts", flat=True).get(key=job.key))
    taken = 0
    used = usage_of(runner)
    try:
        while chunk := chunks.claim_chunk(run, holder=holder):
            ask(run, chunk, runner, job, total=total)
            used = add_usage(run, runner, since=used)
            taken += 1
    finally:
        add_usage(run, runner, since=used)
        chunks.let_go(run, holder=holder)
    return taken


def ask(run: EvaluationRun, chunk: RunChunk, runner: Runner, job: RunningJob, *, total: int) -> None:
    """Label the cases of a chunk that are not labelled yet. When the runner cannot finish, what it has is kept."""
    there = set(run.predictions.filter(release_case__in=chunk.cases).values_list("release_case_id", flat=True))
    found = ReleaseCase.objects.filter(pk__in=chunk.cases).values_list("id", "text", "language")
    texts = {pk: (text, language) for pk, text, language in found}
    ids = [case for case in chunk.cases if case not in there]
    asks_language = getattr(runner, "asks_language", False)
    extra = {"languages": [texts[case][1] for case in ids]} if asks_language else {}
    done = run.predictions.count()
    asking = _("asking the model")
    job.report(done, total, asking)
    try:
        answers = runner.predict(
            [texts[case][0] for case in ids],
            **extra,
            progress=lambda answered, of: job.report(done + answered, total, asking),
            should_stop=job.should_stop,
        )
    except Interrupted as interruption:
        kept = zip(ids, interruption.answers, strict=False)
        store_answers(run, [(case, answer) for case, answer in kept if answer is not None])
        job.stop_if_asked()
        raise
    except InferenceError as error:
        raise ModelRefused(error.sentence) from error
    with transaction.atomic():
        store_answers(run, list(zip(ids, answers, strict=True)))
        chunks.finish_chunk(chunk)


def call_helpers(run: EvaluationRun, chunks_there: int) -> None:
    """Ask other workers to take chunks too; on a machine with one worker they come late and find nothing to do."""
    runner = runner_kinds().get(run.model_version.description.get("kind", ""))
    if runner is None or not runner.is_local:
        return
    most = settings.EVALUATION_HELPERS
    for number in range(min(most, (chunks_there - 1) // 2)):
        title = _(
            "Help %(number)s with %(model)s on %(release)s",
            number=number + 1,
            model=run.model_version.model.name,
            release=run.release.key,
        )
        jobs.request_job(HELP, {"run": run.key}, title=title, by=run.created_by, result_url=run.get_absolute_url())
