"""The fields of a case, declared once.

Files, releases, checksums, the API, forms and the database take names, order, kinds and limits from `FIELDS`. The
order of `FIELDS` is the order in which a case is hashed and written. A new field changes every later checksum, unless
it is optional: then it is hashed only where it is filled, and written only where a case of the release has it.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from operator import attrgetter
from typing import Any, TypedDict, cast

TARGET_SEPARATOR = "; "  # between the groups of one case in a released file


class Kind(Enum):
    """What a field holds, which decides how it is written and read back."""

    TEXT = "text"
    KEY = "key"  # the identifier of a case or template
    GROUPS = "groups"  # names of target groups
    LABELS = "labels"  # labels that annotators gave, in order
    FLAG = "flag"  # true, false or undefined
    COLUMNS = "columns"  # cells of an imported file that must come back


@dataclass(frozen=True, slots=True)
class Field:
    """One field: `column` in files and the API, `name` on a released case, `lookup` from a case of the working set.

    `value` is its name on a case that is imported. `lookup` or `value` is "" where the field is not known there.
    Fields without a `meaning` are not described in Croissant files, which are in English.
    """

    column: str
    name: str
    meaning: str = ""
    kind: Kind = Kind.TEXT
    lookup: str = ""
    value: str = ""
    longest: int | None = None
    is_detail: bool = False
    is_optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Details:
    """What is said about a template and about each of its cases beside the text."""

    direction: str = ""
    focus_words: str = ""
    focus_lemma: str = ""


class DetailTexts(TypedDict, total=False):
    """The fields of `Details` as keyword arguments."""

    direction: str
    focus_words: str
    focus_lemma: str


def _detail(name: str, longest: int, *, meaning: str) -> Field:
    return Field(name, name, meaning, lookup=name, value=name, longest=longest, is_detail=True)


FIELDS: tuple[Field, ...] = (
    Field("case_id", "key", "Stable id of the case", Kind.KEY, "key", "key", 80),
    Field(
        "functionality", "functionality", "What the case tests", Kind.TEXT, "functionality__key", "functionality", 80
    ),
    Field("test_case", "text", "The text", Kind.TEXT, "text", "text"),
    Field("label_gold", "label", "The label a model should give", Kind.TEXT, "gold_label", "label", 60),
    Field(
        "target_ident", "targets", "Protected group(s) named or meant, separated by '; '",
        Kind.GROUPS, "target__name", "target", 120,
    ),
    _detail("direction", 20, meaning="Directed at a person or general"),
    _detail("focus_words", 300, meaning="The words that carry the test"),
    _detail("focus_lemma", 300, meaning="Lemma of the focus words"),
    Field(
        "ref_case_id", "refers_to", "The case this one contrasts with or perturbs",
        Kind.KEY, "refers_to", "refers_to", 80,
    ),
    Field(
        "ref_templ_id", "refers_to_template", "The template this one's template contrasts with or perturbs",
        Kind.KEY, "template__refers_to", "refers_to_template", 80,
    ),
    Field(
        "templ_id", "template", "The template the case was made from", Kind.KEY, "template__key", "template", 80
    ),
    Field("case_templ", "template_text", "Text of the template", Kind.TEXT, "variant__text", "template_text"),
    Field("language", "language", "Language code", Kind.TEXT, "language__code", "language"),
    Field(
        "functionality_class", "functionality_class", "Class of the functionality",
        Kind.TEXT, "functionality__functionality_class__key",
    ),
    Field(
        "origin", "origin", "How the case came to be: template, llm, hand, import, attack", Kind.TEXT, "origin"
    ),
    Field("label_annotated", "labels_given", "The labels annotators gave", Kind.LABELS),
    Field("label_annotated_maj", "majority", "The label most annotators gave, empty if none"),
    Field("disagreement_in_case", "disagreement_in_case", "Did annotators disagree on the case", Kind.FLAG),
    Field(
        "disagreement_in_template", "disagreement_in_template", "Did they disagree on any case of its template",
        Kind.FLAG,
    ),
    Field("provenance", "provenance", "How the case was made, as JSON text", Kind.TEXT, "provenance"),
    Field("extra", "extra", "", Kind.COLUMNS, "extra", "extra"),
    Field(
        "contrast_set", "contrast_set", "Cases with the same value form one contrast set: they differ minimally",
        Kind.TEXT, "contrast_set", "contrast_set", 80, is_optional=True,
    ),
    Field(
        "perturbation_set", "perturbation_set", "How the case differs from the original of its contrast set",
        Kind.TEXT, "perturbation_set", "perturbation_set", 60, is_optional=True,
    ),
)  # fmt: skip
OPTIONAL: tuple[Field, ...] = tuple(field for field in FIELDS if field.is_optional)
REQUIRED: tuple[Field, ...] = tuple(field for field in FIELDS if not field.is_optional)
COLUMNS: tuple[str, ...] = tuple(field.column for field in REQUIRED)
NAMES: tuple[str, ...] = tuple(field.name for field in FIELDS)
# What `export_cases` writes; the language and the optional fields follow where a suite uses them.
EXPORTED: tuple[Field, ...] = FIELDS[: COLUMNS.index("language")]
# What an imported case can say, without the columns that are only kept.
IMPORTED: tuple[Field, ...] = tuple(field for field in FIELDS if field.value and field.kind is not Kind.COLUMNS)
# What a release adds: known, and not part of a case that is imported.
RELEASE_ONLY: tuple[str, ...] = (*(f.column for f in FIELDS if f not in IMPORTED), "sha256")
DETAIL_FIELDS: tuple[Field, ...] = tuple(field for field in FIELDS if field.is_detail)
DETAILS: tuple[str, ...] = tuple(field.name for field in DETAIL_FIELDS)
LONGEST: Mapping[str, int] = {field.column: field.longest for field in FIELDS if field.longest}


detail_values: Callable[[Any], tuple[str, ...]] = attrgetter(*DETAILS)


def columns_of(kind: Kind) -> tuple[str, ...]:
    """Return the columns that hold values of a kind."""
    return tuple(field.column for field in FIELDS if field.kind is kind)


def names_of(kind: Kind) -> tuple[str, ...]:
    """Return the names that fields of a kind have on a released case."""
    return tuple(field.name for field in FIELDS if field.kind is kind)


def details_of(described: Any) -> DetailTexts:
    """Return the details of a template or case, whatever type holds them."""
    return cast(DetailTexts, {name: getattr(described, name) for name in DETAILS})


def without_blanks(details: DetailTexts) -> DetailTexts:
    """Return typed details without outer blanks."""
    return cast(DetailTexts, {name: str(text).strip() for name, text in details.items()})
