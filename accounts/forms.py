"""Forms of the account pages. They check what was typed; the services decide what is allowed."""

from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.utils import timezone

from accounts.languages import language_choices
from accounts.models import Action, RoleName, Scope, User

LIFETIMES = {"7": "7 days", "30": "30 days", "90": "90 days", "365": "One year"}


class SearchPeopleForm(forms.Form):
    q = forms.CharField(label="Search", required=False)
    role = forms.ChoiceField(
        label="Role",
        required=False,
        choices=[("", "Any role"), *RoleName.choices, ("administrator", "Administrator"), ("none", "No role")],
    )


class AnyOptionSelect(forms.Select):
    """The empty option is an answer here, not a missing one."""

    def use_required_attribute(self, initial: object) -> bool:
        return False


class LanguageField(forms.ChoiceField):
    """A language of the catalogue, or every language."""

    widget = AnyOptionSelect

    def validate(self, value: Any) -> None:
        if not self.valid_value(value):
            raise ValidationError(self.error_messages["invalid_choice"], "invalid_choice", {"value": value})


class RoleForm(forms.Form):
    role = forms.ChoiceField(label="Role", choices=RoleName.choices)
    language = LanguageField(
        label="Language", help_text="Maintainers act in the whole instance: that role takes no language."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = language_choices()  # type: ignore[attr-defined]


class InvitationForm(RoleForm):
    email = forms.EmailField(
        label="E-mail address", required=False, help_text="If given, only this address can use the link."
    )


class JoinForm(forms.Form):
    """Name, address and password of somebody who was invited."""

    email = forms.EmailField(label="E-mail address", widget=forms.EmailInput(attrs={"autocomplete": "email"}))
    name = forms.CharField(label="Name", max_length=150, widget=forms.TextInput(attrs={"autocomplete": "name"}))
    password = forms.CharField(
        label="Password",
        strip=False,
        help_text="At least ten characters. A short sentence is easy to remember and hard to guess.",
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


class NameForm(forms.Form):
    name = forms.CharField(label="Name", max_length=150, help_text="Shown to those you work with.")


class TokenForm(forms.Form):
    name = forms.CharField(label="Name", max_length=100, help_text="What it is for, e.g. nightly evaluation.")
    scope = forms.ChoiceField(label="It may", choices=Scope.choices, initial=Scope.READ, widget=forms.RadioSelect)
    lifetime = forms.ChoiceField(label="Expires", choices=list(LIFETIMES.items()), initial="90")

    @property
    def expires_at(self) -> datetime:
        return timezone.now() + timedelta(days=int(self.cleaned_data["lifetime"]))


class DeleteAccountForm(forms.Form):
    email = forms.CharField(label="Your e-mail address", widget=forms.TextInput(attrs={"autocomplete": "off"}))

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_email(self) -> str:
        typed = str(self.cleaned_data["email"]).strip().lower()
        if typed != self.user.email.lower():
            raise ValidationError("This is not the address of the account. Nothing was deleted.")
        return typed


class AuditFilterForm(forms.Form):
    who = forms.CharField(label="Person", required=False)
    action = forms.ChoiceField(
        label="Action",
        required=False,
        choices=[("", "Any"), *((action.value, action.label.capitalize()) for action in Action)],
    )
    subject = forms.CharField(label="Subject", required=False, help_text="Kind or key, e.g. release.")
    since = forms.DateField(
        label="From", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
    until = forms.DateField(
        label="To", required=False, widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d")
    )
