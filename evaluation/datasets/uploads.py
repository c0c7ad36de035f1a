"""Labelled data handed in: one file, a file for each part, or a file with lists of ids."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

from django.core.files.uploadedfile import UploadedFile

from accounts.models import User
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _
from evaluation.datasets.files.parts import PART_TITLES, assign_parts, join_parts
from evaluation.datasets.files.values import LabelledData, Reading
from evaluation.datasets.labelled_files import read_lines, refuse_problems
from evaluation.datasets.options import DatasetOptions
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
    with TemporaryDirectory() as place:
        folder = Path(place)
        whole = _local(options.file, folder / "train")
        if ids:
            lists = {part: read_lines(_local(file, folder / f"{part}_ids")) for part, file in ids.items()}
            data = _usable(assign_parts(_usable(mapped.read(whole)), lists))
        else:
            files = {"train": whole} | {part: _local(file, folder / part) for part, file in parts.items()}
            data = join_parts({part: _usable(mapped.read(file), part) for part, file in files.items()})
        path = folder / f"{''.join(letter if letter.isalnum() else '-' for letter in options.title)[:60]}.jsonl"
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in _rows(data)), encoding="utf-8")
        # What is written has plain columns, and its labels are mapped already.
        return import_dataset(path, **facts, mapped=Mapped(extra_columns=mapped.extra_columns))


def _usable(reading: Reading, part: str = "") -> LabelledData:
    """Return what was read. Refuses a bad row, naming the file it is in and its part."""
    what = _("Nothing was imported. File of the part “%(part)s”:", part=PART_TITLES[part]) if part else ""
    refuse_problems(what or _("Nothing was imported."), reading.problems)
    assert reading.data is not None
    return reading.data


def _rows(data: LabelledData) -> Iterator[dict[str, str]]:
    for place, (text, label, part, key) in enumerate(zip(data.texts, data.labels, data.splits, data.ids, strict=True)):
        extra = {column: cells[place] for column, cells in data.extra.items()}
        yield {**extra, "id": key, "text": text, "label": label, "split": part}


def _local(file: Path | UploadedFile[Any], folder: Path) -> Path:
    """Return where a file is on this machine; an upload is written into the folder first."""
    if isinstance(file, Path):
        if not file.is_file():
            raise BadInput(_("The file %(file)s does not exist. Check the path and the name.", file=str(file)))
        return file
    folder.mkdir()
    path = folder / (PurePosixPath(file.name or "").name or "upload")
    with path.open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    return path
