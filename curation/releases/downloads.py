"""Exports as files to download: made once per content, then reused.

The name of a file is made of what it depends on, so a finished file never has to be checked or replaced.
"""

import hashlib
import os
import tempfile
from dataclasses import asdict
from pathlib import Path

from django.conf import settings
from django.http import FileResponse, HttpRequest
from django.http.response import HttpResponseBase
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from accounts.models import User
from core.errors import BadInput
from core.jobs.services import request_job
from core.models import Job
from core.text import _
from curation.models import Release, ReleaseAnnex
from curation.publishing.archives import pack
from curation.publishing.canonical import json_text
from curation.publishing.export import ALL, FORMATS
from curation.releases.access import record_download
from curation.releases.errors import NotInThisState
from curation.releases.export import export_release, public_key
from curation.releases.frozen import release_head

EXPORT = "curation.export_release"
LAYOUT = 2  # raise it when exports of the same release get other files: kept ones are made again
MADE_AT_ONCE = 5_000  # cases; a larger release is written by a worker


def download_name(release: Release, file_format: str) -> str:
    return f"{release.suite.key}-{release.version}-{file_format}.zip"


def formats_of(file_format: str) -> tuple[str, ...]:
    """Return the formats a download holds. Refuses an unknown one."""
    if file_format == ALL:
        return FORMATS
    if file_format not in FORMATS:
        raise BadInput(
            _("There is no format '%(format)s'. Known: %(known)s.", format=file_format, known=[ALL, *FORMATS])
        )
    return (file_format,)


def export_path(release: Release, file_format: str) -> Path:
    """Where the file of this content is, or will be."""
    formats_of(file_format)
    content = {
        "release": release.sha256,
        "format": file_format,
        "head": asdict(release_head(release)),
        "prose": release.prose,
        "facts": release.facts,
        "annexes": ReleaseAnnex.objects.filter(release=release).count(),
        "built": release.built_at.isoformat() if release.built_at else "",
        "code": settings.VERSION,
        "layout": LAYOUT,
        "key": public_key(),
    }
    digest = hashlib.sha256(json_text(content).encode()).hexdigest()
    return Path(settings.VAR) / "exports" / digest[:2] / f"{digest}.zip"


def make_download(release: Release, file_format: str) -> Path:
    """Return the file, written now unless it is there. Refuses a release that is not built."""
    if not release.is_built:
        sentence = _("%(release)s is not built yet. Build it before you export it.", release=release.key)
        raise NotInThisState(sentence, release, wanted="exported")
    path = export_path(release, file_format)
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".export.", dir=path.parent) as work:
        top = f"{release.suite.key}-{release.version}"
        folder = Path(work) / top
        export_release(release, folder, formats=formats_of(file_format))
        packed = Path(work) / "packed.zip"
        pack(folder, packed, top=top)
        os.replace(packed, path)  # two that make the same file at once make the same bytes
    return path


def is_ready(release: Release, file_format: str) -> bool:
    return export_path(release, file_format).exists()


def is_quick(release: Release) -> bool:
    """Tell whether the files are written while a person waits."""
    return int(release.facts.get("included", 0)) <= MADE_AT_ONCE


def file_answer(request: HttpRequest, release: Release, file_format: str) -> HttpResponseBase:
    """Return the file as an attachment, written now unless it is there, and note who took it.

    Nothing is sent or noted where the request names the file by its ETag.
    """
    etag = quote_etag(export_path(release, file_format).stem)
    if unchanged := get_conditional_response(request, etag=etag):
        return unchanged
    path, name = make_download(release, file_format), download_name(release, file_format)
    record_download(release, file=name, by=request.user)
    headers = {"ETag": etag}
    return FileResponse(
        path.open("rb"), as_attachment=True, filename=name, content_type="application/zip", headers=headers
    )


def request_download(release: Release, file_format: str, *, by: User | None) -> Job:
    """Let a worker write the file. An unfinished job for the same file is returned instead."""
    formats_of(file_format)
    payload = {"release": release.pk, "format": file_format}
    waiting = (
        Job.objects.unfinished().filter(kind=EXPORT, payload__release=release.pk, payload__format=file_format).first()
    )
    return waiting or request_job(
        EXPORT,
        payload,
        title=_("Export %(release)s as %(format)s", release=release.key, format=file_format),
        by=by,
        result_url=f"{release.get_absolute_url()}downloads/",
    )


def unfinished_downloads(release: Release) -> dict[str, Job]:
    """Jobs that write files of a release, by format."""
    jobs = Job.objects.unfinished().filter(kind=EXPORT, payload__release=release.pk)
    return {job.payload["format"]: job for job in jobs}
