"""Import a release by the name that an index knows it by, and queue imports of names and of uploads."""

from accounts.models import User
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.permissions import require_maintainer
from core.text import _
from curation.followed.services import fetch_offer, find_offer
from curation.importing.uploads import keep_upload
from curation.indexes.places import is_remote
from curation.models import Release
from curation.releases.importing import import_release
from curation.releases.models import Access
from curation.releases.moving_options import ImportReleaseOptions

IMPORT_RELEASE = "curation.import_release"


def import_named(
    reference: str,
    *,
    source: str = "",
    access: str = Access.PRIVATE,
    public_key: str = "",
    sha256: str = "",
    by: User | None = None,
) -> Release:
    """Import SUITE@VERSION from the index at an address, or from those that are followed.

    What is fetched must have the checksum and the signature that the index names.
    """
    if by is not None:
        require_maintainer(by)
    registry, offer = find_offer(reference, source=source)
    entry = offer.entry
    if sha256 and sha256 != entry.sha256:
        raise BadInput(
            _(
                "The index names the checksum %(found)s for %(release)s, not %(wanted)s. Ask its publisher.",
                found=entry.sha256,
                release=reference,
                wanted=sha256,
            )
        )
    folder = fetch_offer(registry, offer)
    return import_release(
        folder, access=access, public_key=public_key or entry.signature_key, sha256=entry.sha256, by=by
    )


def request_release_import(options: ImportReleaseOptions, *, by: User) -> Job:
    """Keep an upload, or a name that indexes know, and queue its import. Refuses what is no archive or unknown."""
    require_maintainer(by)
    if options.release:
        if options.source and not is_remote(options.source):
            raise BadInput(_("Write a web address such as https://suites.example.org, or hf:OWNER/DATASET."))
        if not options.source:
            find_offer(options.release)
        payload = {**options.how(), "release": options.release, "source": options.source}
        title = _("Import the release %(file)s", file=options.release)
        return request_job(IMPORT_RELEASE, payload, title=title, by=by)
    path = keep_upload(options.file)
    title = _("Import the release %(file)s", file=options.file.name)
    return request_job(IMPORT_RELEASE, {**options.how(), "path": str(path)}, title=title, by=by)
