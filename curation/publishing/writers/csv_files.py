"""CSV: UTF-8, comma, line feed, quoted only where needed, dangerous cells defused."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any, TextIO

from curation.publishing.cells import defuse
from curation.publishing.errors import PublishingError
from curation.publishing.values import FrozenCase
from curation.publishing.writers.profiles import TOUCHSTONE, Profile

LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}")


class CsvWriter:
    """One file with all cases."""

    def __init__(self, path: Path, profile: Profile = TOUCHSTONE) -> None:
        self._profile = profile
        self._number = 0
        self._file: TextIO = path.open("w", encoding="utf-8", newline="")
        self._rows: Any = csv.writer(self._file, lineterminator="\n")
        self._rows.writerow(profile.columns)

    def write(self, case: FrozenCase, sha256: str) -> None:
        self._rows.writerow([defuse(cell) for cell in self._profile.row(case, sha256, self._number)])
        self._number += 1

    def close(self) -> None:
        self._file.close()


class CsvPerLanguage:
    """One file per language in a folder: `de.csv`, `fr.csv`, ..."""

    def __init__(self, folder: Path, profile: Profile) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._profile = profile
        self._writers: dict[str, CsvWriter] = {}

    def write(self, case: FrozenCase, sha256: str) -> None:
        writer = self._writers.get(case.language)
        if writer is None:
            writer = CsvWriter(self._folder / f"{file_stem(case)}.csv", self._profile)
            self._writers[case.language] = writer
        writer.write(case, sha256)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def file_stem(case: FrozenCase) -> str:
    """The language as part of a file name; refuses anything that is not a language code."""
    if not LANGUAGE.fullmatch(case.language):
        raise PublishingError(
            f"case '{case.key}': '{case.language}' is not a language code; use one such as de or pt-BR"
        )
    return case.language
