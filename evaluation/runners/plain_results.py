"""Turning what somebody else's code returned (a label, a number, an object) into an answer."""

from typing import Any

from core.text import _
from evaluation.runners.answers import Answer
from evaluation.runners.labels import either
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
            return Answer(label=None, raw=raw, error=_("the score '%(score)s' is not a number", score=str(score)))
        if not 0 <= score <= 1:
            return Answer(label=None, raw=raw, error=_("the score %(score)s is not between 0 and 1", score=str(score)))
    if label is None and score is not None:
        if not settings.is_binary:
            number = len(settings.labels)
            problem = _("a score cannot tell %(labels)s labels apart; answer with a label", labels=number)
            return Answer(label=None, raw=raw, error=problem)
        label = settings.cut(score, threshold)
    if label not in settings.labels:
        wanted = either(settings.labels)
        problem = _("'%(label)s' is not a label here; use %(labels)s", label=str(label), labels=wanted)
        return Answer(label=None, raw=raw, error=problem)
    return Answer(label=label, score=score, raw=raw)
