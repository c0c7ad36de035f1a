"""Forms of splits and experiments."""

from __future__ import annotations

from typing import Any

from django import forms

from evaluation.models import Dataset, Split, SplitMethod
from evaluation.services.file_store import keep_file


class SplitForm(forms.Form):
    """How one data set is split."""

    title = forms.CharField(max_length=160, required=False)
    method = forms.ChoiceField(
        choices=SplitMethod.choices,
        help_text="Clusters hide whole regions of the latent space; random and likelihood are baselines.",
    )
    vectors = forms.FileField(
        required=False,
        label="Vectors (.npy)",
        help_text="One row of numbers per example, in the order of the data set.",
    )
    encoder = forms.CharField(
        max_length=300, required=False, help_text="Or a folder or hub id of an encoder that makes the vectors."
    )
    pooling = forms.ChoiceField(
        choices=[("cls", "[CLS] vector"), ("mean", "Mean of the tokens")], label="Vector of a text"
    )
    reduce = forms.ChoiceField(
        choices=[("", "Keep all dimensions"), ("umap", "UMAP"), ("pca", "Principal components")],
        required=False,
        label="Reduce the vectors",
    )
    dimensions = forms.IntegerField(min_value=2, max_value=1000, initial=50, help_text="After reducing.")
    share = forms.FloatField(min_value=0.01, max_value=0.9, initial=0.1, label="Test share")
    independent_share = forms.FloatField(
        min_value=0, max_value=0.9, initial=0.1, label="Independent share", help_text="Set aside at random before."
    )
    seed = forms.IntegerField(initial=42)
    k_min = forms.IntegerField(min_value=2, initial=3, label="Fewest clusters")
    k_max = forms.IntegerField(min_value=2, max_value=500, initial=50, label="Most clusters")
    groups_column = forms.CharField(required=False, help_text="Column with the groups a text is about, if any.")
    sources_column = forms.CharField(required=False, help_text="Column with where a text comes from, if any.")

    def choices(self) -> dict[str, Any]:
        """What the service takes; an uploaded file is stored and handed over by name."""
        values = dict(self.cleaned_data)
        file = values.pop("vectors")
        values["vectors_file"] = keep_file(file, "vectors")[0] if file else ""
        return values


class ExperimentForm(forms.Form):
    """What is trained on which splits."""

    splits = forms.ModelMultipleChoiceField(
        Split.objects.none(),
        to_field_name="key",
        widget=forms.CheckboxSelectMultiple,
        help_text="Take a random one along.",
    )
    trainer = forms.CharField(
        max_length=300,
        initial="linear",
        help_text="linear (seconds), or hf: and an encoder that is fine-tuned (hours).",
    )
    seeds = forms.CharField(initial="1, 2, 3", help_text="Numbers with commas; one training each.")
    epochs = forms.IntegerField(min_value=1, max_value=50, initial=3, help_text="Of fine-tuning.")

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["splits"]
        field.queryset = dataset.splits.built().without_rows()  # type: ignore[attr-defined]

    def clean_seeds(self) -> list[int]:
        try:
            return [int(part) for part in self.cleaned_data["seeds"].split(",") if part.strip()]
        except ValueError as error:
            raise forms.ValidationError("Write whole numbers with commas between them.") from error

    def options(self) -> dict[str, Any]:
        return {"epochs": self.cleaned_data["epochs"]} if self.cleaned_data["trainer"] != "linear" else {}
