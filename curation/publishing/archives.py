"""Exported folders as zip archives: packed to the same bytes whenever it is done, unpacked within limits."""

import zipfile
from pathlib import Path

from core.text import _
from curation.publishing.errors import PublishingError
from curation.publishing.manifest import FILE_NAME

SAME_TIME = (1980, 1, 1, 0, 0, 0)
UNPACKED_AT_MOST = 4_000_000_000  # bytes
MOST_FILES = 5_000


def pack(folder: Path, packed: Path, *, top: str) -> None:
    """Write a folder into an archive, below the name `top`."""
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for file in sorted(path for path in folder.rglob("*") if path.is_file()):
            entry = zipfile.ZipInfo(f"{top}/{file.relative_to(folder).as_posix()}", SAME_TIME)
            entry.external_attr = 0o644 << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            with file.open("rb") as source, archive.open(entry, "w", force_zip64=True) as target:
                while piece := source.read(1 << 20):
                    target.write(piece)


def unpack(archive: Path, folder: Path) -> Path | None:
    """Unpack an archive and return the folder in it that holds a release; None where none does.

    Refuses a damaged archive and one that holds too much.
    """
    try:
        with zipfile.ZipFile(archive) as packed:
            members = packed.infolist()
            if sum(member.file_size for member in members) > UNPACKED_AT_MOST or len(members) > MOST_FILES:
                raise PublishingError(
                    _(
                        "%(archive)s holds more than %(bytes)s bytes or %(files)s files. Unpack it yourself.",
                        archive=archive.name,
                        bytes=f"{UNPACKED_AT_MOST:,}",
                        files=f"{MOST_FILES:,}",
                    )
                )
            packed.extractall(folder)  # it takes care that nothing is written elsewhere
    except (zipfile.BadZipFile, EOFError, NotImplementedError, RuntimeError) as error:
        raise PublishingError(
            _("%(archive)s is a damaged zip archive. Take a fresh copy.", archive=archive.name)
        ) from error
    found = sorted(folder.rglob(FILE_NAME), key=lambda path: len(path.parts))
    return found[0].parent if found else None
