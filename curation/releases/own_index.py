"""The index of this instance: its public releases, signed, and the files that the index names."""

from datetime import UTC, datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from core.text import in_english
from curation.indexes.values import Index, IndexEntry, in_order
from curation.models import Release
from curation.publishing.signature import derive_secret_key, key_line
from curation.releases.downloads import is_quick, is_ready, request_download
from curation.releases.export import public_key, signing_key
from curation.releases.frozen import release_head
from curation.releases.models import Access, ReleaseQuerySet

FILE_FORMAT = "csv"
BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)  # of an instance that has published nothing yet


def listed_releases() -> ReleaseQuerySet:
    """Return the releases that everyone may have."""
    return Release.objects.published().filter(access=Access.PUBLIC)


def own_index() -> bytes:
    """Return the signed index. The same releases give the same bytes."""
    releases = list(listed_releases().select_related("suite", "withdrawal").prefetch_related("identifiers"))
    signed_by = key_line(public_key())
    with in_english():
        entries = in_order(_entry(release, signed_by) for release in releases)
    moments = [release.published_at for release in releases if release.published_at]
    moments += [release.withdrawal.withdrawn_at for release in releases if hasattr(release, "withdrawal")]
    updated = max(moments, default=BEGINNING).astimezone(UTC).isoformat(timespec="seconds")
    name = urlsplit(settings.SITE_URL).netloc or "Touchstone"
    return Index(name, updated, entries).to_bytes(secret=index_key())


def index_key() -> bytes:
    """Return the key that indexes are signed with: that of releases, or one that follows from SECRET_KEY."""
    return signing_key() or derive_secret_key(settings.SECRET_KEY.encode(), purpose="touchstone index")


def _entry(release: Release, signed_by: str) -> IndexEntry:
    head = release_head(release)
    return IndexEntry(
        suite=release.suite.key,
        version=release.version,
        title=head.title,
        languages=tuple(sorted(release.facts.get("statistics", {}).get("by_language", {}))),
        licence=head.licence,
        cases=int(release.facts.get("included", 0)),
        published=head.created,
        sha256=release.sha256,
        download=reverse("index-download", args=[release.suite.key, release.version]),
        signature_key=signed_by,
        withdrawn=release.withdrawal.reason if hasattr(release, "withdrawal") else "",
    )


def is_prepared(release: Release) -> bool:
    """Tell whether the file of a release can be sent now; otherwise a worker is asked to write it."""
    if is_ready(release, FILE_FORMAT) or is_quick(release):
        return True
    request_download(release, FILE_FORMAT, by=None)
    return False
