"""What a release still needs before it should be published: validated, documented, licensed, checksummed."""

from __future__ import annotations

from dataclasses import dataclass

from curation.models import Release
from curation.models.cases import Origin
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.publishing.statement import missing_sections
from curation.services.frozen import release_head
from curation.services.release_records import records_of


@dataclass(frozen=True, slots=True)
class Point:
    name: str
    is_done: bool
    says: str


def checklist(release: Release) -> list[Point]:
    """The four points with what is missing from each."""
    return [_validated(release), _documented(release), _licensed(release), _checksummed(release)]


def _validated(release: Release) -> Point:
    included, unlabelled = release.facts.get("included"), release.facts.get("unlabelled")
    if included is None:
        return Point("Validated", False, "It is not built yet.")
    origins = release.facts.get("statistics", {}).get("by_origin", {})
    if unlabelled == included and set(origins) == {Origin.IMPORT}:
        return Point("Validated", True, f"All {included:,} cases came with their labels; none was labelled again here.")
    if unlabelled:
        return Point("Validated", False, f"{unlabelled:,} of {included:,} cases were never labelled.")
    return Point("Validated", True, f"Every one of {included:,} cases was labelled.")


def _documented(release: Release) -> Point:
    titles = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
    missing = [titles[key].lower() for key in missing_sections(records_of(release))]
    if missing:
        return Point("Documented", False, f"Still to write: {', '.join(missing)}.")
    return Point("Documented", True, "Data statement and data sheet are written.")


def _licensed(release: Release) -> Point:
    licence = release_head(release).licence
    return Point("Licensed", bool(licence), licence or "The suite has no licence.")


def _checksummed(release: Release) -> Point:
    return Point(
        "Checksummed", release.is_built and bool(release.sha256), release.sha256 or "It is computed when it is built."
    )
