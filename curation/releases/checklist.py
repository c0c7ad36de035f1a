"""What a release still needs before it should be published: validated, documented, licensed, credited, checksummed."""

from dataclasses import dataclass

from curation.cases.models import Origin
from curation.models import Release
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.publishing.statement import missing_sections
from curation.releases.frozen import release_head
from curation.releases.models import ReleaseState
from curation.releases.records import labelling_of, records_of


@dataclass(frozen=True, slots=True)
class Point:
    name: str
    is_done: bool
    says: str
    fix: str = ""


def checklist(release: Release) -> list[Point]:
    """Return the points with what is missing from each, and how to mend it."""
    return [_validated(release), _documented(release), _licensed(release), _credited(release), _checksummed(release)]


def open_points(release: Release) -> list[str]:
    """What is still open and how to mend it, a sentence or two for each point; first that it is too late, if it is."""
    found = [f"{point.name}: {point.says} {point.fix}".strip() for point in checklist(release) if not point.is_done]
    if found and release.state == ReleaseState.PUBLISHED:
        points, them = ("1 open point", "it") if len(found) == 1 else (f"{len(found)} open points", "them")
        found.insert(0, f"{release.key} was published with {points}, for good. Mend {them} in the next version.")
    return found


def _validated(release: Release) -> Point:
    included, unlabelled = release.facts.get("included"), release.facts.get("unlabelled")
    if included is None:
        return Point("Validated", False, "It is not built yet.")
    origins = release.facts.get("statistics", {}).get("by_origin", {})
    if unlabelled == included and set(origins) == {Origin.IMPORT}:
        return Point("Validated", True, f"All {included:,} cases came with their labels; none was labelled again here.")
    label_them = "Have them labelled in a campaign before the next version."
    labelling = labelling_of(release.facts)
    if labelling is None:  # it was built before this was counted
        says = f"{unlabelled or 0:,} of {included:,} cases were never labelled."
        return Point("Validated", not unlabelled, says, label_them if unlabelled else "")
    says = labelling.sentence(min_agree=release.min_agree)
    if labelling.never_labelled or labelling.too_few_labels:
        return Point("Validated", False, says, label_them)
    if labelling.no_threshold:
        return Point("Validated", False, says, "Ask for a minimum agreement above 0.")
    return Point("Validated", True, says)


def _documented(release: Release) -> Point:
    titles = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
    missing = [titles[key].lower() for key in missing_sections(records_of(release))]
    if missing:
        fix = "Build with --candidate and write them on the page of the release before you publish it there."
        return Point("Documented", False, f"Still to write: {', '.join(missing)}.", fix)
    return Point("Documented", True, "Data statement and data sheet are written.")


def _licensed(release: Release) -> Point:
    licence = release_head(release).licence
    fix = "" if licence else "Give --licence, for example CC-BY-4.0, or add it on the page of the suite."
    return Point("Licensed", bool(licence), licence or "The suite has no licence.", fix)


def _credited(release: Release) -> Point:
    names = ", ".join(author.full_name for author in release_head(release).authors)
    if names:
        return Point("Credited", True, names)
    says = "The suite has no authors, so the release is cited under the key of the suite."
    return Point("Credited", False, says, "Give --authors, or add them on the page of the suite.")


def _checksummed(release: Release) -> Point:
    return Point(
        "Checksummed", release.is_built and bool(release.sha256), release.sha256 or "It is computed when it is built."
    )
