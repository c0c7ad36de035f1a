"""What a format is: one object that says how suites are read and written in it, and what a new suite of it is like."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from curation.formats.columns import LABELS
from curation.formats.values import SuiteValues


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What is asked of a reader: one language of several, no case texts, the labels a case can have, a sheet."""

    language: str | None = None
    templates_only: bool = False
    labels: Collection[str] = LABELS
    sheet: str | None = None


def numbered_by_code(language: str) -> str:
    """Return the pattern of our own case ids: `fr-00017`."""
    return language + "-{number:05d}"


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteFormat:
    """A format of suites. Register it in `curation/formats/registry.py`; choices and branches follow from it.

    `read` never raises: faults are in `problems`. `write` takes the values and the suite's key, and raises ValueError
    for what the format cannot hold; None for a format that is only read. `defaults` are fields of a new suite.
    `case_key` gives the pattern of case ids in a language. `release_columns` are the columns in which a release can be
    exported too, with `release_meaning` to describe it: our column names, "" for a running number, and others for
    imported columns that are kept. Keys of `release_sources` are columns that another of ours fills.
    """

    name: str
    title: str
    read: Callable[[Path, ReadOptions], SuiteValues]
    write: Callable[[SuiteValues, str], dict[str, bytes]] | None = None
    defaults: Mapping[str, int | str] = field(default_factory=dict)
    case_key: Callable[[str], str] = numbered_by_code
    has_sheets: bool = False  # one table, so that a workbook can be read and one of its sheets chosen
    pairs_by_word: bool = True  # the case another one varies has the same word; else the same target
    release_columns: tuple[str, ...] = ()
    release_meaning: str = ""
    release_sources: Mapping[str, str] = field(default_factory=dict)
    release_lists_as_python: bool = False  # lists of labels are written as Python writes them
