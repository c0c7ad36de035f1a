"""Files below the folder for uploads, named by their content: the same file is stored once and never changes."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path, PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile

from core.errors import BadInput, Missing
from core.text import _

MOST_BYTES = 512 * 2**20
ENDING = re.compile(r"(\.[a-z0-9_-]{1,16})?")  # files are kept under their checksum and this


def root() -> Path:
    return Path(settings.MEDIA_ROOT)


def path_of(stored: str) -> Path:
    """Return where a stored file is. Refuses names that point elsewhere and files that are gone."""
    path = (root() / stored).resolve()
    if not path.is_relative_to(root().resolve()):
        raise BadInput(_("'%(file)s' is not below the folder for uploads.", file=stored))
    if not path.exists():
        raise Missing(
            _("The stored file '%(file)s' is gone. Restore the folder for uploads from its backup.", file=stored)
        )
    return path


def keep_file(source: Path | UploadedFile[Any], kind: str) -> tuple[str, str]:
    """Store a file under its checksum; returns its name below the uploads and the checksum. Refuses huge files."""
    folder = root() / kind
    folder.mkdir(parents=True, exist_ok=True)
    name = source.name if isinstance(source, Path) else PurePosixPath(source.name or "").name
    ending = PurePosixPath(name or "").suffix.lower()
    if not ENDING.fullmatch(ending):
        raise BadInput(
            _(
                "'%(file)s' has the ending '%(ending)s', which is not one of a file we read. Rename it.",
                file=name[:80],
                ending=ending[:20],
            )
        )
    passing = folder / f".{secrets.token_hex(8)}.part"
    digest, size = hashlib.sha256(), 0
    try:
        with passing.open("wb") as out:
            for chunk in _chunks(source):
                size += len(chunk)
                if size > MOST_BYTES:
                    raise BadInput(
                        _(
                            "'%(file)s' is larger than %(most)s MB. Upload less at once.",
                            file=name,
                            most=MOST_BYTES // 2**20,
                        )
                    )
                digest.update(chunk)
                out.write(chunk)
        sha256 = digest.hexdigest()
        os.replace(passing, folder / f"{sha256}{ending}")
    finally:
        passing.unlink(missing_ok=True)
    return f"{kind}/{sha256}{ending}", sha256


def fresh_folder(kind: str, key: str) -> Path:
    """Return an empty folder for the results of one thing; what a broken attempt left is removed."""
    folder = root() / kind / key
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return folder


def _chunks(source: Path | UploadedFile[Any]) -> Iterable[bytes]:
    if isinstance(source, Path):
        with source.open("rb") as file:
            while chunk := file.read(2**20):
                yield chunk
    else:
        yield from source.chunks()
