"""Rows of new cases, written many at a time."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from core.bulk import JsonText, insert_rows
from curation.cases.models import CaseState
from curation.fields import DETAILS
from curation.models import TestCase
from curation.morphology.identity import text_hash

FIELDS = (
    "suite", "language", "functionality", "key", "text", "gold_label", "origin", "state", "target", "template",
    "variant", "is_about_identity", "refers_to", *DETAILS, "contrast_set", "perturbation_set", "text_hash",
    "identity_hash", "provenance", "extra", "position", "author", "created_at",
)  # fmt: skip


def case_row(
    *,
    suite: int,
    language: int,
    functionality: int,
    key: str,
    text: str,
    label: str,
    origin: str,
    target: int | None,
    template: int | None,
    variant: int | None,
    is_about_identity: bool,
    refers_to: str,
    details: Sequence[str],
    identity: str,
    provenance: JsonText | dict[str, Any],
    position: int,
    author: int | None,
    at: datetime,
    extra: dict[str, str] | None = None,
    contrast_set: str = "",
    perturbation_set: str = "",
) -> tuple[Any, ...]:
    """Return the row of a case that is ready to be labelled; things are named by their ids, `details` in order."""
    return (
        suite, language, functionality, key, text, label, origin, CaseState.READY, target, template, variant,
        is_about_identity, refers_to, *details, contrast_set, perturbation_set, text_hash(text), identity, provenance,
        extra, position, author, at,
    )  # fmt: skip


def insert_cases(rows: Iterable[tuple[Any, ...]]) -> int:
    """Write rows of `case_row`, and return how many."""
    return insert_rows(TestCase, FIELDS, rows)
