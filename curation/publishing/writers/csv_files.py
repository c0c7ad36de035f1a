"""Cases as CSV, in one file or one per language."""

import re
from pathlib import Path

from core.text import _
from curation.publishing.blocks import Block
from curation.publishing.errors import PublishingError
from curation.publishing.rows import RowWriter
from curation.publishing.writers.profiles import Profile

LANGUAGE = re.compile(r"[A-Za-z0-9-]{1,35}")


class CsvWriter:
    """One file with all cases."""

    def __init__(self, path: Path, profile: Profile) -> None:
        self._profile = profile
        self._written = 0
        self._rows = RowWriter(path, profile.columns)

    def write(self, block: Block) -> None:
        self._rows.write_columns(self._profile.cells(block, self._written))
        self._written += len(block)

    def close(self) -> None:
        self._rows.close()


class CsvPerLanguage:
    """One file per language in a folder: `de.csv`, `fr.csv`, ..."""

    def __init__(self, folder: Path, profile: Profile) -> None:
        folder.mkdir(parents=True)
        self._folder = folder
        self._profile = profile
        self._writers: dict[str, CsvWriter] = {}

    def write(self, block: Block) -> None:
        for language, part in block.by_language():
            writer = self._writers.get(language)
            if writer is None:
                path = self._folder / f"{file_stem(language, part)}.csv"
                writer = self._writers[language] = CsvWriter(path, self._profile)
            writer.write(part)

    def close(self) -> None:
        for writer in self._writers.values():
            writer.close()


def file_stem(language: str, block: Block) -> str:
    """Return the language as part of a file name; refuses anything that is not a language code."""
    if not LANGUAGE.fullmatch(language):
        raise PublishingError(
            _(
                "case '%(case)s': '%(language)s' is not a language code; use one such as de or pt-BR",
                case=block["key"][0],
                language=language,
            )
        )
    return language
