"""Turning what somebody else's code returned (a label, a number, an object) into an answer."""

from typing import Any

from evaluation.runners.answers import Answer
from evaluation.runners.settings import RunnerSettings


def answer_from(result: Any, *, settings: RunnerSettings, threshold: float = 0.5) -> Answer:
    """An answer from a label, a score between 0 and 1, 0 or 1, or a mapping with label and/or score.

    What cannot be read is an answer with an `error` that says so.
    """
    if isinstance(result, Answer):
        return result
    label, score = result, None
    if isinstance(result, dict):
        label, score = result.get("label"), result.get("score")
    elif isinstance(result, bool) and settings.is_binary:
        label, score = settings.label_if(result), None
    elif isinstance(result, int | float):
        label, score = None, result
    raw = str(result)[:500]
    if score is not None:
        try:
            score = float(score)
        except (TypeError, ValueError):
            return Answer(label=None, raw=raw, error=f"the score '{score}' is not a number")
        if not 0 <= score <= 1:
            return Answer(label=None, raw=raw, error=f"the score {score} is not between 0 and 1")
    if label is None and score is not None:
        if not settings.is_binary:
            problem = f"a score cannot tell {len(settings.labels)} labels apart; answer with a label"
            return Answer(label=None, raw=raw, error=problem)
        label = settings.cut(score, threshold)
    if label not in settings.labels:
        return Answer(label=None, raw=raw, error=f"'{label}' is not a label here; use {' or '.join(settings.labels)}")
    return Answer(label=label, score=score, raw=raw)
