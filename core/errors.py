"""Refusals of the floor."""

from typing import Any

from accounts.errors import DomainError, NotAllowed

__all__ = ["BadInput", "ChangedMeanwhile", "DomainError", "Missing", "NotAllowed", "WrongState"]


class WrongState(DomainError):
    """The thing is not in a state from which this step is possible."""

    code, status = "wrong_state", 409

    def __init__(self, subject: object, *, now: str, wanted: str, known: tuple[str, ...] = ()) -> None:
        possible = f" From '{now}' it can become: {', '.join(known)}." if known else ""
        super().__init__(f"{subject} is '{now}' and cannot become '{wanted}'.{possible}", now=now, wanted=wanted)


class ChangedMeanwhile(DomainError):
    """Somebody else was faster."""

    code, status = "changed_meanwhile", 409

    def __init__(self, subject: object) -> None:
        super().__init__(f"{subject} was changed by somebody else a moment ago. Reload the page and look again.")


class BadInput(DomainError):
    """What was handed in cannot be used; `problems` names every bad place."""

    code, status = "bad_input", 422

    def __init__(self, title: str, *, problems: list[dict[str, Any]] | None = None, **fields: Any) -> None:
        super().__init__(title, problems=problems or [], **fields)
        self.problems = problems or []


class Missing(DomainError):
    """There is no such thing, or it is not yours to see."""

    code, status = "missing", 404
