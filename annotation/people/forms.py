"""Forms of annotators."""

import json
from typing import Any

from django import forms

from annotation.labelling.key_bindings import ACTIONS, DEFAULTS, NAMED_KEYS, key_name, read_key
from annotation.models import Annotator
from annotation.people.models import ANSWERS_ABOUT_PEOPLE, QUESTIONS_ABOUT_PEOPLE
from annotation.people.options import BonusOptions, PaymentOptions, ReconcileOptions
from core.options.forms import OptionsForm
from core.reader import catalogued
from core.text import _
from curation.models import ProtectedGroup


class GroupsField(forms.ModelMultipleChoiceField):  # type: ignore[type-arg]
    """Protected groups under the names that the reader's language has for them."""

    def label_from_instance(self, group: ProtectedGroup) -> str:
        return catalogued(group.name)


class SettingsForm(forms.Form):
    covers_text = forms.BooleanField(
        required=False,
        label=_("Cover each text until I press a key"),
        help_text=_("Texts are always covered at the start and after a pause."),
    )
    break_after = forms.IntegerField(
        min_value=5,
        max_value=240,
        label=_("Minutes until a break"),
        help_text=_("You are offered a break after this time, for example after 25 minutes."),
    )
    daily_limit = forms.IntegerField(
        min_value=1,
        max_value=10_000,
        required=False,
        label=_("Texts per day"),
        help_text=_("You get no more texts that day after this many, for example 200. Leave empty for no limit."),
    )
    member_of = GroupsField(
        ProtectedGroup.objects.all(),
        required=False,
        label=_("Groups I belong to"),
        widget=forms.CheckboxSelectMultiple,
        help_text=_("Optional. Some campaigns show words that a group has reclaimed to its members first."),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for number in range(1, 6):
            self._add_key(f"label{number}", _("Key for answer %(number)s", number=number))
        for action, (_key, title) in ACTIONS.items():
            self._add_key(action, title)

    def _add_key(self, action: str, title: str) -> None:
        names = {key: str(name) for key, name in NAMED_KEYS.items()}
        self.fields[f"key_{action}"] = forms.CharField(
            required=False,
            max_length=30,
            label=title,
            help_text=_("Usually %(key)s.", key=key_name(DEFAULTS[action])),
            widget=forms.TextInput(attrs={"data-key": "", "data-names": json.dumps(names, ensure_ascii=False)}),
        )

    @staticmethod
    def values_of(annotator: Annotator) -> dict[str, Any]:
        chosen = {**DEFAULTS, **annotator.key_bindings}
        return {
            "covers_text": annotator.covers_text,
            "break_after": int(annotator.break_after.total_seconds() // 60),
            "daily_limit": annotator.daily_limit,
            "member_of": ProtectedGroup.objects.filter(key__in=annotator.member_of),
            **{f"key_{action}": str(key_name(chosen[action])) for action in chosen},
        }

    def bindings(self) -> dict[str, str]:
        """Action to key, as browsers name keys."""
        given = {
            name.removeprefix("key_"): value for name, value in self.cleaned_data.items() if name.startswith("key_")
        }
        return {action: read_key(value) for action, value in given.items() if value}


class AboutYouForm(forms.Form):
    """Every field may stay empty. Whether answers may be linked is asked only where the campaign compares groups."""

    def __init__(self, *args: Any, asks_to_link: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, label in QUESTIONS_ABOUT_PEOPLE.items():
            known = [("", _("Skip this question")), *ANSWERS_ABOUT_PEOPLE.get(name, {}).items()]
            self.fields[name] = (
                forms.ChoiceField(required=False, label=label, choices=known)
                if len(known) > 1
                else forms.CharField(required=False, max_length=200, label=label)
            )
        if asks_to_link:
            self.fields["may_link"] = forms.BooleanField(
                required=False,
                label=_("Link these answers to my labels"),
                help_text=_(
                    "Researchers here may then compare groups of annotators. You can withdraw this at any time."
                ),
            )


class ReturnCodeForm(forms.Form):
    """The code with which a platform's participant continues in another browser."""

    return_code = forms.CharField(
        label=_("Return code"),
        max_length=40,
        help_text=_("Four groups of four letters or digits, for example ABCD-EFGH-2345-WXYZ."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters", "spellcheck": "false"}),
    )


class PaymentForm(OptionsForm[PaymentOptions]):
    """How the list of payments names people."""

    options = PaymentOptions


class ReconcileForm(OptionsForm[ReconcileOptions]):
    """The list of submissions from the platform."""

    options = ReconcileOptions


class BonusForm(OptionsForm[BonusOptions]):
    """What the platform has paid already."""

    options = BonusOptions
