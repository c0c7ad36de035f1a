"""The formats of suites. A new one is a module with a `SuiteFormat`, and a name among `ADDED`."""

from collections.abc import Collection
from pathlib import Path

from core.tables.problems import Problem
from core.tables.recognising import problem_with_foreign_file
from core.text import _
from curation.formats.base import ReadOptions, SuiteFormat
from curation.formats.columns import LABELS
from curation.formats.gpt_hatecheck import GPT_HATECHECK
from curation.formats.hatecheck import HATECHECK
from curation.formats.hatemojicheck import HATEMOJICHECK
from curation.formats.mhc import MHC
from curation.formats.plain import PLAIN
from curation.formats.values import SuiteValues

ADDED: tuple[SuiteFormat, ...] = ()  # your own; docs/architecture.md says how
FORMATS: dict[str, SuiteFormat] = {
    known.name: known for known in (HATECHECK, MHC, PLAIN, GPT_HATECHECK, HATEMOJICHECK, *ADDED)
}


def written_formats() -> list[str]:
    """Return the names of the formats in which suites can be written."""
    return [known.name for known in FORMATS.values() if known.write]


def format_of(name: str) -> SuiteFormat:
    """Return the format a suite came in; one that was made here, or by a format we no longer know, counts as CSV."""
    return FORMATS.get(name, PLAIN)


def read_suite(
    format_name: str,
    path: Path,
    *,
    language: str | None = None,
    templates_only: bool = False,
    labels: Collection[str] = LABELS,
    sheet: str | None = None,
) -> SuiteValues:
    """Read a folder or file in a known format. Faults are in `problems`; an unknown format raises ValueError."""
    if format_name not in FORMATS:
        raise ValueError(f"no format is called '{format_name}'; known: {', '.join(FORMATS)}")
    if not path.exists():
        problem = Problem(str(path), None, None, _("there is no such file or folder"), _("check the path"))
        return SuiteValues(problems=[problem])
    if foreign := problem_with_foreign_file(path):
        return SuiteValues(problems=[foreign])
    known = FORMATS[format_name]
    if sheet and not known.has_sheets:
        refused = _("the format '%(format)s' has no sheets to choose from", format=format_name)
        return SuiteValues(problems=[Problem(path.name, None, None, refused, _("leave the sheet out"))])
    return known.read(path, ReadOptions(language or None, templates_only, labels, sheet or None))
