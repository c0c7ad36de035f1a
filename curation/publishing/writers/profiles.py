"""Columns of a CSV file: ours, and those of HateCheck and Multilingual HateCheck, so that existing scripts run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from curation.publishing.canonical import FIELDS, TARGET_SEPARATOR, json_text
from curation.publishing.values import FrozenCase

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Profile:
    """The header of a file and how a case (with its checksum and running number, from 0) becomes a row."""

    name: str
    columns: Row
    row: Callable[[FrozenCase, str, int], Row]
    is_split_by_language: bool = False


def flag(value: bool | None) -> str:
    """True, False, or nothing where it is undefined."""
    return "" if value is None else str(value)


def _touchstone(case: FrozenCase, sha256: str, number: int) -> Row:
    return (
        case.key,
        case.functionality,
        case.text,
        case.label,
        TARGET_SEPARATOR.join(case.targets),
        case.direction,
        case.focus_words,
        case.focus_lemma,
        case.refers_to,
        case.refers_to_template,
        case.template,
        case.template_text,
        case.language,
        case.functionality_class,
        case.origin,
        json_text(case.labels_given) if case.labels_given else "",
        case.majority,
        flag(case.disagreement_in_case),
        flag(case.disagreement_in_template),
        case.provenance,
        json_text(dict(case.extra)) if case.extra else "",
        sha256,
    )


def _hatecheck(case: FrozenCase, sha256: str, number: int) -> Row:
    return (
        str(number),
        case.functionality,
        case.key,
        case.text,
        case.label,
        TARGET_SEPARATOR.join(case.targets),
        case.direction,
        case.focus_words,
        case.focus_lemma,
        case.refers_to,
        case.refers_to_template,
        case.template,
        case.template_text,
    )


def _mhc(case: FrozenCase, sha256: str, number: int) -> Row:
    extra = dict(case.extra)
    return (
        case.key,
        case.functionality,
        case.text,
        case.label,
        TARGET_SEPARATOR.join(case.targets),
        case.refers_to,
        case.refers_to_template,
        case.template,
        case.template_text,
        extra.get("gender_male", ""),
        extra.get("gender_female", ""),
        str(list(case.labels_given)),
        case.majority,
        flag(case.disagreement_in_case),
        flag(case.disagreement_in_template),
    )


TOUCHSTONE = Profile("touchstone", (*FIELDS, "sha256"), _touchstone)
HATECHECK = Profile(
    "hatecheck",
    (
        "",
        "functionality",
        "case_id",
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
    ),
    _hatecheck,
    is_split_by_language=True,
)
MHC = Profile(
    "mhc",
    (
        "mhc_case_id",
        "functionality",
        "test_case",
        "label_gold",
        "target_ident",
        "ref_case_id",
        "ref_templ_id",
        "templ_id",
        "case_templ",
        "gender_male",
        "gender_female",
        "label_annotated",
        "label_annotated_maj",
        "disagreement_in_case",
        "disagreement_in_template",
    ),
    _mhc,
    is_split_by_language=True,
)
PROFILES: Mapping[str, Profile] = {profile.name: profile for profile in (TOUCHSTONE, HATECHECK, MHC)}
