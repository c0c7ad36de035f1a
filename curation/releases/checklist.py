"""What a release still needs before it should be published: validated, documented, licensed, credited, checksummed."""

from dataclasses import dataclass

from core.text import _, ngettext
from curation.cases.models import Origin
from curation.models import Release
from curation.publishing.records import DATASHEET_SECTIONS, STATEMENT_SECTIONS
from curation.publishing.statement import missing_sections
from curation.releases.frozen import release_head
from curation.releases.models import ReleaseState
from curation.releases.records import labelling_of, records_of


@dataclass(frozen=True, slots=True)
class Point:
    name: str  # kept in English with a release that is published while it is open
    is_done: bool
    says: str
    fix: str = ""


def checklist(release: Release) -> list[Point]:
    """Return the points with what is missing from each, and how to mend it."""
    return [_validated(release), _documented(release), _licensed(release), _credited(release), _checksummed(release)]


def open_points(release: Release) -> list[str]:
    """What is still open and how to mend it, a sentence or two for each point; first that it is too late, if it is."""
    found = [_sentence(point) for point in checklist(release) if not point.is_done]
    if found and release.state == ReleaseState.PUBLISHED:
        published = ngettext(
            "%(release)s was published with %(count)s open point and no longer changes. "
            "Correct it in the next version.",
            "%(release)s was published with %(count)s open points and no longer changes. "
            "Correct them in the next version.",
            len(found),
            release=release.key,
        )
        found.insert(0, published)
    return found


def undocumented(release: Release) -> list[str]:
    """Return what is not written yet, as sentences: documents, licence and authors. It can be told before building."""
    points = (_documented(release), _licensed(release), _credited(release))
    return [_sentence(point) for point in points if not point.is_done]


def _sentence(point: Point) -> str:
    if not point.fix:
        return _("%(point)s: %(says)s", point=point.name, says=point.says)
    return _("%(point)s: %(says)s %(fix)s", point=point.name, says=point.says, fix=point.fix)


def _validated(release: Release) -> Point:
    name, included, unlabelled = _("Validated"), release.facts.get("included"), release.facts.get("unlabelled")
    if included is None:
        return Point(name, False, _("It is not built yet."))
    origins = release.facts.get("statistics", {}).get("by_origin", {})
    if unlabelled == included and set(origins) == {Origin.IMPORT}:
        says: str = ngettext(
            "The %(count)s case came with its label and was not labelled again here.",
            "All %(count)s cases came with their labels; none was labelled again here.",
            included,
        )
        return Point(name, True, says)
    label_them = _("Have them labelled in a campaign before the next version.")
    labelling = labelling_of(release.facts)
    if labelling is None:  # it was built before this was counted
        says = ngettext(
            "%(unlabelled)s of %(count)s case was never labelled.",
            "%(unlabelled)s of %(count)s cases were never labelled.",
            included,
            unlabelled=unlabelled or 0,
        )
        return Point(name, not unlabelled, says, label_them if unlabelled else "")
    says = labelling.sentence(min_agree=release.min_agree)
    if labelling.never_labelled or labelling.too_few_labels:
        return Point(name, False, says, label_them)
    if labelling.no_threshold:
        return Point(name, False, says, _("Ask for a minimum agreement above 0."))
    return Point(name, True, says)


def _documented(release: Release) -> Point:
    titles = {**STATEMENT_SECTIONS, **DATASHEET_SECTIONS}
    missing = [titles[key] for key in missing_sections(records_of(release))]
    if missing:
        fix = _("Build with --candidate and write them on the page of the release before you publish it there.")
        return Point(_("Documented"), False, _("Missing sections: %(sections)s.", sections=missing), fix)
    return Point(_("Documented"), True, _("The data statement and the data sheet are written."))


def _licensed(release: Release) -> Point:
    licence = release_head(release).licence
    fix = "" if licence else _("Give --licence, for example CC-BY-4.0, or add it on the page of the suite.")
    return Point(_("Licensed"), bool(licence), licence or _("The suite has no licence."), fix)


def _credited(release: Release) -> Point:
    names = [author.full_name for author in release_head(release).authors]
    if any(names):
        return Point(_("Credited"), True, ", ".join(names))
    says = _("The suite has no authors, so the release is cited under the key of the suite.")
    return Point(_("Credited"), False, says, _("Give --authors, or add them on the page of the suite."))


def _checksummed(release: Release) -> Point:
    is_done = release.is_built and bool(release.sha256)
    return Point(_("Checksummed"), is_done, release.sha256 or _("It is computed when the release is built."))
