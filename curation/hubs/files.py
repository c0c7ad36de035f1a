"""The files of a folder as a hub tells them apart: git's name of their content, and SHA-256 for large files."""

import hashlib
from dataclasses import dataclass
from pathlib import Path

AT_ONCE = 1 << 20


@dataclass(frozen=True, slots=True)
class LocalFile:
    """One file; `name` is its path in the data set, with slashes."""

    name: str
    path: Path
    size: int
    sha256: str
    blob: str  # what git calls this content

    @property
    def sample(self) -> bytes:
        """The first bytes, from which a hub tells texts and binary files apart."""
        with self.path.open("rb") as file:
            return file.read(512)


def local_files(folder: Path) -> list[LocalFile]:
    """Return all files below a folder, in order of their names."""
    return [_described(path, folder) for path in sorted(folder.rglob("*")) if path.is_file()]


def _described(path: Path, folder: Path) -> LocalFile:
    size = path.stat().st_size
    sha256, blob = hashlib.sha256(), hashlib.sha1(b"blob %d\0" % size, usedforsecurity=False)
    with path.open("rb") as file:
        while piece := file.read(AT_ONCE):
            sha256.update(piece)
            blob.update(piece)
    return LocalFile(path.relative_to(folder).as_posix(), path, size, sha256.hexdigest(), blob.hexdigest())


def md5_of(path: Path) -> str:
    """Return the checksum by which an archive names what it received."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, lambda: hashlib.md5(usedforsecurity=False)).hexdigest()
