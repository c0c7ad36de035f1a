"""The form that brings in labelled data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile

from accounts.models import User
from curation.errors import BadInput
from curation.models import Language
from curation.services.importing_files import keep_upload
from evaluation.models import Dataset
from evaluation.services.dataset_parts import joined_file
from evaluation.services.datasets import Mapped, import_dataset, parse_label_map

READS = "CSV, TSV, JSON Lines or Parquet."


class DatasetForm(forms.Form):
    """One file with everything, or a file for each part."""

    title = forms.CharField(max_length=160)
    file = forms.FileField(help_text=f"{READS} All rows, or the training part.")
    dev_file = forms.FileField(required=False, label="Validation part", help_text="Only if it is a file of its own.")
    test_file = forms.FileField(required=False, label="Test part", help_text="Only if it is a file of its own.")
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

    def save(self, *, by: User) -> Dataset:
        """Import what was filled in. Refuses as the service does."""
        values = self.cleaned_data
        names = ("text_column", "label_column", "split_column")
        mapped = Mapped(
            **{name: values[name].strip() for name in names}, label_map=parse_label_map(values["label_map"])
        )
        facts: dict[str, Any] = {
            "title": values["title"], "by": by, "language": values["language"].code if values["language"] else "",
        }  # fmt: skip
        if not values["dev_file"] and not values["test_file"]:
            return import_dataset(values["file"], mapped=mapped, **facts)
        parts = {"train": values["file"], "dev": values["dev_file"], "test": values["test_file"]}
        files = {part: kept(file) for part, file in parts.items() if file}
        try:
            with joined_file(files, mapped, name=facts["title"][:60].replace("/", "-")) as path:
                return import_dataset(path, **facts)
        finally:
            for file in files.values():
                file.unlink(missing_ok=True)


def kept(file: UploadedFile[Any]) -> Path:
    """An upload on disk under its own name. Refuses archives."""
    path = keep_upload(file)
    if path.is_dir():
        raise BadInput(f"'{file.name}' is an archive. Hand in the file itself.")
    return path
