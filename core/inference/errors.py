"""What can go wrong with a model, told so that the reader knows what to do next."""

from collections.abc import Sequence
from typing import Any

from core.tables.problems import Problem
from core.text import Text, _


class InferenceError(Exception):
    """Base of everything a model is refused for. `code` is stable, the message is for people."""

    code = "runner_error"

    @property
    def sentence(self) -> str:
        """Return the message as it was given, so that a text can still be shown in another language."""
        return sentence_of(self)


class SpecError(InferenceError):
    """The text that names a model cannot be understood."""

    code = "runner_spec"


class NotAllowed(InferenceError):
    """The installation's settings do not permit this address, callable, command or folder."""

    code = "runner_not_allowed"


class ModelUnusable(InferenceError):
    """The model was found but cannot be used: no safetensors, no trained head, wrong shape of answer."""

    code = "runner_model_unusable"


class LabelsUnclear(InferenceError):
    """The model's classes do not say what they mean; an explicit mapping is needed."""

    code = "runner_labels_unclear"


class ConfigurationError(InferenceError):
    """A description or an uploaded file has problems; each says where it is and how to fix it."""

    code = "runner_configuration"

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(_lines_of(self.problems))


class Interrupted(InferenceError):
    """A prediction that ended early. `answers` has None where nothing was answered, so the caller can keep the rest."""

    code = "runner_interrupted"

    def __init__(self, message: str = "", *, answers: Sequence[Any] = (), retry_after: float | None = None) -> None:
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


class RequestFailed(InferenceError):
    """One request failed. `is_retryable`: another try may help. `is_final`: no request of the run can succeed."""

    code = "runner_request_failed"

    def __init__(
        self,
        message: str,
        *,
        is_retryable: bool = False,
        is_final: bool = False,
        retry_after: float | None = None,
        status: int | None = None,
    ) -> None:
        super().__init__(message)
        self.is_retryable = is_retryable
        self.is_final = is_final
        self.retry_after = retry_after
        self.status = status  # of the server's answer, where there was one


def sentence_of(error: BaseException) -> str:
    """Return what an error says: the text it was raised with, or plain words of other errors."""
    said = error.args[0] if error.args else ""
    return said if isinstance(said, Text) else str(error)


def line_of(problem: Problem) -> str:
    """Return one problem as one line: place, problem, fix."""
    said = problem.sentences
    if problem.row is None:
        place = [problem.file, *([problem.column] if problem.column else [])]
        return _("%(place)s: %(problem)s", place=place, problem=said)
    if not problem.column:
        return _("%(file)s, line %(line)s: %(problem)s", file=problem.file, line=str(problem.row), problem=said)
    return _(
        "%(file)s, line %(line)s, %(key)s: %(problem)s",
        file=problem.file,
        line=str(problem.row),
        key=problem.column,
        problem=said,
    )


def _lines_of(problems: Sequence[Problem]) -> str:
    """Return the problems one below the other; nothing but line breaks stands between them, so nobody translates it."""
    lines = {f"line{place}": line_of(problem) for place, problem in enumerate(problems)}
    return Text.made("\n".join(f"%({name})s" for name in lines), lines)
