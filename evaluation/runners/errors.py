"""What can go wrong with a runner, told so that a person knows what to do next."""

from __future__ import annotations

from collections.abc import Sequence

from curation.formats.values import Problem
from curation.inference.errors import InferenceError, ModelUnusable, NotAllowed, SpecError
from evaluation.runners.answers import Answer

__all__ = [
    "ConfigurationError",
    "Interrupted",
    "LabelsUnclear",
    "ModelUnusable",
    "NotAllowed",
    "QuotaReached",
    "RunnerBusy",
    "RunnerError",
    "SpecError",
    "Stopped",
    "line_of",
]


# A runner refuses what a model can be refused for anywhere in the product, and a few things of its own.
RunnerError = InferenceError


class LabelsUnclear(RunnerError):
    """Nobody can tell which of the model's classes means what; an explicit mapping is needed."""

    code = "runner_labels_unclear"


class ConfigurationError(RunnerError):
    """A description or an uploaded file has problems; each says where it is and how to mend it."""

    code = "runner_configuration"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("\n".join(line_of(problem) for problem in self.problems))


class Interrupted(RunnerError):
    """A prediction that ended early. `answers` has None where nothing was answered, so the caller can keep the rest."""

    code = "runner_interrupted"

    def __init__(
        self, message: str, *, answers: Sequence[Answer | None] = (), retry_after: float | None = None
    ) -> None:
        super().__init__(message)
        self.answers = list(answers)
        self.retry_after = retry_after


class Stopped(Interrupted):
    """The caller asked to stop."""

    code = "runner_stopped"


class RunnerBusy(Interrupted):
    """The service behind the runner is overloaded or unreachable; trying again later is right."""

    code = "runner_busy"


class QuotaReached(Interrupted):
    """The day's share of requests is used up; `retry_after` is the number of seconds until it is renewed."""

    code = "runner_quota_reached"


def line_of(problem: Problem) -> str:
    """One problem as one line: place, problem, way out."""
    place = problem.file
    if problem.row is not None:
        place += f", line {problem.row}"
    if problem.column:
        place += f", {problem.column}"
    return f"{place}: {problem.problem}. {problem.fix}"
