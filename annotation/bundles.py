"""Guidelines in the bundle of a suite."""

from collections.abc import Iterator, Sequence

from pydantic import Field

from annotation.models import Guideline
from core.text import _
from curation.bundles.parts import Part, Place, Scope
from curation.bundles.rows import Row


class GuidelineRow(Row):
    """What annotators are told in a language."""

    language: str
    version: int = Field(ge=1)
    title: str = Field(max_length=160)
    text: str


def guidelines(scope: Scope) -> Iterator[GuidelineRow]:
    found = Guideline.objects.filter(language__code__in=scope.languages).select_related("language")
    for item in found.order_by("language__code", "version"):
        yield GuidelineRow(language=item.language.code, version=item.version, title=item.title, text=item.text)


def add_guidelines(place: Place, rows: Sequence[GuidelineRow]) -> None:
    Guideline.objects.bulk_create(
        Guideline(
            language=place.languages[row.language],
            version=row.version,
            title=row.title,
            text=row.text,
            created_at=place.at,
            created_by=place.by,
        )
        for row in rows
    )


GUIDELINES = Part(
    name="guidelines", title=_("Guidelines"), row=GuidelineRow, key=("language", "version"),
    rows=guidelines, add=add_guidelines,
)  # fmt: skip
