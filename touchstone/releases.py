"""Reads what a model is tested on: an exported release, a zip of one, a table, or a Hugging Face dataset folder."""

from __future__ import annotations

import csv
import json
import re
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.tables.cells import restore
from curation.fields import FIELDS
from curation.publishing.archives import unpack
from curation.publishing.canonical import release_sha256
from curation.publishing.errors import PublishingError
from curation.publishing.groups import GroupNames, groups_of
from curation.publishing.identity import about_identity
from curation.publishing.manifest import FILE_NAME as MANIFEST
from curation.publishing.readers import READERS
from curation.publishing.readers import read_parquet as read_released_parquet
from curation.publishing.values import FrozenCase
from curation.publishing.verify import verify_folder
from evaluation.metrics.columns import Row, said_by_annotators
from touchstone.errors import Refused
from touchstone.paths import APP_ROOT
from touchstone.tables import labels_of, read_tables

if TYPE_CHECKING:
    import pandas

SEALED_CARD = re.compile(r"([\w.-]+@[\w.+-]+), sha256 ([0-9a-f]{64})")
TABLE_ENDINGS = (".csv", ".tsv", ".jsonl", ".json", ".parquet", ".xlsx", ".gz")


@dataclass(frozen=True)
class Release:
    """Cases to test a model on. `sha256` is the checksum of a sealed release that was verified; "" for other tables."""

    reference: str
    labels: tuple[str, ...]  # the positive label first
    cases: tuple[FrozenCase, ...]
    sha256: str = ""
    templates: Mapping[tuple[str, str], tuple[str, ...]] = field(default_factory=dict, repr=False)
    notes: tuple[str, ...] = ()
    is_partial: bool = False

    @property
    def positive(self) -> str:
        return self.labels[0]

    @property
    def stem(self) -> str:
        """The reference as part of a file name."""
        return re.sub(r"[^\w.]+", "-", self.reference).strip("-") or "release"

    def first(self, count: int) -> Release:
        """Return a part: the first cases of each functionality in turn, so that every functionality is tried."""
        if count >= len(self.cases):
            return self
        places: dict[str, int] = {}
        order = []
        for number, case in enumerate(self.cases):
            places[case.functionality] = places.get(case.functionality, -1) + 1
            order.append((places[case.functionality], number))
        chosen = sorted(number for _, number in sorted(order)[:count])
        return replace(self, cases=tuple(self.cases[number] for number in chosen), is_partial=True)

    @property
    def frame(self) -> pandas.DataFrame:
        """One row per case, with the columns of `cases.csv`."""
        import pandas

        return pandas.DataFrame.from_records(
            [{column.column: getattr(case, column.name) for column in FIELDS} for case in self.cases]
        )

    def rows(self) -> list[dict[str, Any]]:
        """Return the keys by which results are sliced, as the server has them."""
        names = self._group_names()
        about = about_identity(self.cases, self.templates)
        rows = []
        for case in self.cases:
            rows.append(
                {
                    "case": case.key, "gold": case.label, "functionality": case.functionality,
                    "functionality_class": case.functionality_class, "language": case.language,
                    "targets": groups_of(case.targets, case.language, names),
                    "is_identity_template": case.key in about or not case.template, "direction": case.direction,
                    "focus_word": case.focus_lemma, "origin": case.origin,
                    **said_by_annotators(case.labels_given, gold=case.label, positive=self.positive),
                    "template": f"{case.language}:{case.template}" if case.template else None,
                    "refers_to": case.refers_to or None,
                    "contrast_set": case.contrast_set, "perturbation_set": case.perturbation_set,
                }
            )  # fmt: skip
        return rows

    def _group_names(self) -> GroupNames:
        """Return the groups that spellings stand for, as the catalogue knows them ("Jews", "jews")."""
        titles = group_titles()
        names: dict[str, dict[str, list[str]]] = {}
        for case in self.cases:
            for target in case.targets:
                if title := titles.get(target.casefold()):
                    names.setdefault(case.language, {})[target] = [title]
        return names


@lru_cache(maxsize=1)
def group_titles() -> dict[str, str]:
    """Return the names of the protected groups by each spelling that published data have."""
    groups = json.loads((APP_ROOT / "fixtures" / "catalogue" / "groups.json").read_text(encoding="utf-8"))["groups"]
    return {alias.casefold(): row["name"] for row in groups for alias in [row["name"], *row["aliases"]]}


def join_answers(rows: Iterable[Mapping[str, Any]], answers: Iterable[tuple[str | None, float | None]]) -> list[Row]:
    """Return one row per case with what the model said."""
    return [Row(**row, predicted=label, score=score) for row, (label, score) in zip(rows, answers, strict=True)]


def read_release(
    path: str | Path,
    *,
    columns: Mapping[str, str] | None = None,
    labels: Sequence[str] | None = None,
    gold_map: Mapping[str, str] | None = None,
    sha256: str = "",
) -> Release:
    """Return the cases of an exported folder or zip, a CSV, JSONL, Parquet or XLSX file, or a dataset folder.

    `columns` maps text, label and other names to the columns of a table, `labels` names the labels, the positive one
    first, and `gold_map` says what other words in the column of gold labels mean. Refuses a release that was changed
    since it was published, or that is not the one with the checksum `sha256`.
    """
    place = Path(path).expanduser()
    try:
        if not place.exists():
            raise Refused(f"There is no file or folder '{path}'.")
        if place.is_file() and place.suffix.lower() == ".zip":
            with tempfile.TemporaryDirectory() as folder:
                unpacked = _unpack(place, Path(folder))
                found = _read(unpacked, place.stem, columns, labels, gold_map)
        else:
            found = _read(place, place.name.split(".")[0] or str(place), columns, labels, gold_map)
    except (PublishingError, OSError, UnicodeDecodeError, csv.Error) as error:
        raise Refused(f"{path}: {error}") from error
    if sha256 and found.sha256 != sha256:
        raise Refused(f"{path} has the checksum {found.sha256 or 'of no release'}, not {sha256}. Take the right copy.")
    if not found.cases:
        raise Refused(f"{path} holds no case.")
    return found


def _read(
    place: Path,
    name: str,
    columns: Mapping[str, str] | None,
    labels: Sequence[str] | None,
    gold_map: Mapping[str, str] | None,
) -> Release:
    if place.is_file():
        return Release(name, *read_tables([place], name, columns, labels, gold_map))
    if (place / MANIFEST).is_file():
        return _read_export(place)
    return _read_dataset(place, name, columns, labels, gold_map)


def _unpack(archive: Path, folder: Path) -> Path:
    """Unpack an archive and return the folder in it that holds the release, or the only file."""
    if found := unpack(archive, folder):
        return found
    entries = [entry for entry in folder.iterdir() if not entry.name.startswith(("__MACOSX", "."))]
    return entries[0] if len(entries) == 1 else folder


def _read_export(folder: Path) -> Release:
    """Read what export_release wrote, after everything in it was checked against its manifest."""
    verification = verify_folder(folder)
    if verification.first is not None:
        raise Refused(f"{verification.reference} was changed since it was published. {verification.first}")
    manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    cases = tuple(case for case, _ in READERS["cases.csv"](folder / "cases.csv"))
    release = Release(
        verification.reference,
        tuple(map(str, manifest["release"]["labels"])),
        cases,
        verification.sha256,
        _template_texts(folder / "annexes" / "templates.csv"),
    )
    return replace(release, notes=tuple(_unknown_groups(release, folder / "statistics.json")))


def _template_texts(file: Path) -> dict[tuple[str, str], tuple[str, ...]]:
    """Return the wordings of each template of each language, from the annex of a release; empty without one."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    if file.is_file():
        with file.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                key = restore(row["language"]), restore(row["template"])
                found[key] = (*found.get(key, ()), restore(row["text"]))
    return found


def _unknown_groups(release: Release, file: Path) -> Iterator[str]:
    """Say so where the release counts groups by names that only its instance knows."""
    if not file.is_file():
        return
    counted = json.loads(file.read_text(encoding="utf-8")).get("by_group", {})
    names, found = release._group_names(), dict.fromkeys(counted, 0)
    for case in release.cases:
        for group in groups_of(case.targets, case.language, names):
            found[group] = found.get(group, 0) + 1
    if found != counted:
        yield "The instance that published this release names some groups differently: results by group differ there."


def _read_dataset(
    folder: Path,
    name: str,
    columns: Mapping[str, str] | None,
    labels: Sequence[str] | None,
    gold_map: Mapping[str, str] | None,
) -> Release:
    """Read a Hugging Face dataset folder: the files of its test split, or all where there is none."""
    files = sorted(path for path in folder.rglob("*") if path.suffix.lower() in TABLE_ENDINGS and path.is_file())
    files = [file for file in files if not any(part.startswith(".") for part in file.relative_to(folder).parts)]
    tests = [file for file in files if re.search(r"(^|[^a-z])test([^a-z]|$)", file.relative_to(folder).as_posix())]
    chosen = tests or files
    if not chosen:
        raise Refused(f"{folder} is neither an exported release nor a dataset: it has no {MANIFEST} and no table.")
    card = folder / "README.md"
    seal = SEALED_CARD.search(card.read_text(encoding="utf-8")) if card.is_file() else None
    if seal is None or columns or {file.suffix for file in chosen} != {".parquet"}:
        return Release(name, *read_tables(chosen, name, columns, labels, gold_map))
    cases = [case for file in chosen for case, _ in read_released_parquet(file)]
    if (found := release_sha256(cases)) != seal[2]:
        raise Refused(f"{seal[1]} was changed since it was published: its cases give the checksum {found}.")
    known = labels_of({case.label for case in cases}, labels)
    return Release(seal[1], known, tuple(cases), seal[2])
