"""What is noted about a release at a hub, and how it comes off again."""

from accounts.models import User
from core.errors import BadInput
from core.jobs.services import request_job
from core.text import _
from curation.hubs.connecting import server_of
from curation.hubs.models import EntryState, Hub, HubEntry
from curation.models import Release

DISCARD = "curation.discard_deposit"


def reserved_doi(release: Release) -> str:
    """Return the DOI that was reserved for a release, "" where none was."""
    found = HubEntry.objects.filter(release=release, hub=Hub.ZENODO).values_list("doi", flat=True).first()
    return found or ""


def begin_entry(release: Release, hub: Hub, *, reference: str = "", by: User | None) -> HubEntry:
    """Return the entry of a release at a hub, noted now unless it is there.

    Refuses an entry that was begun at another server or under another name.
    """
    server = server_of(hub)
    entry, _is_new = HubEntry.objects.get_or_create(
        release=release, hub=hub, defaults={"server": server, "reference": reference, "begun_by": by}
    )
    wanted = (server, reference or entry.reference)
    if (entry.server, entry.reference) != wanted:
        raise BadInput(
            _(
                "%(release)s was begun at %(place)s already. Publish it there.",
                release=release.key,
                place=f"{entry.server} {entry.reference}".strip(),
            ),
            field="repository",
        )
    return entry


def drop_entries(release: Release, *, by: User | None) -> None:
    """Forget the entries of a release that is deleted; a worker discards the deposit that was made for it."""
    entries = HubEntry.objects.filter(release=release)
    for entry in entries.filter(hub=Hub.ZENODO, state=EntryState.RESERVED):
        title = _("Discard the deposit of %(release)s", release=release.key)
        request_job(DISCARD, {"number": entry.reference, "server": entry.server}, title=title, by=by)
    entries.delete()
