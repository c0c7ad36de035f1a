"""Refusals of the floor."""

from typing import Any

from accounts.errors import DomainError, NotAllowed
from core.text import Text, _

__all__ = ["BadInput", "ChangedMeanwhile", "DomainError", "Missing", "NotAllowed", "WrongState", "sentence_of"]


def sentence_of(error: BaseException) -> str:
    """Return what an error says, as a text where it was made with one."""
    first = error.args[0] if error.args else ""
    return first if isinstance(first, Text) else str(error)


class WrongState(DomainError):
    """The thing is not in a state from which this step is possible."""

    code, status = "wrong_state", 409

    def __init__(self, subject: object, *, now: str, wanted: str, known: tuple[str, ...] = ()) -> None:
        titles = _titles_of_states(subject)
        values = {"subject": str(subject), "now": titles.get(now, now), "wanted": titles.get(wanted, wanted)}
        possible = [titles.get(state, state) for state in known]
        title = (
            _(
                "%(subject)s is '%(now)s' and cannot become '%(wanted)s'. From '%(now)s' it can become: %(possible)s.",
                possible=possible,
                **values,
            )
            if possible
            else _("%(subject)s is '%(now)s' and cannot become '%(wanted)s'.", **values)
        )
        super().__init__(title, now=now, wanted=wanted)


def _titles_of_states(subject: object) -> dict[str, str]:
    """Return the states of a row as pages call them."""
    fields = getattr(getattr(subject, "_meta", None), "fields", ())
    return {str(value): title for field in fields if field.name == "state" for value, title in field.flatchoices}


class ChangedMeanwhile(DomainError):
    """Somebody else was faster."""

    code, status = "changed_meanwhile", 409

    def __init__(self, subject: object) -> None:
        super().__init__(
            _(
                "%(subject)s was changed by another person a moment ago. Reload the page and check it again.",
                subject=str(subject),
            )
        )


class BadInput(DomainError):
    """What was handed in cannot be used; `problems` names every bad place."""

    code, status = "bad_input", 422

    def __init__(self, title: str, *, problems: list[dict[str, Any]] | None = None, **fields: Any) -> None:
        super().__init__(title, problems=problems or [], **fields)
        self.problems = problems or []


class Missing(DomainError):
    """There is no such thing, or it is not yours to see."""

    code, status = "missing", 404
