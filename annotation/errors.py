"""Refusals of the annotation app."""

from accounts.errors import DomainError


class NotTakingPart(DomainError):
    """The person does not take part in the campaign."""

    code, status = "not_taking_part", 404
    sentence = "You do not take part in such a campaign. Ask the people who run it to add you."


class SignedOut(DomainError):
    """Nobody stands behind the request: the session has ended, or the platform's pass."""

    code, status = "signed_out", 401
    sentence = "You are signed out. Sign in again, or open the task from your platform again."


class OtherAnnotator(DomainError):
    """The answers are one person's and the session another's: two people used one browser."""

    code, status = "other_annotator", 409
    sentence = "Another person has signed in in this browser. Sign in as yourself to continue."


class OtherBrowser(DomainError):
    """The work was begun in another browser, or has moved to another one."""

    code, status = "other_browser", 409
    sentence = (
        "This task was begun or continued in another browser. Open it from your platform again: "
        "the page explains how to continue here."
    )


class OtherParticipant(DomainError):
    """Another participant of the platform takes part in this campaign in the same browser."""

    code, status = "other_participant", 409
    sentence = (
        "Another participant takes part in this task in this browser. Use your own browser or device, "
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
