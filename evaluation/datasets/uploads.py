"""Labelled data handed in: one file, a file for each part, or a file with lists of ids."""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from accounts.models import User
from core.errors import BadInput
from core.permissions import require_maintainer
from evaluation.datasets.labelled_files import read_lines
from evaluation.datasets.options import DatasetOptions
from evaluation.datasets.parts import joined_file, marked_file
from evaluation.datasets.services import Mapped, import_dataset
from evaluation.models import Dataset


def import_labelled(options: DatasetOptions, *, by: User | None) -> Dataset:
    """Import the file of the options: all rows, or the training part where others come in files of their own.

    Refuses people who are not maintainers, and whatever `import_dataset` refuses. `by=None` is an operator.
    """
    if by is not None:
        require_maintainer(by)
    mapped, parts, ids = options.mapped(), options.further_parts(), options.ids()
    facts: dict[str, Any] = {"title": options.title, "by": by, "language": options.language}
    if not parts and not ids:
        return import_dataset(options.file, **facts, mapped=mapped)
    # What is written has plain columns, and its labels are mapped already.
    plain = Mapped(extra_columns=mapped.extra_columns)
    with TemporaryDirectory() as place:
        folder = Path(place)
        whole = _local(options.file, folder / "train")
        if ids:
            lists = {part: read_lines(_local(file, folder / f"{part}_ids")) for part, file in ids.items()}
            with marked_file(whole, lists, mapped, name=options.title) as path:
                return import_dataset(path, **facts, mapped=plain)
        files = {part: _local(file, folder / part) for part, file in parts.items()}
        with joined_file({"train": whole, **files}, mapped, name=options.title) as path:
            return import_dataset(path, **facts, mapped=plain)


def _local(file: Path | UploadedFile[Any], folder: Path) -> Path:
    """Return where a file is on this machine; an upload is written into the folder first."""
    if isinstance(file, Path):
        if not file.is_file():
            raise BadInput(f"The file {file} does not exist. Check the path and the name.")
        return file
    folder.mkdir()
    path = folder / (PurePosixPath(file.name or "").name or "upload")
    with path.open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    return path
