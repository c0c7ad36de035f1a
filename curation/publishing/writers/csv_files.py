"""Cases as CSV, in one file or one per language."""

from __future__ import annotations

import re
from pathlib import Path

from curation.publishing.errors import PublishingError
from curation.publishing.rows import RowWriter
from curation.publishing.values import FrozenCase
from curation.publishing.writers.profiles import TOUCHSTONE, Profile

LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}")


class CsvWriter:
    """One file with all cases."""

    def __init__(self, path: Path, profile: Profile = TOUCHSTONE) -> None:
        self._profile = profile
        self._number = 0
        self._rows = RowWriter(path, profile.columns)

    def write(self, case: FrozenCase, sha256: str) -> None:
        self._rows.write(self._profile.row(case, sha256, self._number))
        self._number += 1

    def close(self) -> None:
        self._rows.close()


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
