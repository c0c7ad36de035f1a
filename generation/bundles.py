"""Prompts and hypotheses in the bundle of a suite."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic import Field

from core.text import _
from curation.bundles.parts import Part, Place, Scope
from curation.bundles.rows import Row
from generation.models import CheckVersion, Prompt

PROMPT = (
    "number", "system", "skeleton", "instruction", "demonstration", "uses_slurs", "slurs", "sha256", "note",
)  # fmt: skip
CHECK = ("number", "tests", "rule", "sha256", "note")


class PromptRow(Row):
    """One version of what a language model is asked for."""

    language: str
    functionality: str
    number: int = Field(ge=1)
    system: str
    skeleton: dict[str, Any]
    instruction: str
    demonstration: str = ""
    uses_slurs: bool = False
    slurs: list[str] = []
    sha256: str = Field(min_length=64, max_length=64)
    note: str = Field("", max_length=300)


class CheckRow(Row):
    """One version of the hypotheses and the rule that messages of a functionality are checked with."""

    functionality: str
    checked_language: str = Field("", description="Empty for every language without a check of its own.")
    number: int = Field(ge=1)
    tests: dict[str, Any]
    rule: Any
    sha256: str = Field(min_length=64, max_length=64)
    note: str = Field("", max_length=300)


def prompts(scope: Scope) -> Iterator[PromptRow]:
    found = Prompt.objects.filter(
        language__code__in=scope.languages, functionality__key__in=scope.functionalities
    ).select_related("language", "functionality")
    for item in found.order_by("language__code", "functionality__key", "number"):
        same = {name: getattr(item, name) for name in PROMPT}
        yield PromptRow(language=item.language.code, functionality=item.functionality.key, **same)


def add_prompts(place: Place, rows: Sequence[PromptRow]) -> None:
    Prompt.objects.bulk_create(
        (
            Prompt(
                language=place.languages[row.language],
                functionality=place.functionalities[row.functionality],
                author=place.by,
                created_at=place.at,
                **{name: getattr(row, name) for name in PROMPT},
            )
            for row in rows
        ),
        batch_size=500,
    )


def checks(scope: Scope) -> Iterator[CheckRow]:
    """Yield what experts wrote; a published wording stays with those who loaded their own copy of it."""
    found = CheckVersion.objects.written().filter(functionality__key__in=scope.functionalities)
    for item in found.select_related("language", "functionality").order_by(
        "functionality__key", "language__code", "number"
    ):
        code = item.language.code if item.language else ""
        if code and code not in scope.languages:
            continue
        same = {name: getattr(item, name) for name in CHECK}
        yield CheckRow(functionality=item.functionality.key, checked_language=code, **same)


def add_checks(place: Place, rows: Sequence[CheckRow]) -> None:
    CheckVersion.objects.bulk_create(
        CheckVersion(
            functionality=place.functionalities[row.functionality],
            language=place.languages.get(row.checked_language),
            author=place.by,
            created_at=place.at,
            **{name: getattr(row, name) for name in CHECK},
        )
        for row in rows
    )


PARTS = (
    Part(
        name="prompts", title=_("Prompts"), row=PromptRow, key=("language", "functionality", "number"),
        rows=prompts, add=add_prompts,
    ),
    Part(
        name="hypotheses", title=_("Hypotheses"), row=CheckRow, key=("functionality", "checked_language", "number"),
        rows=checks, add=add_checks,
    ),
)  # fmt: skip
