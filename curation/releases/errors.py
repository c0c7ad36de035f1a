"""Refusals of steps that a release in its state does not allow."""

from core.errors import DomainError, WrongState
from curation.models import Release


class NotInThisState(WrongState):
    """The release is in a state that does not allow the step; the sentence says what to do instead."""

    def __init__(self, title: str, release: Release, *, wanted: str) -> None:
        DomainError.__init__(self, title, now=release.state, wanted=wanted)
