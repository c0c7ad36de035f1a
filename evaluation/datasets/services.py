"""Labelled data that a person brings: kept as it came, checksummed, private to its owner and the maintainers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from django.core.files.uploadedfile import UploadedFile
from django.db import transaction
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer
from core.tables.problems import Problem
from core.text import _, keep
from evaluation import file_store
from evaluation.artefacts.errors import Unusable
from evaluation.datasets.files.reading import read_labelled
from evaluation.datasets.files.values import LabelledData, Reading
from evaluation.datasets.labelled_files import refuse_problems
from evaluation.models import Dataset

LANGUAGE_CODE = re.compile(r"[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@dataclass(frozen=True, slots=True)
class Mapped:
    """How a file is read: columns by name (guessed where empty) and labels renamed or left out."""

    text_column: str = ""
    label_column: str = ""
    split_column: str = ""
    id_column: str = ""
    extra_columns: tuple[str, ...] = ()
    label_map: Mapping[str, str | None] | None = None
    part: str = ""

    def read(self, path: Path) -> Reading:
        return read_labelled(
            path,
            text_column=self.text_column or None,
            label_column=self.label_column or None,
            split_column=self.split_column or None,
            id_column=self.id_column or None,
            extra_columns=self.extra_columns,
            label_map=self.label_map,
            part=self.part,
        )


def import_dataset(
    source: Path | UploadedFile[Any], *, title: str, by: User | None, language: str = "", mapped: Mapped | None = None
) -> Dataset:
    """Store a labelled file. The same file read the same way by the same person again gives the same data set.

    Refuses people who are not maintainers, and a file with any bad row: nothing is kept then, and every place is named.
    """
    if by is not None:
        require_maintainer(by)
    if not title.strip():
        raise BadInput(_("The data set needs a title. Give the one you would use in a paper."))
    if language and (len(language) > 20 or not LANGUAGE_CODE.fullmatch(language)):
        raise BadInput(
            _(
                "'%(language)s' is not a language code. Write one such as en or pt-BR, or leave it empty.",
                language=language,
            )
        )
    mapped = mapped or Mapped()
    if isinstance(source, Path) and not source.is_file():
        raise BadInput(_("The file %(file)s does not exist. Check the path and the name.", file=str(source)))
    stored, sha256 = file_store.keep_file(source, "datasets")
    path = file_store.path_of(stored)
    reading = mapped.read(path)
    original = source.name if isinstance(source, Path) else (source.name or "upload")
    if reading.data is None and not Dataset.objects.filter(file=stored).exists():
        path.unlink(missing_ok=True)
    problems = [_renamed(problem, path.name, original) for problem in reading.problems]
    refuse_problems(_("Nothing was imported."), problems)
    assert reading.data is not None
    read_as = {**_plain(mapped), "columns": dict(reading.columns), "file_name": original}
    mapping = {**read_as, "notes": keep([problem.sentences for problem in reading.problems])}
    with transaction.atomic():
        known = Dataset.objects.filter(owner=by, sha256=sha256, language=language)
        for dataset in known:
            if {name: value for name, value in dataset.mapping.items() if name != "notes"} == read_as:
                return dataset
        dataset = Dataset.objects.create(
            key=_free_key(title),
            title=title.strip()[:160],
            owner=by,
            language=language,
            file=stored,
            mapping=mapping,
            labels=sorted(reading.data.class_counts),
            counts=count_rows(reading.data),
            sha256=sha256,
        )
        audit.record(by, Action.DATASET_IMPORTED, dataset, rows=len(reading.data), sha256=sha256)
    return dataset


def open_dataset(dataset: Dataset, *, extra_columns: tuple[str, ...] = ()) -> LabelledData:
    """Return the rows of a stored data set, as it was imported. Refuses a file that is gone or was changed since."""
    facts = dataset.mapping
    mapped = Mapped(
        **{name: facts.get(name, "") for name in ("text_column", "label_column", "split_column", "id_column", "part")},
        extra_columns=tuple(dict.fromkeys((*facts.get("extra_columns", ()), *extra_columns))),
        label_map=facts.get("label_map"),
    )
    path = file_store.path_of(dataset.file)
    reading = mapped.read(path)
    if reading.file_sha256 != dataset.sha256:
        sentence = _(
            "The file of the data set “%(title)s” has changed on disk. Restore it from the backup, or import it again.",
            title=dataset.title,
        )
        raise Unusable(sentence, now="changed on disk", wanted="used")
    problems = [_renamed(problem, path.name, facts.get("file_name", path.name)) for problem in reading.problems]
    refuse_problems(_("The data set '%(title)s' cannot be read.", title=dataset.title), problems)
    assert reading.data is not None
    return replace(reading.data, source=dataset.title)  # the stored file is named by its checksum


@transaction.atomic
def delete_dataset(dataset: Dataset, *, by: User) -> None:
    """Remove a data set and its file. Refuses one that attacks, splits or experiments were made of."""
    if dataset.owner_id != by.pk:
        require_maintainer(by)
    if dataset.attacks.exists() or dataset.splits.exists() or dataset.experiments.exists():
        sentence = _(
            "“%(title)s” cannot be deleted: attacks, splits or experiments were made from it.", title=dataset.title
        )
        raise Unusable(sentence, now="in use by attacks, splits or experiments", wanted="deleted")
    stored = dataset.file
    audit.record(by, Action.DATASET_IMPORTED, dataset, deleted=True, sha256=dataset.sha256)
    dataset.delete()
    if not Dataset.objects.filter(file=stored).exists():
        transaction.on_commit(lambda: (file_store.root() / stored).unlink(missing_ok=True))


def count_rows(data: LabelledData) -> dict[str, dict[str, int]]:
    """Return rows by part, then label; rows without a part stand under `all`."""
    counts: dict[str, Counter[str]] = {}
    for part, label in zip(data.splits, data.labels, strict=True):
        counts.setdefault(part or "all", Counter())[label] += 1
    return {part: dict(sorted(found.items())) for part, found in sorted(counts.items())}


def _renamed(problem: Problem, stored: str, original: str) -> Problem:
    return replace(problem, file=original) if problem.file == stored else problem


def _plain(mapped: Mapped) -> dict[str, Any]:
    facts = asdict(mapped)
    return {
        **facts,
        "extra_columns": list(mapped.extra_columns),
        "label_map": mapped.label_map and dict(mapped.label_map),
    }


def _free_key(title: str) -> str:
    stem = slugify(title)[:70] or "data"
    key, number = stem, 2
    while Dataset.objects.filter(key=key).exists():
        key, number = f"{stem}-{number}", number + 1
    return key
