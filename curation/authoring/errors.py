"""Refusals of authoring."""

from core.errors import DomainError, WrongState


class NotPossibleNow(WrongState):
    """The state of a template does not allow the step; the sentence says what to do instead."""

    def __init__(self, sentence: str, *, now: str, wanted: str) -> None:
        DomainError.__init__(self, sentence, now=now, wanted=wanted)
