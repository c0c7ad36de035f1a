"""One entrance to all readers, by the name of the format."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from curation.formats.columns import LABELS
from curation.formats.hatecheck import read_hatecheck
from curation.formats.mhc import languages_in, read_all_languages, read_mhc
from curation.formats.plain import read_plain
from curation.formats.values import Problem, SuiteValues

FORMATS = ("hatecheck", "mhc", "csv")


def read_suite(
    format_name: str,
    path: Path,
    *,
    language: str | None = None,
    templates_only: bool = False,
    labels: Collection[str] = LABELS,
) -> SuiteValues:
    """Read a folder or file in a known format. Faults are in `problems`; an unknown format raises ValueError."""
    if format_name not in FORMATS:
        raise ValueError(f"no format is called '{format_name}'; known: {', '.join(FORMATS)}")
    if not path.exists():
        problem = Problem(str(path), None, None, "there is no such file or folder", "check the path")
        return SuiteValues(problems=[problem])
    if format_name == "hatecheck":
        return read_hatecheck(path, templates_only=templates_only)
    if format_name == "csv":
        return read_plain(path, language=language or "en", labels=labels)
    if language is None:
        return read_all_languages(path, templates_only=templates_only)
    folder = languages_in(path).get(language, path)
    return read_mhc(folder, language=language, templates_only=templates_only)
