"""allauth's forms that ask for a secret, with our limits."""

from typing import Any

from allauth.account.forms import ChangePasswordForm, ResetPasswordForm
from allauth.core import context
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from django.core.exceptions import ValidationError

from accounts.models import Secret, User
from accounts.sign_in import allows, note_failure, note_success


class _Counted:
    """Counts a comparison that a form makes while it is cleaned."""

    user: User
    secret: Secret

    def count(self, compare: Any) -> str:
        account = self.user.email.lower()
        if not allows(context.request, self.secret, account=account):
            raise ValidationError("Too many attempts.")
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
            raise ValidationError("Too many requests.")
        return typed


class NewPasswordForm(_Counted, ChangePasswordForm):  # type: ignore[misc]
    """The old password can be guessed here by a person who found a signed-in browser."""

    secret = Secret.PASSWORD

    def clean_oldpassword(self) -> str:
        return self.count(super().clean_oldpassword)
