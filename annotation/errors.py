"""Refusals of the annotation app."""

from __future__ import annotations

from accounts.errors import DomainError


class NotTakingPart(DomainError):
    """The person does not take part in the campaign."""

    code, status = "not_taking_part", 404

    def __init__(self) -> None:
        super().__init__("You do not take part in such a campaign. Ask the people who run it to add you.")


class NotReady(DomainError):
    """Something has to be done first: consent, guidelines, training, test."""

    code, status = "not_ready", 409


class CannotOpen(DomainError):
    """The campaign lacks something, or its wishes contradict each other."""

    code, status = "cannot_open", 409


class Incomplete(DomainError):
    """Some cases do not have all their labels."""

    code, status = "incomplete", 409
