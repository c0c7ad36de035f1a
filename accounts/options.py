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
from core.text import _

BY_PEOPLE = {COMMAND: "a signed-in person does it"}


class RoleOptions(Options):
    """Which role a person has, and where it counts."""

    verb = "role"
    without = BY_PEOPLE

    role: RoleName = option(
        label=_("Role"),
        help=_("What the person can do. Example: language experts write templates, evaluators test models."),
    )
    language: str = option(
        "",
        label=_("Language"),
        help=_(
            "Where the role applies. Maintainers and evaluators have no language: they act in the whole instance. "
            "Example: de."
        ),
        unless_given=_("every language"),
        longest=20,
    )

    @model_validator(mode="after")
    def _language_is_known(self) -> Self:
        if self.language not in language_names():
            refuse(_("The catalogue has no language '%(language)s'.", language=self.language), about="language")
        if problem := language_problem(RoleName(self.role), self.language):
            refuse(problem, about="language")
        return self


class InvitationOptions(RoleOptions):
    """Whom a link invites, and to what."""

    verb = "invite"
    without = {}

    email: str = option(
        "",
        label=_("E-mail address"),
        help=_("If given, only this address can use the link. Example: ana@example.org."),
        longest=254,
    )

    @model_validator(mode="after")
    def _email_is_an_address(self) -> Self:
        try:
            validate_email(self.email or "anyone@example.org")
        except ValidationError:
            refuse(_("This is not an e-mail address."), about="email")
        return self


class NameOptions(Options):
    """What a person is called."""

    verb = "rename"
    without = BY_PEOPLE

    name: str = option(label=_("Name"), help=_("The people you work with see this name."), longest=150)


class TokenOptions(Options):
    """What a token is for, what it may do, and for how long."""

    verb = "token"
    without = BY_PEOPLE

    name: str = option(label=_("Name"), help=_("What the token is for. Example: nightly evaluation."), longest=100)
    scope: Scope = option(
        Scope.READ, label=_("Access"), help=_("Whether programs that use the token can also change data.")
    )
    days: int = option(
        VALID_DAYS,
        label=_("Valid for (days)"),
        help=_("The token expires after this many days, a year at most. Example: 90."),
        least=1,
        most=LONGEST_DAYS,
    )
