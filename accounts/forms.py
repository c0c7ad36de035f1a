"""Forms of the account pages. They check what was typed; the services decide what is allowed."""

from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError

from accounts.languages import language_choices
from accounts.models import Action, RoleName, User
from accounts.options import InvitationOptions, NameOptions, RoleOptions, TokenOptions
from core.options.forms import OptionsForm
from core.text import _


class SearchPeopleForm(forms.Form):
    q = forms.CharField(label=_("Search"), required=False)
    role = forms.ChoiceField(
        label=_("Role"),
        required=False,
        choices=[
            ("", _("Any role")),
            *RoleName.choices,
            ("administrator", _("Administrator")),
            ("none", _("No role")),
        ],
    )


class RoleForm(OptionsForm[RoleOptions]):
    options = RoleOptions

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.offer("language", language_choices())


class InvitationForm(RoleForm):
    options = InvitationOptions


class JoinForm(forms.Form):
    """Name, address and password of somebody who was invited."""

    email = forms.EmailField(label=_("E-mail address"), widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    name = forms.CharField(label=_("Name"), max_length=150, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    password = forms.CharField(
        label=_("Password"),
        strip=False,
        help_text=_("At least ten characters. A short sentence is easy to remember and hard to guess."),
        widget=forms.PasswordInput(attrs={"autocomplete": "new-password"}),
    )

    def __init__(self, *args: Any, email: str = "", **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if email:
            self.fields["email"].initial = email
            self.fields["email"].disabled = True

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if password := cleaned.get("password"):
            try:
                validate_password(password, User(email=cleaned.get("email", ""), name=cleaned.get("name", "")))
            except ValidationError as error:
                self.add_error("password", error)
        return cleaned


class NameForm(OptionsForm[NameOptions]):
    options = NameOptions


class TokenForm(OptionsForm[TokenOptions]):
    options = TokenOptions


class DeleteAccountForm(forms.Form):
    email = forms.CharField(label=_("Your e-mail address"), widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_email(self) -> str:
        typed = str(self.cleaned_data["email"]).strip().lower()
        if typed != self.user.email.lower():
            raise ValidationError(_("This is not the address of your account. Nothing was deleted."))
        return typed


class AuditFilterForm(forms.Form):
    who = forms.CharField(label=_("Person"), required=False)
    action = forms.ChoiceField(
        label=_("Action"),
        required=False,
        choices=[("", _("Any action")), *Action.choices],
    )
    subject = forms.CharField(label=_("Subject"), required=False, help_text=_("Kind or key. Example: release."))
    since = forms.DateField(
        label=_("From"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label=_("To"), required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
