"""The table of contents of an exported folder: the release, its checksum, and every file with its own.

`SHA256SUMS` says the same for `sha256sum -c`, and vouches for the manifest itself.
"""

import hashlib
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from core.text import _
from curation.fields import COLUMNS, REQUIRED, Field
from curation.publishing.errors import PublishingError
from curation.publishing.records import ReleaseRecords
from curation.publishing.values import ReleaseHead

FILE_NAME = "manifest.json"
SIGNATURE_NAME = "manifest.json.minisig"
SUMS_NAME = "SHA256SUMS"
FORMAT = "touchstone-release/1"
ONLY_WHERE_SAID = frozenset({"without_labels", "gate"})


@dataclass(frozen=True, slots=True)
class FileEntry:
    """One file of the folder; `path` is relative and uses slashes."""

    path: str
    sha256: str
    bytes: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """What the folder holds. `release` is the head as plain values, `sha256` the checksum over all cases."""

    release: dict[str, Any]
    sha256: str
    cases: int
    files: tuple[FileEntry, ...]
    generator: str = ""
    # How the cases were checked; None, and not written, for releases that were built before it was counted.
    labelling: dict[str, int] | None = None
    # What was decided, how it differs from the decision about the suite, and what is left out; not written for older
    # releases.
    decision: dict[str, Any] | None = None
    excluded_by_reason: dict[str, int] | None = None
    agreement: tuple[dict[str, Any], ...] | None = None
    fields: tuple[str, ...] = COLUMNS
    published_despite: dict[str, Any] | None = None  # points that were open, and why it was published nevertheless

    @property
    def reference(self) -> str:
        return f"{self.release.get('suite', '?')}@{self.release.get('version', '?')}"

    def entry(self, path: str) -> FileEntry | None:
        return next((entry for entry in self.files if entry.path == path), None)

    def to_bytes(self) -> bytes:
        """Return the file as written: UTF-8, members sorted, ending in a line feed."""
        said = {name: value for name, value in asdict(self).items() if value is not None}
        content = {"format": FORMAT, **said}
        return (json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode("utf-8")


def file_entry(path: Path, folder: Path) -> FileEntry:
    """Checksum and size of a file of the folder, read in pieces."""
    with path.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return FileEntry(path.relative_to(folder).as_posix(), digest, path.stat().st_size)


def list_files(folder: Path) -> list[Path]:
    """Return every file below the folder but the manifest and what vouches for it, in order of their names."""
    own = {folder / FILE_NAME, folder / SIGNATURE_NAME, folder / SUMS_NAME}
    return sorted(path for path in folder.rglob("*") if path.is_file() and path not in own)


def build_manifest(
    head: ReleaseHead,
    fields: Sequence[Field] = REQUIRED,
    *,
    folder: Path,
    sha256: str,
    cases: int,
    records: ReleaseRecords,
    generator: str = "",
) -> Manifest:
    """Return the manifest of a folder that is otherwise finished."""
    counted = records.labelling is not None
    return Manifest(
        release={name: value for name, value in asdict(head).items() if name not in ONLY_WHERE_SAID or value},
        sha256=sha256,
        cases=cases,
        files=tuple(file_entry(path, folder) for path in list_files(folder)),
        generator=generator,
        labelling=asdict(records.labelling) if records.labelling is not None else None,
        decision=dict(records.decision) if records.decision else None,
        excluded_by_reason=dict(records.excluded_by_reason) if records.decision else None,
        agreement=tuple(asdict(row) for row in records.agreement) if counted else None,
        published_despite=dict(records.published_despite) if records.published_despite else None,
        fields=tuple(field.column for field in fields),
    )


def write_manifest(manifest: Manifest, folder: Path) -> None:
    """Write the manifest and the sums."""
    (folder / FILE_NAME).write_bytes(manifest.to_bytes())
    (folder / SUMS_NAME).write_bytes(sums(manifest, folder))


def sums(manifest: Manifest, folder: Path) -> bytes:
    """Return what `sha256sum` would say of the files the manifest names, and of the manifest as it lies there."""
    entries = sorted([*manifest.files, file_entry(folder / FILE_NAME, folder)], key=lambda entry: entry.path)
    return "".join(f"{entry.sha256}  {entry.path}\n" for entry in entries).encode()


def _stays_inside(name: str) -> bool:
    path = PurePosixPath(name)
    return not path.is_absolute() and ".." not in path.parts and "\\" not in name and "\0" not in name


def read_manifest(folder: Path) -> Manifest:
    """The manifest of an exported folder. Refuses a folder without one, a broken one, and one of another format."""
    path = folder / FILE_NAME
    try:
        content = json.loads(path.read_bytes())
        if content["format"] != FORMAT:
            raise PublishingError(
                _(
                    "%(file)s: the format is '%(found)s', this version reads '%(known)s'",
                    file=FILE_NAME,
                    found=str(content["format"]),
                    known=FORMAT,
                )
            )
        for row in content["files"]:
            if not _stays_inside(row["path"]):
                raise PublishingError(
                    _(
                        "%(file)s names '%(path)s', which is outside the folder: it was forged",
                        file=FILE_NAME,
                        path=row["path"],
                    )
                )
        return Manifest(
            release=dict(content["release"]),
            sha256=str(content["sha256"]),
            cases=int(content["cases"]),
            files=tuple(FileEntry(str(row["path"]), str(row["sha256"]), int(row["bytes"])) for row in content["files"]),
            generator=str(content.get("generator", "")),
            labelling=content.get("labelling"),
            decision=content.get("decision"),
            excluded_by_reason=content.get("excluded_by_reason"),
            agreement=tuple(content["agreement"]) if "agreement" in content else None,
            published_despite=content.get("published_despite"),
            fields=tuple(content.get("fields", COLUMNS)),
        )
    except FileNotFoundError:
        raise PublishingError(
            _(
                "'%(folder)s' has no %(file)s; give the folder that export_release wrote",
                folder=str(folder),
                file=FILE_NAME,
            )
        ) from None
    except PublishingError:
        raise
    except (KeyError, TypeError, ValueError) as error:
        raise PublishingError(
            _("%(file)s is damaged (%(error)s); download the release again", file=FILE_NAME, error=str(error))
        ) from error
