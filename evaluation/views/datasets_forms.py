"""The form that brings in labelled data."""

from __future__ import annotations

from collections.abc import Iterator

from django import forms
from django.forms.boundfield import BoundField

from accounts.models import User
from curation.models import Language
from evaluation.models import Dataset
from evaluation.services.dataset_uploads import import_uploads
from evaluation.services.datasets import Mapped, parse_label_map
from evaluation.views.comma_fields import split_at_commas

READS = "CSV, TSV, JSON Lines or Parquet."


class DatasetForm(forms.Form):
    """One file with everything, or a file for each part."""

    title = forms.CharField(max_length=160)
    file = forms.FileField(help_text=f"{READS} All rows, or the training part.")
    language = forms.ModelChoiceField(
        Language.objects.order_by("name"), to_field_name="code", required=False, empty_label="Not given"
    )
    text_column = forms.CharField(required=False, help_text="Left empty, it is found by its name.")
    label_column = forms.CharField(required=False)
    split_column = forms.CharField(required=False, help_text="Says train, dev or test of every row.")
    label_map = forms.CharField(
        required=False,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="One line per label of the file, such as “0 = abusive”; nothing after the sign leaves its rows out.",
    )

    id_column = forms.CharField(required=False, help_text="Only needed for lists of ids.")
    extra_columns = forms.CharField(
        required=False,
        label="Further columns to keep",
        help_text="Names with commas, such as the groups a post is about or where it comes from.",
    )
    dev_file = forms.FileField(required=False, label="Validation part", help_text="Only if it is a file of its own.")
    test_file = forms.FileField(required=False, label="Test part", help_text="Only if it is a file of its own.")
    train_ids = forms.FileField(required=False, label="Ids of the training part", help_text="One per line.")
    dev_ids = forms.FileField(required=False, label="Ids of the validation part")
    test_ids = forms.FileField(required=False, label="Ids of the test part")

    SECTIONS = (
        ("Columns and labels", ("text_column", "label_column", "split_column", "label_map", "extra_columns")),
        ("Parts in files of their own", ("dev_file", "test_file")),
        ("Parts by lists of ids", ("id_column", "train_ids", "dev_ids", "test_ids")),
    )

    def first_fields(self) -> list[BoundField]:
        return [self[name] for name in ("title", "file", "language")]

    def sections(self) -> Iterator[tuple[str, list[BoundField], bool]]:
        """Further fields by what they are about; the last value says whether a section stands open."""
        for place, (title, names) in enumerate(self.SECTIONS):
            fields = [self[name] for name in names]
            yield title, fields, place == 0 or any(field.errors for field in fields)

    def save(self, *, by: User) -> Dataset:
        """Import what was filled in. Refuses as the service does."""
        values = self.cleaned_data
        names = ("text_column", "label_column", "split_column", "id_column")
        return import_uploads(
            values["file"],
            title=values["title"],
            by=by,
            language=values["language"].code if values["language"] else "",
            mapped=Mapped(
                **{name: values[name].strip() for name in names},
                extra_columns=tuple(split_at_commas(values["extra_columns"])),
                label_map=parse_label_map(values["label_map"]),
            ),
            further_parts={part: file for part in ("dev", "test") if (file := values[f"{part}_file"])},
            ids={part: file for part in ("train", "dev", "test") if (file := values[f"{part}_ids"])},
        )
