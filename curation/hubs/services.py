"""Publish a release at a hub, and reserve the DOI that its files will name. Doing it again changes nothing."""

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.permissions import require_maintainer
from core.states import move
from core.text import _
from curation.hubs.client import Report
from curation.hubs.connecting import client_of, require_connected, server_of
from curation.hubs.entries import begin_entry
from curation.hubs.errors import HubFailed
from curation.hubs.huggingface import DataSet
from curation.hubs.models import ENTRY_MOVES, EntryState, Hub, HubEntry
from curation.hubs.options import NAME, PublishToHubOptions
from curation.hubs.zenodo import Archive, Deposit, deposit_metadata
from curation.models import Release, ReleaseWithdrawal
from curation.publishing.export import ALL
from curation.publishing.licences import is_identifier
from curation.releases.annexes import is_imported
from curation.releases.downloads import download_name, make_download
from curation.releases.errors import NotInThisState
from curation.releases.export import export_release
from curation.releases.frozen import release_head
from curation.releases.models import Access, ReleaseState
from curation.releases.services import record_doi

PUBLISH, RESERVE = "curation.publish_to_hub", "curation.reserve_doi"
BESIDE = ("README.md", "DATA_STATEMENT.md", "DATASHEET.md", "CITATION.cff", "manifest.json")
WHOLE = "release"  # the folder of a data set that holds the release as it is exported, for whoever verifies it


def nothing(done: int, total: int | None, message: str) -> None:
    """Report to nobody."""


def request_publication(release: Release, options: PublishToHubOptions, *, by: User) -> Job:
    """Queue the publication at a hub. Refuses what `publish_to_hub` refuses; an unfinished job is returned instead."""
    require_maintainer(by)
    hub = Hub(options.hub)
    _require_publishable(release, hub)
    if hub == Hub.HUGGING_FACE:
        data_set_name(release, options.repository)
    payload = {"release": release.pk, "hub": hub.value, "repository": options.repository}
    title = _("Publish %(release)s at %(hub)s", release=release.key, hub=hub.label)
    return _unfinished(PUBLISH, release, hub=hub.value) or request_job(
        PUBLISH, payload, title=title, by=by, result_url=f"{release.get_absolute_url()}hubs/"
    )


def request_reservation(release: Release, *, by: User) -> Job:
    """Queue the reservation of a DOI. Refuses what `reserve_doi` refuses; an unfinished job is returned instead."""
    require_maintainer(by)
    _require_reservable(release)
    title = _("Reserve a DOI for %(release)s", release=release.key)
    return _unfinished(RESERVE, release) or request_job(
        RESERVE, {"release": release.pk}, title=title, by=by, result_url=f"{release.get_absolute_url()}hubs/"
    )


def _unfinished(kind: str, release: Release, **payload: str) -> Job | None:
    lookups = {f"payload__{name}": value for name, value in payload.items()}
    return Job.objects.unfinished().filter(kind=kind, payload__release=release.pk, **lookups).first()


def unfinished_jobs(release: Release) -> list[Job]:
    """Return the jobs that are publishing a release at hubs, or wait to."""
    return list(Job.objects.unfinished().filter(kind__in=(PUBLISH, RESERVE), payload__release=release.pk))


def reserve_doi(release: Release, *, by: User | None, report: Report = nothing) -> HubEntry:
    """Reserve a DOI for a release that is not published yet, so that its files can name it.

    Refuses a release that is published, imported or private, and one whose licence the archive does not know.
    """
    if by is not None:
        require_maintainer(by)
    _require_reservable(release)
    entry = begin_entry(release, Hub.ZENODO, by=by)
    if entry.state != EntryState.BEGUN:
        return entry
    with client_of(Hub.ZENODO) as client:
        report(0, 1, _("Reserving a DOI"))
        _reserve(Archive(client), entry)
    audit.record(by, Action.RELEASE_DOCUMENTED, release, doi=entry.doi)
    report(1, 1, "")
    return entry


def publish_to_hub(
    release: Release, hub: Hub, *, repository: str = "", by: User | None, report: Report = nothing
) -> HubEntry:
    """Publish a release at a hub; what an earlier try has done is found and not done again.

    Refuses a release that is not published here, withdrawn, imported or private, and a hub that is not set up.
    """
    if by is not None:
        require_maintainer(by)
    _require_publishable(release, hub)
    reference = data_set_name(release, repository) if hub == Hub.HUGGING_FACE else ""
    entry = begin_entry(release, hub, reference=reference, by=by)
    if entry.state == EntryState.PUBLISHED:
        return entry
    url = _push(entry, report) if hub == Hub.HUGGING_FACE else _deposit(entry, report)
    with transaction.atomic():
        move(entry, EntryState.PUBLISHED, ENTRY_MOVES, url=url, published_at=timezone.now())
        if entry.doi and entry.doi != release.doi:  # it was published before there was a DOI to name
            record_doi(release, entry.doi, by=by)
        audit.record(by, Action.RELEASE_DOCUMENTED, release, hub=hub.value, url=url)
    return entry


def data_set_name(release: Release, repository: str = "") -> str:
    """Return the data set of a release at the hub, as given or that of its suite. Refuses what is no such name."""
    owner = settings.HUGGINGFACE_OWNER
    name = repository or (f"{owner}/{release.suite.key}" if owner else "")
    if not NAME.fullmatch(name):
        raise BadInput(
            _(
                "'%(name)s' is not the name of a data set. Write owner/name, for example lab/my-suite, or ask the "
                "operator to set HUGGINGFACE_OWNER.",
                name=name,
            ),
            field="repository",
        )
    return name


def _require_reservable(release: Release) -> None:
    if release.state == ReleaseState.PUBLISHED:
        sentence = _(
            "%(release)s is published, so its files cannot name another DOI. Deposit it, and the DOI is recorded "
            "beside it.",
            release=release.key,
        )
        raise NotInThisState(sentence, release, wanted="given a DOI")
    _require_open(release, Hub.ZENODO)


def _require_publishable(release: Release, hub: Hub) -> None:
    if release.state != ReleaseState.PUBLISHED:
        sentence = _("%(release)s is not published here yet. Publish it first.", release=release.key)
        raise NotInThisState(sentence, release, wanted="published at a hub")
    if ReleaseWithdrawal.objects.filter(release=release).exists():
        raise BadInput(_("%(release)s is withdrawn, so it is not published elsewhere.", release=release.key))
    _require_open(release, hub)


def _require_open(release: Release, hub: Hub) -> None:
    require_connected(hub)
    if is_imported(release):
        raise BadInput(
            _("%(release)s was published by another instance. Publish it at hubs from there.", release=release.key)
        )
    if release.access == Access.PRIVATE:
        raise BadInput(_("%(release)s is private, so it is not published elsewhere.", release=release.key))
    licence = release_head(release).licence
    if hub == Hub.ZENODO and release.access == Access.PUBLIC and not is_identifier(licence):
        raise BadInput(
            _(
                "The archive needs a licence by its identifier, such as CC-BY-4.0. %(release)s has '%(licence)s'.",
                release=release.key,
                licence=licence,
            )
        )


def _reserve(archive: Archive, entry: HubEntry) -> Deposit:
    marker = str(entry.marker)
    deposit = archive.reserve(deposit_metadata(release_head(entry.release), marker=marker), marker=marker)
    if not deposit.doi:
        raise HubFailed(_("%(server)s reserved no DOI for the deposit.", server=entry.server))
    move(entry, EntryState.RESERVED, ENTRY_MOVES, reference=deposit.number, doi=deposit.doi, url=deposit.url)
    return deposit


def _deposit(entry: HubEntry, report: Report) -> str:
    """Fill and publish the deposit of a release, and return the address of its record."""
    release = entry.release
    with client_of(Hub.ZENODO) as client, _exported(release, ("csv", "huggingface")) as folder:
        archive = Archive(client)
        deposit = archive.get(entry.reference) if entry.reference else _reserve(archive, entry)
        if not deposit.is_published:
            shutil.copyfile(folder / "huggingface" / "README.md", folder / "README.md")
            files = {name: folder / name for name in BESIDE}
            files[download_name(release, ALL)] = make_download(release, ALL)
            archive.describe(deposit, deposit_metadata(release_head(release), marker=str(entry.marker)))
            archive.fill(deposit, files, report=report)
            report(len(files), len(files) + 1, _("Publishing the deposit"))
            deposit = archive.publish(deposit)
        if deposit.doi != entry.doi:
            raise HubFailed(
                _("%(server)s published another DOI, %(doi)s, than it reserved.", server=entry.server, doi=deposit.doi)
            )
        report(1, 1, "")
        return deposit.url


def _push(entry: HubEntry, report: Report) -> str:
    """Push the data set of a release, with the whole exported release beside it, and return its address."""
    release = entry.release
    with client_of(Hub.HUGGING_FACE) as client, _exported(release, ("huggingface",)) as folder:
        top = folder / "huggingface"
        export_release(release, top / WHOLE, formats=("csv",))
        data_set = DataSet(client, entry.reference)
        data_set.prepare(is_gated=release.access == Access.REQUEST)
        return data_set.push(top, version=release.version, summary=f"Publish {release.key}", report=report)


@contextmanager
def _exported(release: Release, formats: tuple[str, ...]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="hub.") as work:
        folder = Path(work) / "release"
        export_release(release, folder, formats=formats)
        yield folder


def discard_deposit(number: str, *, server: str) -> bool:
    """Delete a deposit that was never published. False if it lies at another server than the settings name now."""
    if server != server_of(Hub.ZENODO):
        return False
    with client_of(Hub.ZENODO) as client:
        Archive(client).discard(number)
    return True
