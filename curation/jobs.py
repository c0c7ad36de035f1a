"""Background jobs of curation."""

import time
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.models import Action
from accounts.services import audit
from core.jobs.running import RunningJob, light_work
from core.text import _
from curation.bundles.options import REFUSE
from curation.hubs.errors import HubAway
from curation.models import Release, Suite


@light_work("curation.count", title=_("Test the workers"))
def count(job: RunningJob, *, to: int, pause: float = 0.0) -> dict[str, Any]:
    """Count slowly, with one audit mark per step: operators use it to see that workers work and survive."""
    start = int(job.checkpoint.get("next", 1))
    for number in range(start, to + 1):
        time.sleep(pause)
        # The mark and the checkpoint are one transaction, so a step is done once or not at all.
        with transaction.atomic():
            audit.record(None, Action.JOB_REQUESTED, "count", job=job.key, number=number)
            job.report(number, to, _("%(done)s of %(total)s", done=number, total=to), checkpoint={"next": number + 1})
    return {"counted_to": to}


@light_work("curation.import_suite", title=_("Import a suite"))
def import_suite(job: RunningJob, *, path: str, dry_run: bool, **options: Any) -> dict[str, Any]:
    from curation.importing.files import import_suite_file

    job.report(0, 1, _("Reading the file"))
    report = import_suite_file(Path(path), dry_run=dry_run, by=job.requested_by, **{"on_conflict": REFUSE, **options})
    job.done, job.message = 1, _("Checked, nothing imported") if dry_run else _("Imported")
    return report.as_json()


@light_work("curation.import_release", title=_("Import a release"))
def bring_in(job: RunningJob, *, path: str = "", release: str = "", source: str = "", **options: str) -> dict[str, Any]:
    from curation.releases.importing import import_release
    from curation.releases.importing_by_name import import_named

    job.report(0, 1, _("Reading the file"))
    if release:
        imported = import_named(release, source=source, by=job.requested_by, **options)
    else:
        imported = import_release(Path(path), by=job.requested_by, **options)
    job.done, job.message = 1, _("Imported")
    return {"release": imported.key, "cases": imported.facts["included"], "sha256": imported.sha256}


@light_work("curation.refresh_followed", title=_("Read followed indexes"))
def refresh_followed(job: RunningJob, *, followed: int | None) -> dict[str, Any]:
    from curation.followed.services import refresh
    from curation.models import FollowedIndex

    rows = FollowedIndex.objects.filter(pk=followed) if followed else FollowedIndex.objects.all()
    found: dict[str, list[str]] = {"read": [], "failed": []}
    total = rows.count()
    for done, row in enumerate(rows):
        job.report(done, total, row.address)
        found["read" if refresh(row) else "failed"].append(row.address)
    job.report(total, total, "")
    return found


@light_work("curation.generate_cases", title=_("Generate cases"))
def generate(job: RunningJob, *, suite: str) -> dict[str, Any]:
    from curation.cases.generating import generate_cases

    return generate_cases(Suite.objects.get(key=suite), by=job.requested_by, progress=job.report).as_json()


@light_work("curation.build_release", title=_("Build a release"))
def build(job: RunningJob, *, release: int) -> dict[str, Any]:
    from curation.releases.building import build_release

    built = build_release(Release.objects.get(pk=release), by=job.requested_by, progress=job.report)
    return {"release": built.key, "sha256": built.sha256}


@light_work("curation.reserve_doi", title=_("Reserve a DOI"), retry_on=(HubAway,))
def reserve(job: RunningJob, *, release: int) -> dict[str, Any]:
    from curation.hubs.services import reserve_doi

    entry = reserve_doi(Release.objects.get(pk=release), by=job.requested_by, report=job.report)
    return {"release": entry.release.key, "doi": entry.doi}


@light_work("curation.publish_to_hub", title=_("Publish a release at a hub"), retry_on=(HubAway,))
def publish(job: RunningJob, *, release: int, hub: str, repository: str = "") -> dict[str, Any]:
    from curation.hubs.models import Hub
    from curation.hubs.services import publish_to_hub

    found = Release.objects.select_related("suite").get(pk=release)
    entry = publish_to_hub(found, Hub(hub), repository=repository, by=job.requested_by, report=job.report)
    return {"release": found.key, "hub": entry.hub, "url": entry.url, "doi": entry.doi}


@light_work("curation.discard_deposit", title=_("Discard a deposit"), retry_on=(HubAway,))
def discard(job: RunningJob, *, number: str, server: str) -> dict[str, Any]:
    from curation.hubs.services import discard_deposit

    return {"deposit": number, "discarded": discard_deposit(number, server=server)}


@light_work("curation.export_release", title=_("Export a release"))
def export(job: RunningJob, *, release: int, format: str) -> dict[str, Any]:
    from curation.releases.downloads import make_download

    found = Release.objects.select_related("suite").get(pk=release)
    job.report(0, 1, _("Writing %(format)s", format=format))
    path = make_download(found, format)
    job.report(1, 1, "")
    return {"release": found.key, "format": format, "bytes": path.stat().st_size}
