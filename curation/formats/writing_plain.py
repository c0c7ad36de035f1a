"""Writer of plain CSV: the columns of `export_cases`, then the language where several are mixed, then what was kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from curation.formats.csv_text import csv_bytes
from curation.formats.values import CaseValue

COLUMNS = (
    "case_id",
    "functionality",
    "test_case",
    "label_gold",
    "target_ident",
    "direction",
    "focus_words",
    "focus_lemma",
    "ref_case_id",
    "ref_templ_id",
    "templ_id",
    "case_templ",
)


def plain_row(case: CaseValue) -> tuple[str, ...]:
    """One case in the order of `COLUMNS`."""
    return (
        case.key,
        case.functionality,
        case.text,
        case.label,
        case.target,
        case.direction,
        case.focus_words,
        case.focus_lemma,
        case.refers_to or "",
        case.refers_to_template or "",
        case.template or "",
        case.template_text,
    )


def write_plain(cases: Sequence[CaseValue]) -> bytes:
    """One CSV file with all cases; a column `language` only where there is more than one."""
    mixed = len({case.language for case in cases}) > 1
    kept = list(dict.fromkeys(name for case in cases for name, _ in case.extra if name not in COLUMNS))
    header = (*COLUMNS, *(("language",) if mixed else ()), *kept)
    return csv_bytes(_with_header(header, cases, kept, mixed=mixed))


def _with_header(
    header: tuple[str, ...], cases: Iterable[CaseValue], kept: list[str], *, mixed: bool
) -> Iterator[tuple[str, ...]]:
    yield header
    for case in cases:
        extra = dict(case.extra)
        language = (case.language,) if mixed else ()
        yield (*plain_row(case), *language, *(extra.get(name, "") for name in kept))
