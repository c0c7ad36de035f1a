"""Labelled data handed in over the web: one file, a file for each part, or a file with lists of ids."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from accounts.models import User
from curation.errors import BadInput
from curation.permissions import require_maintainer
from evaluation.datasets.parts import read_ids
from evaluation.models import Dataset
from evaluation.services.dataset_parts import joined_file, marked_file
from evaluation.services.datasets import Mapped, import_dataset


def import_uploads(
    file: UploadedFile[Any],
    *,
    title: str,
    by: User,
    language: str = "",
    mapped: Mapped,
    further_parts: Mapping[str, UploadedFile[Any]] | None = None,
    ids: Mapping[str, UploadedFile[Any]] | None = None,
) -> Dataset:
    """Import `file`: all rows, or the training part where `further_parts` (dev, test) come in files of their own.

    `ids` are lists of ids, one per line, of the rows of each part. Refuses people who are not maintainers, lists of ids
    beside files for parts, and whatever `import_dataset` refuses.
    """
    require_maintainer(by)
    if not further_parts and not ids:
        return import_dataset(file, title=title, by=by, language=language, mapped=mapped)
    if further_parts and ids:
        raise BadInput("Hand in a file for each part, or one file with lists of ids, not both.")
    # What is written has plain columns, and its labels are mapped already.
    plain = Mapped(extra_columns=mapped.extra_columns)
    with TemporaryDirectory() as place:
        folder = Path(place)
        whole = _written(file, folder / "train")
        if ids:
            lists = {part: _ids_of(upload, folder / f"{part}_ids") for part, upload in ids.items()}
            with marked_file(whole, lists, mapped, name=title) as path:
                return import_dataset(path, title=title, by=by, language=language, mapped=plain)
        files = {part: _written(upload, folder / part) for part, upload in (further_parts or {}).items()}
        with joined_file({"train": whole, **files}, mapped, name=title) as path:
            return import_dataset(path, title=title, by=by, language=language, mapped=plain)


def _written(file: UploadedFile[Any], folder: Path) -> Path:
    folder.mkdir()
    path = folder / (PurePosixPath(file.name or "").name or "upload")
    with path.open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    return path


def _ids_of(file: UploadedFile[Any], folder: Path) -> list[str]:
    path = _written(file, folder)
    try:
        return read_ids(path)
    except UnicodeDecodeError as error:
        raise BadInput(f"{path.name} is not UTF-8 text. Write one id per line and save it as UTF-8.") from error
