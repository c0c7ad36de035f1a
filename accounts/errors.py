"""Refusals: what is wrong and what to do, with a code for programs and a status for HTTP."""

from datetime import datetime
from typing import Any, ClassVar

from accounts.plain_values import storable
from core.text import _, shown


class DomainError(Exception):
    """The base of every refusal. Pages show it as a message, the API as problem+json, commands as one sentence."""

    code: ClassVar[str] = "refused"
    status: ClassVar[int] = 409

    # The sentence of a refusal that has only one.
    sentence: ClassVar[str] = ""

    def __init__(self, title: str = "", **fields: Any) -> None:
        self.title: str = storable(title or self.sentence)
        self.fields: dict[str, Any] = storable(fields)
        super().__init__(self.title)

    def __str__(self) -> str:
        return str(self.title)

    def facts(self) -> dict[str, Any]:
        """Return the refusal as it is stored; its texts can be shown in any language later."""
        return {"code": self.code, "title": self.title, "status": self.status, "fields": self.fields}

    def as_problem(self) -> dict[str, Any]:
        """Return the refusal as the API gives it, in the reader's language."""
        found: dict[str, Any] = shown(self.facts())
        return found


class NotAllowed(DomainError):
    """The person lacks the role this needs."""

    code, status = "not_allowed", 403


class ConfirmationNeeded(DomainError):
    """The step needs a sign-in, or a confirmed password or code, of the last minutes."""

    code, status = "confirmation_needed", 403


class SecondFactorNeeded(DomainError):
    """A role of the person needs a second factor, which is not set up."""

    code, status = "second_factor_needed", 403
    sentence = _("Your role needs a second factor. Sign in to the pages and set up an authenticator app or a passkey.")


class RoleTakesNoLanguage(DomainError):
    """The role counts in the whole instance and cannot be given for a language."""

    code, status = "role_takes_no_language", 422


class InvitationUnusable(DomainError):
    """An invitation that expired, was withdrawn or was used before."""

    code, status = "invitation_unusable", 410


class LastAdministrator(DomainError):
    """Nobody would be left who can invite people."""

    code, status = "last_administrator", 409


class AddressTaken(DomainError):
    """Somebody has an account with this e-mail address."""

    code, status = "address_taken", 409


class TooManyAttempts(DomainError):
    """A password or a code was wrong too often; nothing is compared until the lock ends."""

    code, status = "too_many_attempts", 429

    def __init__(self, *, until: datetime, secret: str) -> None:
        super().__init__(_("Too many attempts (%(secret)s). Try again at %(moment)s.", secret=secret, moment=until))
        self.until = until
        self.secret = secret
