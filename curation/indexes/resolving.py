"""From SUITE@VERSION to a verified folder: which index names it, and fetching it once."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.inference.transfers import AllowUrl, TransferFailed, fetch_file
from core.text import _
from curation.indexes.places import address_of_download, is_remote, read_place, settle
from curation.indexes.reading import REFERENCE, read_index, require_unchanged
from curation.indexes.stores import IndexStore, KnownIndex, ReleaseStore, now
from curation.indexes.values import Index, IndexEntry, IndexRefused
from curation.publishing.signature import key_line

LARGEST_RELEASE = 2_000_000_000  # bytes
LONGEST_WAIT = 600.0  # seconds for a server that is still writing the file
USUAL_WAIT = 5.0

ShowProgress = Callable[[int, int | None, str], None]


@dataclass(frozen=True, slots=True)
class Consulted:
    """An index that was read. `trouble` says why it is the copy from before and not today's."""

    address: str
    place: str
    index: Index
    fetched_at: str
    trouble: str = ""


@dataclass(frozen=True, slots=True)
class Offer:
    """A release as one index names it."""

    entry: IndexEntry
    source: Consulted


def fetch_index(
    address: str, *, allow_url: AllowUrl, known_key: str = "", before: KnownIndex | None = None
) -> KnownIndex:
    """Read the index at an address now and check it, also against the one from before.

    Raises IndexRefused, NotAllowed and TransferFailed.
    """
    settled = settle(address)
    content, place = read_place(settled, allow_url=allow_url)
    earlier = before.read() if before else None
    index = read_index(content, address=settled, known_key=known_key, newest=earlier.updated if earlier else "")
    if earlier:
        require_unchanged(earlier, index, address=settled)
    return KnownIndex(settled, place, content.decode(), index.public_key, now())


class Registry:
    """The indexes and releases of one data folder."""

    def __init__(self, folder: Path, *, allow_url: AllowUrl) -> None:
        self.indexes, self.releases = IndexStore(folder), ReleaseStore(folder)
        self._allow_url = allow_url

    def consult(self, address: str, *, public_key: str = "") -> Consulted:
        """Return the index at an address, or the copy from before where its server cannot be reached.

        Refuses a changed, stale or newly signed index, and an unreachable one that was never read.
        """
        settled = settle(address)
        known = self.indexes.find(settled)
        key = key_line(public_key) or (known.public_key if known else "")
        trouble = ""
        try:
            known = fetch_index(settled, allow_url=self._allow_url, known_key=key, before=known)
            self.indexes.keep(known)
        except TransferFailed as error:
            if known is None or not error.is_offline:
                raise
            trouble = error.sentence
        index = read_index(known.content.encode(), address=settled, known_key=key)
        return Consulted(settled, known.place, index, known.fetched_at, trouble)

    def find(self, reference: str, consulted: Sequence[Consulted]) -> Offer:
        """Return the release of that name. Refuses an unknown one, and one that two indexes name differently."""
        if not REFERENCE.fullmatch(reference):
            raise IndexRefused(_("'%(name)s' is no release. Write SUITE@VERSION.", name=reference))
        offers = [Offer(entry, one) for one in consulted if (entry := one.index.find(reference))]
        if not offers:
            raise IndexRefused(self._unknown(reference, consulted))
        if len({offer.entry.sha256 for offer in offers}) > 1:
            raise IndexRefused(
                _(
                    "%(release)s has different checksums at %(places)s. Say which one you mean with --from.",
                    release=reference,
                    places=[offer.source.address for offer in offers],
                )
            )
        return offers[0]

    def _unknown(self, reference: str, consulted: Sequence[Consulted]) -> str:
        suite = reference.partition("@")[0]
        known = sorted({entry.reference for one in consulted for entry in one.index.releases if entry.suite == suite})
        places = [one.address for one in consulted]
        if known:
            return _("There is no %(release)s. Known: %(known)s.", release=reference, known=known)
        if not places:
            return _(
                "No index is known yet that could name %(release)s. Name one with --from https://HOST.",
                release=reference,
            )
        return _("None of %(places)s has a release of '%(suite)s'.", places=places, suite=suite)

    def get(self, offer: Offer, *, progress: ShowProgress | None = None) -> Path:
        """Return the folder of a release: the stored copy, verified anew, or what is fetched now and verified."""
        entry = offer.entry
        if self.releases.has(entry):
            return self.releases.checked(entry)
        where = address_of_download(entry.download, place=offer.source.place)
        with self.releases.workspace() as work:
            if not is_remote(where):
                if not Path(where).exists():
                    raise IndexRefused(
                        _("'%(path)s', which the index names, is not there. Write the index again.", path=where)
                    )
                return self.releases.add(Path(where), entry, work=work)
            archive = work / f"{entry.suite}-{entry.version}.zip"
            self._download(where, archive, entry, progress)
            return self.releases.add(archive, entry, work=work)

    def _download(self, url: str, archive: Path, entry: IndexEntry, progress: ShowProgress | None) -> None:
        """Fetch a file; a server that is still writing it says when to come again."""
        until = time.monotonic() + LONGEST_WAIT

        def show(done: int, total: int | None) -> None:
            if progress is not None:
                progress(done, total, _("downloading %(release)s", release=entry.reference))

        while True:
            try:
                fetch_file(url, archive, allow_url=self._allow_url, largest=LARGEST_RELEASE, progress=show)
                return
            except TransferFailed as error:
                wait = error.retry_after or USUAL_WAIT
                if error.status != 503 or time.monotonic() + wait > until:
                    raise
                if progress is not None:
                    progress(0, None, _("the server prepares %(release)s", release=entry.reference))
                time.sleep(wait)
