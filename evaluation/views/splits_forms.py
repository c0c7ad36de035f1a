"""Forms of splits and experiments."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django import forms
from django.core.validators import validate_slug
from django.forms.boundfield import BoundField
from django.utils.text import slugify

from curation.models import Language
from evaluation.models import Dataset, Split, SplitMethod
from evaluation.services.file_store import keep_file
from evaluation.services.split_building import INDEPENDENT_SEED
from evaluation.services.split_releases import CARD
from evaluation.services.split_vectors import PAPER_DIMENSIONS, POOLINGS, REDUCTIONS
from evaluation.services.splitting import dataset_splits, folder_of
from evaluation.views.comma_fields import NumbersField


class SplitForm(forms.Form):
    """How one data set is split."""

    method = forms.ChoiceField(
        choices=SplitMethod.choices,
        help_text="Clusters hide whole regions of the latent space; random and likelihood are baselines.",
    )
    title = forms.CharField(max_length=160, required=False, help_text="Left empty, data set, method and seed.")
    share = forms.FloatField(min_value=0.01, max_value=0.9, initial=0.1, label="Test share")
    independent_share = forms.FloatField(
        min_value=0, max_value=0.9, initial=0.1, label="Independent share", help_text="Set aside at random before."
    )
    independent_seed = forms.IntegerField(
        initial=INDEPENDENT_SEED,
        required=False,
        label="Seed of the independent part",
        help_text="Splits with the same one are tested on the same independent examples.",
    )
    seed = forms.IntegerField(initial=42)
    vectors = forms.FileField(
        required=False,
        label="Vectors (.npy)",
        help_text="One row of numbers per example, in the order of the data set.",
    )
    vectors_of = forms.ModelChoiceField(
        Split.objects.none(),
        to_field_name="key",
        required=False,
        label="Or the vectors of an earlier split",
        empty_label="None",
    )
    encoder = forms.CharField(
        max_length=300,
        required=False,
        label="Or an encoder",
        help_text="A folder or hub id. It makes the vectors here.",
    )
    language_model = forms.CharField(
        max_length=300,
        required=False,
        help_text="Only for the least likely texts: a folder or hub id. Left empty, the word pairs of the data tell.",
    )
    pooling = forms.ChoiceField(choices=list(POOLINGS.items()), label="Vector of a text", required=False)
    fine_tune = forms.BooleanField(
        required=False, label="Fine-tune the encoder on the labels first", help_text="Minutes to hours."
    )
    reduce = forms.ChoiceField(
        choices=[("", "Keep all dimensions"), *REDUCTIONS.items()], required=False, label="Fewer dimensions"
    )
    dimensions = forms.TypedChoiceField(
        choices=[(number, str(number)) for number in PAPER_DIMENSIONS],
        coerce=int,
        initial=50,
        required=False,
        label="How many dimensions",
    )
    epochs = forms.IntegerField(
        min_value=1, max_value=50, initial=3, required=False, help_text="Of fine-tuning, with or without a bottleneck."
    )
    k_min = forms.IntegerField(min_value=2, initial=3, label="Fewest clusters")
    k_max = forms.IntegerField(min_value=2, max_value=500, initial=50, label="Most clusters")
    picture = forms.ChoiceField(
        choices=[("pca", "Principal components (at once)"), ("umap", "UMAP (half a minute more)")],
        required=False,
        label="Picture by",
    )
    keywords = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text="One per line: which of them are rarer in training than in the test part? "
        "Left empty, the words that tell the labels apart.",
    )
    groups_column = forms.CharField(required=False, help_text="Column with the groups a text is about, if any.")
    sources_column = forms.CharField(required=False, help_text="Column with where a text comes from, if any.")

    SECTIONS = (
        ("The split", ("method", "title", "share", "seed", "independent_share", "independent_seed"), True),
        ("Vectors and likelihoods", ("vectors", "vectors_of", "encoder", "language_model"), True),
        ("How the encoder makes them", ("pooling", "fine_tune", "epochs", "reduce", "dimensions"), False),
        ("Clusters", ("k_min", "k_max"), False),
        ("What is said about it", ("picture", "keywords", "groups_column", "sources_column"), False),
    )

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["vectors_of"]
        field.queryset = dataset_splits(dataset)  # type: ignore[attr-defined]

    def sections(self) -> Iterator[tuple[str, list[BoundField], bool]]:
        """Fields by what they are about; the last value says whether a section stands open."""
        for title, names, is_open in self.SECTIONS:
            fields = [self[name] for name in names]
            yield title, fields, is_open or any(field.errors for field in fields)

    def choices(self) -> dict[str, Any]:
        """What the service takes; an uploaded file is stored and handed over by name."""
        values = dict(self.cleaned_data)
        file, earlier = values.pop("vectors"), values.pop("vectors_of")
        values["vectors_file"] = keep_file(file, "vectors")[0] if file else ""
        values["vectors_name"] = file.name if file else ""
        values["vectors_of"] = earlier.key if earlier else ""
        values["keywords"] = [line.strip() for line in values["keywords"].splitlines() if line.strip()]
        if values["independent_seed"] is None:
            values["independent_seed"] = INDEPENDENT_SEED
        for name, default in (("pooling", "cls"), ("picture", "pca"), ("epochs", 3), ("dimensions", 50)):
            values[name] = values[name] or default
        return values


class SplitReleaseForm(forms.Form):
    """The release a split becomes."""

    key = forms.CharField(max_length=60, validators=[validate_slug], help_text="Small letters, digits and hyphens.")
    version = forms.CharField(max_length=40, initial="1.0.0")
    name = forms.CharField(max_length=160)
    licence = forms.CharField(max_length=120, required=False, help_text="Of the texts; only you know it.")
    language = forms.ModelChoiceField(Language.objects.none(), to_field_name="code")
    card = forms.CharField(
        required=False,
        label="Evaluation card",
        widget=forms.Textarea(attrs={"rows": 12}),
        help_text="Prefilled as far as the split itself tells. Check every row: it is published with the release.",
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].queryset = Language.objects.order_by("name")  # type: ignore[attr-defined]

    @classmethod
    def for_split(cls, split: Split) -> SplitReleaseForm:
        initial = {
            "key": slugify(split.title)[:60].strip("-"),
            "name": split.title,
            "version": "1.0.0",
            "language": split.dataset.language,
            "card": (folder_of(split) / CARD).read_text(encoding="utf-8"),
        }
        return cls(initial=initial)

    def facts(self) -> dict[str, Any]:
        """What the service takes."""
        return {**self.cleaned_data, "language": self.cleaned_data["language"].code}


class ExperimentForm(forms.Form):
    """What is trained on which splits."""

    splits = forms.ModelMultipleChoiceField(
        Split.objects.none(),
        to_field_name="key",
        widget=forms.CheckboxSelectMultiple,
        help_text="Take a random one along: the drop is measured against it.",
    )
    trainer = forms.CharField(
        max_length=300,
        initial="linear",
        help_text="linear (seconds), or hf: and an encoder that is fine-tuned (hours).",
    )
    seeds = NumbersField(int, initial="1, 2, 3", help_text="Numbers with commas; one training each.")
    epochs = forms.IntegerField(min_value=1, max_value=50, initial=3, help_text="Of fine-tuning.")

    def __init__(self, dataset: Dataset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["splits"]
        field.queryset = dataset.splits.built().without_rows()  # type: ignore[attr-defined]

    def options(self) -> dict[str, Any]:
        return {"epochs": self.cleaned_data["epochs"]} if self.cleaned_data["trainer"] != "linear" else {}
