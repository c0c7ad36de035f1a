"""What the documents of a release are filled from: the facts noted when it was built, and people's prose."""

from __future__ import annotations

from typing import Any

from curation.models import Language, Release
from curation.publishing.records import AgreementRecord, GuidelineRecord, ReleaseRecords


def records_of(release: Release) -> ReleaseRecords:
    """The records behind data statement and data sheet."""
    facts: dict[str, Any] = release.facts
    annotation: dict[str, Any] = facts.get("annotation", {})
    return ReleaseRecords(
        agreement=tuple(AgreementRecord(**row) for row in annotation.get("agreement", ())),
        excluded_by_reason=facts.get("excluded_by_reason", {}),
        annotators=annotation.get("annotators"),
        demographics=annotation.get("demographics", {}),
        languages={
            language.code: f"{language.name}, {language.bcp47}"
            for language in Language.objects.filter(suites=release.suite)
        },
        pay=annotation.get("pay", ""),
        wellbeing=annotation.get("wellbeing", ""),
        labelled_from=annotation.get("labelled_from", ""),
        labelled_until=annotation.get("labelled_until", ""),
        guidelines=tuple(GuidelineRecord(**row) for row in annotation.get("guidelines", ())),
        prose=release.prose,
    )
