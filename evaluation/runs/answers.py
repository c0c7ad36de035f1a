"""Predictions of a run in the database: what is there, what is missing, what is known from before."""

from collections.abc import Iterable, Iterator, Sequence

from django.db.models import QuerySet

from core.text import Text
from evaluation.models import EvaluationRun, ModelVersion, Prediction
from evaluation.runners import Answer
from evaluation.runs.models import RunSource

LONGEST_ERROR = 300


def question_of(version: ModelVersion, text_hash: str, language: str) -> str:
    """Return what tells one question from another: the text, and its language where the model is told that."""
    return f"{language}:{text_hash}" if version.description.get("asks_language") else text_hash


def missing_cases(run: EvaluationRun) -> list[tuple[int, str, int]]:
    """Return cases without a prediction in this run: (id, question, length of the text)."""
    done = set(run.predictions.values_list("release_case_id", flat=True))
    cases = run.cases().order_by("position").values_list("id", "text_hash", "language", "text")
    return [
        (pk, question_of(run.model_version, text_hash, language), len(text))
        for pk, text_hash, language, text in cases.iterator(chunk_size=5000)
        if pk not in done
    ]


def remembered(run: EvaluationRun, hashes: Iterable[str]) -> dict[str, Answer]:
    """Return what this very model version answered to equal questions in earlier runs."""
    return answers_of_version(run.model_version, hashes, but=run)


def answers_of_version(
    version: ModelVersion, hashes: Iterable[str], *, but: EvaluationRun | None = None
) -> dict[str, Answer]:
    """Return what a version answered to these questions.

    Asked run by run and not text by text: each run is one look through an index that exists.
    """
    wanted = set(hashes)
    found: dict[str, Answer] = {}
    runs = EvaluationRun.objects.filter(model_version=version, source=RunSource.RUN).order_by("-id")
    for pk in (runs.exclude(pk=but.pk) if but else runs).values_list("pk", flat=True):
        if not wanted - found.keys():
            break
        for question, answer in _answered(Prediction.objects.filter(run_id=pk, error=""), version):
            if question in wanted:
                found.setdefault(question, answer)
    return found


def _answered(predictions: QuerySet[Prediction], version: ModelVersion) -> Iterator[tuple[str, Answer]]:
    rows = predictions.values_list(
        "release_case__text_hash", "release_case__language", "label", "score", "is_refusal", "raw", "error"
    )
    for text_hash, language, label, score, is_refusal, raw, error in rows.iterator(chunk_size=5000):
        answer = Answer(label=label, score=score, refusal=is_refusal, raw=raw, error=error or None)
        yield question_of(version, text_hash, language), answer


def answers_of_twins(run: EvaluationRun) -> list[tuple[int, Answer]]:
    """For every case without a prediction the answer that its text got in this run, an error too."""
    waiting = missing_cases(run)
    if not waiting:
        return []
    wanted = {question for _, question, _ in waiting}
    answered = _answered(Prediction.objects.filter(run=run), run.model_version)
    found = {question: answer for question, answer in answered if question in wanted}
    return [(case, found[question]) for case, question, _ in waiting if question in found]


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
                error=_shortened(answer.error or ""),
            )
            for case_id, answer in answers
        ],
        batch_size=500,
        ignore_conflicts=True,
    )


def _shortened(error: str) -> str:
    """Return an error as it is kept; what code of others says may be endless."""
    return error if isinstance(error, Text) else error[:LONGEST_ERROR]
