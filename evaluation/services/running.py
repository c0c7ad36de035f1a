"""Running a model on a published release: in chunks, resumable, nothing twice and nothing lost."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import WrongState
from curation.models import Release, ReleaseCase
from curation.models.releases import ReleaseState
from evaluation.models import EvaluationRun, ModelVersion, Prediction
from evaluation.models.runs import RunSource, RunState
from evaluation.runners import Answer, Interrupted, Runner, cut_into_chunks
from evaluation.services.scoring import score_run
from evaluation.states import RUN_MOVES
from curation.states import move

CHUNK = 256
Progress = Callable[[int, int, str], None]


def require_published(release: Release) -> None:
    """Refuses anything that could still change."""
    if release.state != ReleaseState.PUBLISHED:
        raise WrongState(release, now=release.state, wanted="evaluated")


@transaction.atomic
def start_run(
    release: Release, version: ModelVersion, *, source: str = RunSource.RUN, by: User | None, **facts: object
) -> EvaluationRun:
    """Open a run of a model on a published release."""
    require_published(release)
    run = EvaluationRun.objects.create(
        release=release, model_version=version, source=source, created_by=by, environment=version.description, **facts
    )
    audit.record(by, Action.EVALUATION_REQUESTED, run, release=release.key, model=version.model.key)
    return run


def missing_cases(run: EvaluationRun) -> list[tuple[int, str, str]]:
    """Cases of the release without a prediction in this run: (id, text, hash of the text)."""
    done = set(run.predictions.values_list("release_case_id", flat=True))
    cases = ReleaseCase.objects.filter(release=run.release).order_by("position").values_list("id", "text", "text_hash")
    return [case for case in cases.iterator(chunk_size=5000) if case[0] not in done]


def remembered(run: EvaluationRun, hashes: Iterable[str]) -> dict[str, Answer]:
    """What this very model version said about equal texts in earlier runs."""
    found: dict[str, Answer] = {}
    wanted = sorted(set(hashes))
    for start in range(0, len(wanted), 500):
        rows = (
            Prediction.objects.filter(
                run__model_version=run.model_version,
                run__source=RunSource.RUN,
                release_case__text_hash__in=wanted[start : start + 500],
                error="",
            )
            .exclude(run=run)
            .values_list("release_case__text_hash", "label", "score", "is_refusal", "raw")
        )
        for text_hash, label, score, is_refusal, raw in rows:
            found[text_hash] = Answer(label=label, score=score, refusal=is_refusal, raw=raw)
    return found


def store_answers(run: EvaluationRun, answers: Sequence[tuple[int, Answer]]) -> None:
    """Write predictions; a case that has one already keeps it."""
    Prediction.objects.bulk_create(
        [
            Prediction(
                run=run,
                release_case_id=case_id,
                label=answer.label,
                score=answer.score,
                is_refusal=answer.refusal,
                raw=answer.raw[:2000],
                error=(answer.error or "")[:300],
            )
            for case_id, answer in answers
        ],
        batch_size=500,
        ignore_conflicts=True,
    )


def predict_run(run: EvaluationRun, runner: Runner, *, progress: Progress | None = None) -> EvaluationRun:
    """Ask the model about every case that has no prediction yet, then score. Calling it again goes on where it stopped."""
    if run.state != RunState.RUNNING:
        move(run, RunState.RUNNING, RUN_MOVES, error="")
    total = ReleaseCase.objects.filter(release=run.release).count()
    waiting = missing_cases(run)
    known = remembered(run, (text_hash for _, _, text_hash in waiting))
    store_answers(run, [(case_id, known[text_hash]) for case_id, _, text_hash in waiting if text_hash in known])
    waiting = [case for case in waiting if case[2] not in known]
    done = total - len(waiting)
    # Equal lengths together: the runner's batches stay full and a chunk is one write.
    waiting.sort(key=lambda case: len(case[1]))
    for chunk in cut_into_chunks(waiting, size=CHUNK):
        if progress:
            progress(done, total, "asking the model")
        ids = [case_id for case_id, _, _ in chunk]
        try:
            answers: Sequence[Answer | None] = runner.predict([text for _, text, _ in chunk])
        except Interrupted as interruption:
            answers = interruption.answers
            store_answers(run, [(i, a) for i, a in zip(ids, answers, strict=False) if a is not None])
            raise
        store_answers(run, [(i, a) for i, a in zip(ids, answers, strict=True) if a is not None])
        done += len(chunk)
    if progress:
        progress(done, total, "measuring")
    score_run(run)
    move(run, RunState.DONE, RUN_MOVES, finished_at=timezone.now())
    return run
