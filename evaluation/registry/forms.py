"""Forms of models."""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.http import Http404
from django.shortcuts import get_object_or_404

from core.errors import BadInput
from core.inference.descriptions import read_text
from core.inference.errors import ConfigurationError
from core.inference.settings import DTYPES
from curation.models import Release
from evaluation.models import DetectionModel
from evaluation.registry.services import language_codes
from evaluation.runners.loading import usages
from evaluation.runs.uploading import parse_label_map


class ModelForm(forms.Form):
    name = forms.CharField(
        max_length=160, help_text="As you would call it in a paper. A known name gets a new version."
    )
    spec = forms.CharField(
        label="Where it is",
        max_length=500,
        help_text=f"{usages()}. http: alone if all is in the settings.",
    )
    revision = forms.CharField(
        max_length=100,
        required=False,
        help_text="Commit of a model from the hub. Empty: the newest, which is kept.",
    )
    labels = forms.CharField(
        label="What its classes mean",
        max_length=500,
        required=False,
        help_text="With commas, such as LABEL_0=non-hateful, LABEL_1=hateful. Empty if their names tell.",
    )
    threshold = forms.FloatField(required=False, help_text="Hateful from this score on. Empty: the likeliest class.")
    dtype = forms.ChoiceField(
        label="Number format",
        required=False,
        choices=[("", "as it is usual"), *((name, name + " (a preview)" * (name == "int8")) for name in DTYPES)],
    )
    settings = forms.CharField(
        label="More settings",
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text="YAML: url, prompt, answer, hypotheses … Secrets by name: ${MY_API_KEY}. Examples are below.",
    )
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    trained_on = forms.CharField(
        label="Languages it was trained on",
        required=False,
        help_text="Codes with commas, such as en, de. Empty if unknown.",
    )
    on_leaderboard = forms.BooleanField(label="Results may be shown publicly", required=False)
    release = forms.ModelChoiceField(
        label="Run it on",
        queryset=Release.objects.none(),
        required=False,
        empty_label="no release yet",
        to_field_name="pk",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["release"].queryset = published()  # type: ignore[attr-defined]

    def clean_settings(self) -> dict[str, Any]:
        try:
            return read_text(self.cleaned_data["settings"] or "{}", file="More settings").values
        except ConfigurationError as error:
            raise forms.ValidationError(str(error)) from error

    def clean_trained_on(self) -> list[str]:
        return split_codes(self.cleaned_data["trained_on"])

    def clean_labels(self) -> dict[str, str]:
        return split_pairs(self.cleaned_data["labels"])

    def spec_value(self) -> str | dict[str, Any]:
        """The spec alone, or with its settings as one description."""
        fields = {name: self.cleaned_data[name] for name in ("revision", "labels", "threshold", "dtype")}
        given = {name: value for name, value in fields.items() if value not in ("", None, {})}
        more = self.cleaned_data["settings"] | given
        spec = self.cleaned_data["spec"].strip()
        if not more:
            return str(spec)
        kind, _, target = spec.partition(":")
        return {"kind": kind, **({"model": target} if target else {}), **more}


class ChangeModelForm(forms.Form):
    description = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 3}))
    trained_on = forms.CharField(
        label="Languages it was trained on", required=False, help_text="Codes with commas. Empty if unknown."
    )
    on_leaderboard = forms.BooleanField(label="Results may be shown publicly", required=False)

    @classmethod
    def of(cls, model: DetectionModel, data: Any) -> ChangeModelForm:
        initial = {"description": model.description, "trained_on": ", ".join(model.trained_on)}
        return cls(data, initial={**initial, "on_leaderboard": model.on_leaderboard})

    def clean_trained_on(self) -> list[str]:
        return split_codes(self.cleaned_data["trained_on"])


class UploadForm(forms.Form):
    release = forms.ModelChoiceField(queryset=Release.objects.none(), empty_label=None)
    model = forms.CharField(max_length=160, help_text="Its name, and its column where the file has several.")
    predictions = forms.FileField(help_text="CSV, XLSX or JSON Lines: case_id, prediction and, if you have it, score.")
    column = forms.CharField(
        max_length=160, required=False, help_text="The one with the predictions, where the file has several."
    )
    label_map = forms.CharField(
        label="What its words mean",
        max_length=500,
        required=False,
        help_text="With commas, such as severe=hateful, mild=non-hateful. 1 and 0 are understood.",
    )
    threshold = forms.FloatField(
        required=False, help_text="If the file has scores instead of labels: hateful from here on."
    )
    allow_missing = forms.BooleanField(
        label="Cases may be missing", required=False, help_text="They count as unanswered, which is not right."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["release"].queryset = published()  # type: ignore[attr-defined]

    def clean_label_map(self) -> dict[str, str]:
        return split_pairs(self.cleaned_data["label_map"])


def split_pairs(text: str) -> dict[str, str]:
    """word=label pairs between commas."""
    try:
        return parse_label_map(text.split(","))
    except BadInput as error:
        raise forms.ValidationError(str(error)) from error


def chosen_release(value: str | None) -> Release:
    """The published release that a form names. Not found where it names none."""
    if not (value or "").isdecimal():
        raise Http404
    return cast(Release, get_object_or_404(published(), pk=value))


def published() -> Any:
    return (
        Release.objects.published()
        .select_related("suite")
        .defer("facts", "prose")
        .order_by("suite__key", "-created_at")
    )


def split_codes(text: str) -> list[str]:
    """Language codes between commas. Refuses what is no code: it would never match a language."""
    try:
        return language_codes(text.split(","))
    except BadInput as error:
        raise forms.ValidationError(str(error)) from error
