"""Predictions of a run in the database: what is there, what is missing, what is known from before."""

from collections.abc import Iterable, Sequence

from curation.models import ReleaseCase
from evaluation.models import EvaluationRun, ModelVersion, Prediction
from evaluation.runners import Answer
from evaluation.runs.models import RunSource


def missing_cases(run: EvaluationRun) -> list[tuple[int, str, int]]:
    """Return cases of the release without a prediction in this run: (id, hash of the text, its length)."""
    done = set(run.predictions.values_list("release_case_id", flat=True))
    cases = ReleaseCase.objects.filter(release=run.release).order_by("position").values_list("id", "text_hash", "text")
    return [(pk, text_hash, len(text)) for pk, text_hash, text in cases.iterator(chunk_size=5000) if pk not in done]


def remembered(run: EvaluationRun, hashes: Iterable[str]) -> dict[str, Answer]:
    """Return what this very model version said about equal texts in earlier runs."""
    return answers_of_version(run.model_version, hashes, but=run)


def answers_of_version(
    version: ModelVersion, hashes: Iterable[str], *, but: EvaluationRun | None = None
) -> dict[str, Answer]:
    """Return what a version said about these texts, by their hashes.

    Asked run by run and not text by text: each run is one look through an index that exists.
    """
    wanted = set(hashes)
    found: dict[str, Answer] = {}
    runs = EvaluationRun.objects.filter(model_version=version, source=RunSource.RUN).order_by("-id")
    for pk in (runs.exclude(pk=but.pk) if but else runs).values_list("pk", flat=True):
        if not wanted - found.keys():
            break
        rows = Prediction.objects.filter(run_id=pk, error="").values_list(
            "release_case__text_hash", "label", "score", "is_refusal", "raw"
        )
        for text_hash, label, score, is_refusal, raw in rows.iterator(chunk_size=5000):
            if text_hash in wanted:
                found.setdefault(text_hash, Answer(label=label, score=score, refusal=is_refusal, raw=raw))
    return found


def answers_of_twins(run: EvaluationRun) -> list[tuple[int, Answer]]:
    """For every case without a prediction the answer that its text got in this run, an error too."""
    waiting = missing_cases(run)
    if not waiting:
        return []
    rows = Prediction.objects.filter(run=run).values_list(
        "release_case__text_hash", "label", "score", "is_refusal", "raw", "error"
    )
    wanted = {text_hash for _, text_hash, _ in waiting}
    found = {
        text_hash: Answer(label=label, score=score, refusal=is_refusal, raw=raw, error=error or None)
        for text_hash, label, score, is_refusal, raw, error in rows.iterator(chunk_size=5000)
        if text_hash in wanted
    }
    return [(case, found[text_hash]) for case, text_hash, _ in waiting if text_hash in found]


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
