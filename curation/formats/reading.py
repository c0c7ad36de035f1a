"""One entrance to all readers, by the name of the format."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from curation.formats.columns import LABELS
from curation.formats.gpt_hatecheck import read_gpt_hatecheck
from curation.formats.hatecheck import read_hatecheck
from curation.formats.mhc import FOLDERS, languages_in, read_all_languages, read_mhc
from curation.formats.plain import read_plain
from curation.formats.values import Problem, SuiteValues

FORMATS = ("hatecheck", "mhc", "csv", "gpt_hatecheck")
WRITTEN = ("hatecheck", "mhc", "csv")
TABLES = (".csv", ".tsv", ".jsonl")


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
    if format_name == "gpt_hatecheck":
        return read_gpt_hatecheck(path)
    if format_name == "csv":
        values = read_plain(_only_table(path), language=language, labels=labels)
        if templates_only:
            values.cases.clear()
        return values
    if language is None:
        return read_all_languages(path, templates_only=templates_only)
    # A folder of one language may have any name; one with the name of a language of MHC is that language.
    if (path / "templates.csv").exists() and path.resolve().name.lower() not in FOLDERS:
        return read_mhc(path, language=language, templates_only=templates_only)
    found = languages_in(path)
    if language not in found:
        known = ", ".join(f"{code} ({folder.name})" for code, folder in found.items()) or "no language of MHC"
        problem = Problem(path.name, None, None, f"'{language}' is not in this folder", f"there is: {known}")
        return SuiteValues(problems=[problem])
    return read_mhc(found[language], language=language, templates_only=templates_only)


def _only_table(path: Path) -> Path:
    """The one table in a folder, as an archive of ours holds it; any other path stays."""
    tables = [child for child in path.iterdir() if child.suffix.lower() in TABLES] if path.is_dir() else []
    return tables[0] if len(tables) == 1 else path
