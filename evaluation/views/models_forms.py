"""Forms of models."""

from __future__ import annotations

from typing import Any

import yaml
from django import forms

from curation.models import Release
from evaluation.models import DetectionModel


class ModelForm(forms.Form):
    name = forms.CharField(
        max_length=160, help_text="As you would call it in a paper. A known name gets a new version."
    )
    spec = forms.CharField(
        label="Where it is",
        max_length=500,
        help_text="hf:FOLDER_OR_ID, nli:FOLDER_OR_ID, linear:FOLDER, http:PRESET, chat:FILE.yaml, "
        "python:module:callable, command:NAME",
    )
    settings = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 5, "spellcheck": "false"}),
        help_text="YAML: labels, threshold, dtype, prompt, url … Secrets by name: ${MY_API_KEY}.",
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
            found = yaml.safe_load(self.cleaned_data["settings"] or "{}")
        except yaml.YAMLError as error:
            raise forms.ValidationError(f"This is not YAML: {error}") from error
        if not isinstance(found, dict):
            raise forms.ValidationError("Write one setting per line, such as threshold: 0.5.")
        return found

    def clean_trained_on(self) -> list[str]:
        return split_codes(self.cleaned_data["trained_on"])

    def spec_value(self) -> str | dict[str, Any]:
        """The spec alone, or with its settings as one description."""
        spec, more = self.cleaned_data["spec"].strip(), self.cleaned_data["settings"]
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
    predictions = forms.FileField(help_text="CSV or JSON lines: case_id, prediction and, if you have it, score.")
    allow_missing = forms.BooleanField(
        label="Cases may be missing", required=False, help_text="They count as unanswered, which is not right."
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["release"].queryset = published()  # type: ignore[attr-defined]


def published() -> Any:
    return (
        Release.objects.published()
        .select_related("suite")
        .defer("facts", "prose")
        .order_by("suite__key", "-created_at")
    )


def split_codes(text: str) -> list[str]:
    return list(dict.fromkeys(code.strip() for code in text.split(",") if code.strip()))
