"""Uploaded files of suites: kept with the uploads, unpacked within limits, read by a job."""

from __future__ import annotations

import lzma
import secrets
import shutil
import zipfile
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from accounts.models import User
from core.errors import BadInput
from core.jobs.models import JobState
from core.jobs.services import request_job
from core.models import Job
from core.text import _
from curation.bundles.archive import is_bundle
from curation.importing.options import ImportOptions
from curation.importing.services import labels_for

IMPORT = "curation.import_suite"
MOST_FILES = 2_000
MOST_BYTES = 512 * 2**20
LONGEST_NAME = 255  # in bytes of UTF-8, for one part of a path: what common file systems keep
ENCRYPTED = 0x1  # a flag of a member
METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
# What damaged, encrypted and exotic archives raise, each from another depth of the library.
UNPACKING = (BadInput, zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError, RuntimeError, OSError)


def keep_upload(file: UploadedFile[Any]) -> Path:
    """Store an upload and return what to read: the file itself, or the folder a zip archive was unpacked into.

    Refuses names that no disk keeps and archives that cannot or must not be unpacked; nothing of them is left behind.
    """
    name = PurePosixPath(file.name or "upload").name
    if _is_too_long(name):
        raise BadInput(
            _(
                "The file name '%(start)s…' is too long. Shorten it to %(most)s bytes.",
                start=name[:40],
                most=LONGEST_NAME,
            )
        )
    folder = Path(settings.MEDIA_ROOT) / "imports" / secrets.token_hex(8)
    folder.mkdir(parents=True)
    try:
        path = folder / name
        with path.open("wb") as out:
            for chunk in file.chunks():
                out.write(chunk)
        if not zipfile.is_zipfile(path) or is_bundle(path) or path.suffix.lower() in {".xlsx", ".ods"}:
            return path
        return unpack(path, folder / "content")
    except BaseException as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, UNPACKING):
            raise BadInput(_("'%(name)s' cannot be unpacked: %(why)s", name=name, why=_reason(error))) from error
        raise


def request_import(options: ImportOptions, *, by: User) -> Job:
    """Queue the import of an upload; the job's result is the report. Refuses labels that the suite does not have."""
    labels_for(options.suite, options.labels)
    path = keep_upload(options.file)
    title = (
        _('Dry run: import "%(file)s" into "%(suite)s"', file=path.name, suite=options.suite)
        if options.dry_run
        else _title(path, options.suite)
    )
    return request_job(IMPORT, {**options.plain(), "path": str(path)}, title=title, by=by)


def import_what_was_tried(job: Job, *, by: User) -> Job:
    """Queue the import of what a dry run has read. Refuses other jobs, and a file that is no longer kept."""
    if job.kind != IMPORT or job.state != JobState.DONE or not job.payload.get("dry_run"):
        raise BadInput(_("'%(job)s' is not a finished dry run of an import. Upload the file again.", job=str(job)))
    path = Path(job.payload["path"])
    if not path.exists():
        raise BadInput(_("The file '%(file)s' is no longer stored. Upload it again.", file=path.name))
    title = _title(path, job.payload["suite"])
    return request_job(IMPORT, {**job.payload, "dry_run": False}, title=title, by=by)


def _title(path: Path, suite: str) -> str:
    return _('Import "%(file)s" into "%(suite)s"', file=path.name, suite=suite)


def unpack(archive: Path, into: Path) -> Path:
    with zipfile.ZipFile(archive) as content:
        members = [member for member in content.infolist() if not member.is_dir()]
        _refuse_dangerous(members)
        _refuse_unusable(members)
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
        raise BadInput(
            _(
                "it holds more than %(files)s files or %(megabytes)s MB. Upload less at once.",
                files=MOST_FILES,
                megabytes=MOST_BYTES // 2**20,
            )
        )
    for member in members:
        path = PurePosixPath(member.filename)
        if path.is_absolute() or ".." in path.parts or "\\" in member.filename:
            raise BadInput(
                _(
                    "the file '%(file)s' in it would be written outside its folder. Pack the files again.",
                    file=member.filename,
                )
            )


def _refuse_unusable(members: Sequence[zipfile.ZipInfo]) -> None:
    if not members:
        raise BadInput(_("it is empty. Pack the files into it again."))
    files = {PurePosixPath(member.filename) for member in members}
    for member in members:
        path = PurePosixPath(member.filename)
        for part in path.parts:
            if _is_too_long(part):
                raise BadInput(
                    _(
                        "the name '%(start)s…' in it is too long. Shorten it to %(most)s bytes.",
                        start=part[:40],
                        most=LONGEST_NAME,
                    )
                )
        if clash := next((parent for parent in path.parents if parent in files), None):
            raise BadInput(_("'%(name)s' is both a file and a folder in it. Rename one of them.", name=str(clash)))
        if member.flag_bits & ENCRYPTED:
            raise BadInput(_("'%(file)s' is encrypted. Pack it again without a password.", file=member.filename))
        if member.compress_type not in METHODS:
            raise BadInput(
                _(
                    "'%(file)s' is packed by a method that cannot be read. Pack it as a plain zip file.",
                    file=member.filename,
                )
            )


def _is_too_long(name: str) -> bool:
    return len(name.encode("utf-8", "surrogateescape")) > LONGEST_NAME


def _reason(error: BaseException) -> str:
    if isinstance(error, BadInput):
        return error.title
    return _("it is damaged, or packed in a way that cannot be read. Pack the files again as a plain zip file.")
