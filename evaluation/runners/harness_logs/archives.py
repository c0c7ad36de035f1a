"""Members of a zip archive, also those packed with Zstandard, which inspect_ai writes and `zipfile` cannot read."""

import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path

ZSTANDARD = 93
LOCAL_HEADER = struct.Struct("<4s5H3L2H")
UNPACKED_AT_MOST = 4_000_000_000  # bytes of all members
MEMBER_AT_MOST = 200_000_000


class Damaged(Exception):
    """The archive cannot be read."""


def names_in(path: Path) -> list[str]:
    """Return the names of the members; none where the file is no zip archive."""
    if not zipfile.is_zipfile(path):
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.namelist()
    except zipfile.BadZipFile:
        return []


def read_members(path: Path, *, begins: str) -> Iterator[bytes]:
    """Yield the content of each member whose name begins so. Raises `Damaged`, also where it is far too much."""
    try:
        with zipfile.ZipFile(path) as archive, path.open("rb") as raw:
            chosen = [entry for entry in archive.infolist() if entry.filename.startswith(begins)]
            sizes = [entry.file_size for entry in chosen]
            if sum(sizes) > UNPACKED_AT_MOST or max(sizes, default=0) > MEMBER_AT_MOST:
                raise Damaged
            for entry in chosen:
                if entry.compress_type != ZSTANDARD:
                    yield archive.read(entry)
                    continue
                raw.seek(entry.header_offset)
                *_, name, extra = LOCAL_HEADER.unpack(raw.read(LOCAL_HEADER.size))
                raw.seek(name + extra, 1)
                yield _unpacked(raw.read(entry.compress_size), entry)
    except (zipfile.BadZipFile, struct.error, OSError, RuntimeError, NotImplementedError, zlib.error) as error:
        raise Damaged from error


def _unpacked(packed: bytes, entry: zipfile.ZipInfo) -> bytes:
    import pyarrow

    with pyarrow.CompressedInputStream(pyarrow.BufferReader(packed), "zstd") as stream:
        content: bytes = stream.read(entry.file_size + 1)
    if len(content) != entry.file_size or zlib.crc32(content) != entry.CRC:
        raise Damaged
    return content
