"""Files that somebody hands over on a page: kept below the uploads, unpacked with care, read in the background."""

from __future__ import annotations

import secrets
import shutil
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from accounts.models import User
from curation.errors import BadInput
from curation.models import Job
from curation.models.jobs import JobState
from curation.services.importing import labels_for
from curation.services.jobs import request_job

IMPORT = "curation.import_suite"
MOST_FILES = 2_000
MOST_BYTES = 512 * 2**20


def keep_upload(file: UploadedFile[Any]) -> Path:
    """Store an upload and return what to read: the file itself, or the folder a zip archive was unpacked into."""
    folder = Path(settings.MEDIA_ROOT) / "imports" / secrets.token_hex(8)
    folder.mkdir(parents=True)
    name = PurePosixPath(file.name or "upload").name
    path = folder / name
    with path.open("wb") as out:
        for chunk in file.chunks():
            out.write(chunk)
    if not zipfile.is_zipfile(path) or path.suffix.lower() in {".xlsx", ".ods"}:
        return path
    try:
        return _unpack(path, folder / "content")
    except (BadInput, zipfile.BadZipFile) as error:
        shutil.rmtree(folder, ignore_errors=True)
        raise BadInput(f"'{name}' cannot be unpacked: {error}") from error


def request_import(
    path: Path,
    *,
    suite: str,
    format_name: str,
    language: str,
    templates_only: bool,
    dry_run: bool,
    by: User,
    labels: Sequence[str] = (),
) -> Job:
    """Queue the import of an upload; the job's result is the report. Refuses labels that the suite does not have."""
    labels_for(suite, labels)
    payload = {
        "suite": suite, "format": format_name, "path": str(path), "language": language or None,
        "templates_only": templates_only, "dry_run": dry_run, "labels": list(labels),
    }  # fmt: skip
    title = f"{'Try' if dry_run else 'Import'} {path.name} as {suite}"
    return request_job(IMPORT, payload, title=title, by=by)


def import_what_was_tried(job: Job, *, by: User) -> Job:
    """Queue the import of what a dry run has read. Refuses other jobs, and a file that is not there any more."""
    if job.kind != IMPORT or job.state != JobState.DONE or not job.payload.get("dry_run"):
        raise BadInput(f"'{job}' is no finished trial of an import. Hand the file in again.")
    path = Path(job.payload["path"])
    if not path.exists():
        raise BadInput(f"'{path.name}' is not kept any more. Hand it in again.")
    title = f"Import {path.name} as {job.payload['suite']}"
    return request_job(IMPORT, {**job.payload, "dry_run": False}, title=title, by=by)


def _unpack(archive: Path, into: Path) -> Path:
    with zipfile.ZipFile(archive) as content:
        members = [member for member in content.infolist() if not member.is_dir()]
        _refuse_dangerous(members)
        for member in members:
            target = into / PurePosixPath(member.filename)
            target.parent.mkdir(parents=True, exist_ok=True)
            with content.open(member) as source, target.open("wb") as out:
                shutil.copyfileobj(source, out)
    archive.unlink()
    while (
        len(inside := [child for child in into.iterdir() if not child.name.startswith(("__MACOSX", "."))]) == 1
        and inside[0].is_dir()
    ):
        into = inside[0]  # archives often hold one folder that holds everything
    return into


def _refuse_dangerous(members: Iterable[zipfile.ZipInfo]) -> None:
    members = list(members)
    if len(members) > MOST_FILES or sum(member.file_size for member in members) > MOST_BYTES:
        raise BadInput(f"it holds more than {MOST_FILES} files or {MOST_BYTES // 2**20} MB. Hand in less at once.")
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename:
            raise BadInput(f"it wants to write outside its folder ('{member.filename}').")
