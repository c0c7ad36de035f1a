"""The check a model passes before it is registered, and what the "try it" box shows."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from core.inference.errors import InferenceError
from core.text import _, ngettext
from evaluation.runners.answers import Answer, Runner
from evaluation.runners.asking import MILD_TEXT
from evaluation.runners.loading import load_runner
from evaluation.runners.settings import RunnerSettings

# Mild on purpose: they are sent to strangers' services and shown on a page.
OTHERS_CODE = ("python", "command")
MILD_TEXTS = (MILD_TEXT, "I am not fond of rainy mornings.", "")


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What came of trying a model. `problem` is None when every text got a label; else it says what to do."""

    problem: str | None
    code: str = ""
    answers: tuple[Answer, ...] = ()
    record: Mapping[str, object] = field(default_factory=dict)
    seconds: float = 0.0

    @property
    def is_fine(self) -> bool:
        return self.problem is None


def check_model(
    spec: str | Mapping[str, Any], *, settings: RunnerSettings, texts: Sequence[str] = MILD_TEXTS
) -> ModelCheck:
    """Load a model and label a few texts with it; nothing it refuses is raised, everything is in the result.

    A refusal by a language model is an answer; an error or no label at all is a problem. The empty text is a try: many
    services refuse it, and no test case is empty.
    """
    started = time.monotonic()
    try:
        runner = load_runner(spec, settings=settings)
        if runner.describe()["kind"] == "upload":
            return ModelCheck(None, record=runner.describe())
        return check_runner(runner, settings=settings, texts=texts)
    except InferenceError as error:
        return ModelCheck(error.sentence, code=error.code, seconds=time.monotonic() - started)


def check_runner(runner: Runner, *, settings: RunnerSettings, texts: Sequence[str] = MILD_TEXTS) -> ModelCheck:
    """As `check_model`, for a model that is loaded. Raises what ends a run, such as a wrong key or a busy service."""
    started = time.monotonic()
    answers = tuple(runner.predict(texts))
    broken = [
        answer.error or _("no label")
        for text, answer in zip(texts, answers, strict=True)
        if text and answer.label is None and not answer.refusal
    ]
    contradiction = None if broken else _contradiction(answers, runner.describe(), settings)
    return ModelCheck(
        _count_of(broken, texts) if broken else contradiction,
        code="runner_no_answer" if broken else "scores_contradict_labels" if contradiction else "",
        answers=answers,
        record=runner.describe(),
        seconds=time.monotonic() - started,
    )


def _contradiction(answers: Sequence[Answer], record: Mapping[str, object], settings: RunnerSettings) -> str | None:
    """Return what is wrong where other people's code gives scores that say the opposite of their labels every time.

    Usually the score is how sure the model is of its own answer.
    """
    cut = record.get("threshold")
    both = [answer for answer in answers if answer.label is not None and answer.score is not None]
    if record["kind"] not in OTHERS_CODE or not settings.is_binary or not isinstance(cut, float) or not both:
        return None
    if any(settings.cut(answer.score or 0.0, cut) == answer.label for answer in both):
        return None
    return _(
        "the scores contradict the labels: '%(label)s' with the score %(score)s, where texts are %(positive)s from "
        "%(threshold)s on. A score is how sure the model is of '%(positive)s', not of its own answer.",
        label=both[0].label,
        score=both[0].score,
        positive=settings.positive,
        threshold=cut,
    )


def _count_of(broken: Sequence[str], texts: Sequence[str]) -> str:
    """Return how many texts got no usable answer, and why the first of them did not."""
    return ngettext(
        "%(broken)s of %(count)s text got no usable answer: %(error)s",
        "%(broken)s of %(count)s texts got no usable answer: %(error)s",
        len(texts),
        broken=len(broken),
        error=broken[0],
    )
