"""Refusals of the annotation app."""

from collections.abc import Sequence
from functools import reduce

from accounts.errors import DomainError
from core.errors import WrongState
from core.text import _


class NotTakingPart(DomainError):
    """The person does not take part in the campaign."""

    code, status = "not_taking_part", 404
    sentence = _("You do not take part in this campaign. Ask its managers to add you.")


class SignedOut(DomainError):
    """The session has ended, or the pass of the platform."""

    code, status = "signed_out", 401
    sentence = _("You are signed out. Sign in again, or open the task from your platform again.")


class OtherAnnotator(DomainError):
    """The answers are one person's and the session another's: two people used one browser."""

    code, status = "other_annotator", 409
    sentence = _("Another person has signed in on this browser. Sign in again to continue.")


class OtherBrowser(DomainError):
    """The work was begun in another browser, or has moved to another one."""

    code, status = "other_browser", 409
    sentence = _(
        "You started or continued this task in another browser. Open it from your platform again: "
        "the page explains how to continue here."
    )


class OtherParticipant(DomainError):
    """Another participant of the platform takes part in this campaign in the same browser."""

    code, status = "other_participant", 409
    sentence = _(
        "Another participant is working on this task in this browser. Use your own browser or device, "
        "or return the task on your platform."
    )


class WrongPlatform(DomainError):
    """The campaign takes people from another platform, or from none."""

    code, status = "wrong_platform", 403


class NotReady(DomainError):
    """Something has to be done first: consent, guidelines, training, test."""

    code, status = "not_ready", 409


class CannotOpen(DomainError):
    """The campaign lacks something, or its wishes contradict each other."""

    code, status = "cannot_open", 409


class Incomplete(DomainError):
    """Some cases do not have all their labels."""

    code, status = "incomplete", 409


class NotInThisState(WrongState):
    """The campaign is in another state than the step needs; the sentence says which one that is."""

    def __init__(self, sentence: str, *, now: str, wanted: str) -> None:
        DomainError.__init__(self, sentence, now=now, wanted=wanted)


def one_after_another(sentences: Sequence[str]) -> str:
    """Return sentences as one text."""
    return reduce(lambda said, more: _("%(said)s %(more)s", said=said, more=more), sentences) if sentences else ""
