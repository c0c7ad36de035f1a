"""Refusals about artefacts."""

from core.errors import DomainError, WrongState


class Unusable(WrongState):
    """The thing is not in a state from which this step is possible; the sentence says why and what to do.

    `now` and `wanted` say the same to programs.
    """

    def __init__(self, sentence: str, *, now: str, wanted: str) -> None:
        DomainError.__init__(self, sentence, now=now, wanted=wanted)
