"""The options of the verbs about people, invitations and tokens; pages and API are made from them."""

from typing import Self

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from pydantic import model_validator

from accounts.languages import language_names
from accounts.models import RoleName, Scope
from accounts.services.people import language_problem
from accounts.services.tokens import LONGEST_DAYS, VALID_DAYS
from core.options import COMMAND, Options, option, refuse

BY_PEOPLE = {COMMAND: "a signed-in person does it"}


class RoleOptions(Options):
    """Which role a person has, and where it counts."""

    verb = "role"
    without = BY_PEOPLE

    role: RoleName = option(help="What the person may do.")
    language: str = option(
        "", help="Language code; empty for every language. Maintainers act in the whole instance and have none.",
        longest=20,
    )  # fmt: skip

    @model_validator(mode="after")
    def _language_is_known(self) -> Self:
        if self.language not in language_names():
            refuse(f"The catalogue has no language '{self.language}'.", about="language")
        if problem := language_problem(RoleName(self.role), self.language):
            refuse(problem, about="language")
        return self


class InvitationOptions(RoleOptions):
    """Whom a link invites, and to what."""

    verb = "invite"

    email: str = option(
        "", label="E-mail address", help="If given, only this address can use the link.", longest=254
    )  # fmt: skip

    @model_validator(mode="after")
    def _email_is_an_address(self) -> Self:
        try:
            validate_email(self.email or "anyone@example.org")
        except ValidationError:
            refuse("This is not an e-mail address.", about="email")
        return self


class NameOptions(Options):
    """What a person is called."""

    verb = "rename"
    without = BY_PEOPLE

    name: str = option(help="Shown to those you work with.", longest=150)


class TokenOptions(Options):
    """What a token is for, what it may do, and for how long."""

    verb = "token"
    without = BY_PEOPLE

    name: str = option(help="What it is for, e.g. nightly evaluation.", longest=100)
    scope: Scope = option(Scope.READ, label="It may", help="Whether programs only read, or also change things.")
    days: int = option(
        VALID_DAYS, label="Valid for (days)", help="It expires after this time; a year at most.", least=1,
        most=LONGEST_DAYS,
    )  # fmt: skip
