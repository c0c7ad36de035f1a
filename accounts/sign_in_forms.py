"""allauth's forms that ask for a secret, with our limits."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django.core.exceptions import ValidationError

from accounts.models import Secret, User
from accounts.services.sign_in import record_passkey_failure
from accounts.sign_in import address_of, allows, note_failure, note_success
from core.text import _


class _Counted:
    """Counts a comparison that a form makes while it is cleaned."""

    user: User
    secret: Secret

    def count(self, compare: Any) -> str:
        account = self.user.email.lower()
        if not allows(context.request, self.secret, account=account):
            raise ValidationError(_("Too many attempts."))
        try:
            typed: str = compare()
        except ValidationError:
            note_failure(context.request, account=account)
            raise
        note_success(context.request)
        return typed


class CodeForm(_Counted, AuthenticateForm):  # type: ignore[misc]
    secret = Secret.CODE

    def clean_code(self) -> str:
        return self.count(super().clean_code)


class ConfirmingCodeForm(_Counted, ReauthenticateForm):  # type: ignore[misc]
    secret = Secret.CODE

    def clean_code(self) -> str:
        return self.count(super().clean_code)


class ResetForm(ResetPasswordForm):  # type: ignore[misc]
    """Every request counts, also for addresses without an account: mails are limited, and nothing is told."""

    def clean_email(self) -> str:
        typed: str = super().clean_email()
        if not allows(context.request, Secret.RESET, account=typed.lower()):
            raise ValidationError(_("Too many requests."))
        return typed


class NewPasswordForm(_Counted, ChangePasswordForm):  # type: ignore[misc]
    """The old password can be guessed here by a person who found a signed-in browser."""

    secret = Secret.PASSWORD

    def clean_oldpassword(self) -> str:
        return self.count(super().clean_oldpassword)


class NewPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].max_length = 100
        self.fields["name"].help_text = _("A name to tell your passkeys apart. Example: Laptop.")
        alone = self.fields["passwordless"]
        alone.label, alone.initial = _("Sign in with this passkey alone"), True
        alone.help_text = _("You do not need your password. The device then asks for a fingerprint, a face or a PIN.")

    def clean(self) -> dict[str, Any]:
        with refusing_what_cannot_be_read():
            return dict(super().clean())


@contextmanager
def refusing_what_cannot_be_read() -> Iterator[None]:
    """Refuse JSON that is no passkey, on which the library stumbles."""
    try:
        yield
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValidationError(_("This is not a passkey.")) from error


class _AuditedPasskey:
    """Record a passkey that was refused. It cannot be guessed, so attempts are not counted and lock no account."""

    user: User | None

    def clean_credential(self) -> Any:
        try:
            with refusing_what_cannot_be_read():
                return super().clean_credential()  # type: ignore[misc]
        except ValidationError as error:
            record_passkey_failure(self.user, address=address_of(context.request))
            raise ValidationError(_("This passkey is not known here. Choose another way.")) from error


class PasskeyForm(_AuditedPasskey, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """The second factor after the password."""


class PasskeyLoginForm(_AuditedPasskey, LoginWebAuthnForm):  # type: ignore[misc]
    """Instead of the password; whose key it claims to be is not believed before it is checked."""


class ConfirmingPasskeyForm(_AuditedPasskey, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """Before a step that matters."""
