"""Plain values that every reader of a published format hands over: what a suite consists of, without a database."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from core.tables.problems import Problem
from curation.fields import IMPORTED, Details, Kind

LONGEST_TEXT = 10_000  # characters of a case that is written by hand

Place = tuple[str, int]  # file, and row as a spreadsheet shows it


@dataclass(frozen=True, slots=True)
class EntryValue:
    """A word of the lexicon. `key` is unique within the suite's language; `position` is its row in the source."""

    key: str
    language: str
    kind: str  # identity, slur, profession, ...
    target: str  # the group's name as typed in the source, "" where there is none
    lemma: str
    position: int
    inherent: str = ""  # canonical features the word has by itself, e.g. "Gender=Fem"
    properties: tuple[tuple[str, str], ...] = ()  # what the orthography asks of it, e.g. (("elides", "no"),)


@dataclass(frozen=True, slots=True)
class FormValue:
    """One cell of a paradigm. `features` is canonical ("Case=Dat|Number=Plur"), `perturbation` is "" or e.g. "leet".

    `position` is its row in the file it came from: a source may list its words in another order in every file, and
    that order fixes the running numbers of the cases.
    """

    entry: str
    features: str
    perturbation: str
    text: str
    token: str = ""  # the column or file it came from, as typed, e.g. "[male_IDENT_S_leet]"
    position: int = 0
    language: str = ""  # of the entry; several languages may use one key


@dataclass(frozen=True, slots=True)
class VariantValue:
    """One text of a template; `features` tells variants apart ("Gender=Fem"), "" where there is only one."""

    features: str
    text: str
    position: int = 0


@dataclass(frozen=True, slots=True)
class TemplateValue(Details):
    """A template in one language. `defaults` are features each placeholder takes on unless it names its own.

    There are no variants where the source names a template but does not tell its text. A source of cases tells texts
    only (`tells_features` is False): what the variants are for, and the defaults, are not known from it.
    """

    key: str
    language: str
    functionality: str
    variants: tuple[VariantValue, ...]
    label: str
    position: int
    refers_to: str | None = None
    defaults: str = ""
    target: str = ""  # of a text without placeholders; with placeholders the words tell
    source_text: str = ""  # the text in the language it was adapted from
    drafts: tuple[tuple[str, str], ...] = ()  # machine drafts shown beside: (("deepl", "..."), ("google", "..."))
    extra: tuple[tuple[str, str], ...] = ()  # columns that must come back on export
    tells_features: bool = field(default=True, compare=False)  # about the source, not about the template


@dataclass(frozen=True, slots=True)
class CaseValue(Details):
    """A finished test case as a released file holds it."""

    key: str
    language: str
    functionality: str
    text: str
    label: str
    target: str = ""
    template: str | None = None
    refers_to: str | None = None
    refers_to_template: str | None = None
    template_text: str = ""
    extra: tuple[tuple[str, str], ...] = ()
    contrast_set: str = ""
    perturbation_set: str = ""


def case_value(texts: Mapping[str, str | None], *, extra: Iterable[tuple[str, str]] = ()) -> CaseValue:
    """Return the case that texts by field name (`Field.value`) stand for; identifiers that are empty are None."""
    values: dict[str, Any] = {
        field.value: texts.get(field.value) or (None if field.kind is Kind.KEY else "") for field in IMPORTED
    }
    return CaseValue(**values, extra=tuple(extra))


@dataclass(frozen=True, slots=True)
class LabelValue:
    """One label one annotator gave one case; `annotator` is the source's column or list position.

    A position in a list is no person: where the source does not say who gave the label, it is not identified.
    """

    case: str
    annotator: str
    label: str
    is_identified: bool = True


@dataclass(frozen=True, slots=True)
class LayoutValue:
    """How a file of words was laid out, so that it can be written back: its columns, and its cells without a form as
    (row counted from 0, column, what stood there)."""

    file: str
    language: str
    columns: tuple[str, ...]
    blanks: tuple[tuple[int, str, str], ...] = ()
    newline: str = "\r\n"
    ends_with_newline: bool = False


@dataclass(slots=True)
class SuiteValues:
    """Everything one reader found, or what there is to write. Nothing may be imported while `problems` has an error.

    `languages` are those of a suite that is written: one may have neither words nor templates yet.
    """

    languages: tuple[str, ...] = ()
    entries: list[EntryValue] = field(default_factory=list)
    forms: list[FormValue] = field(default_factory=list)
    templates: list[TemplateValue] = field(default_factory=list)
    cases: list[CaseValue] = field(default_factory=list)
    labels: list[LabelValue] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)
    layouts: list[LayoutValue] = field(default_factory=list)
    case_places: dict[str, Place] = field(default_factory=dict)  # by key
    template_places: dict[tuple[str, str], Place] = field(default_factory=dict)  # by language and key

    @property
    def has_errors(self) -> bool:
        return any(problem.severity == "error" for problem in self.problems)
