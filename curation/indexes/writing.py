"""Writes the index of a folder of exported releases, which any web server or dataset repository can then serve."""

import json
import tempfile
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from core.text import _
from curation.indexes.reading import read_index
from curation.indexes.stores import now
from curation.indexes.values import FILE_NAME, Index, IndexEntry, IndexRefused, in_order
from curation.publishing.archives import pack, unpack
from curation.publishing.errors import PublishingError
from curation.publishing.manifest import FILE_NAME as MANIFEST
from curation.publishing.manifest import SIGNATURE_NAME
from curation.publishing.signature import key_line, public_key_of
from curation.publishing.verify import verify_folder


@dataclass(frozen=True, slots=True)
class WrittenIndex:
    file: Path
    index: Index
    packed: tuple[str, ...]


def write_index(folder: Path, *, name: str = "", secret: bytes | None = None, release_key: str = "") -> WrittenIndex:
    """List every release in a folder: exported folders, which are packed beside it, and zip archives of them.

    `secret` signs the index; `release_key` is the public key of signed releases, if it is another one. Refuses a folder
    without a release and any release that is not intact.
    """
    if not folder.is_dir():
        raise IndexRefused(_("There is no folder '%(folder)s'.", folder=str(folder)))
    key = key_line(release_key) or (key_line(public_key_of(secret)) if secret else "")
    entries, packed = [], []
    for path in sorted(folder.iterdir()):
        if path.is_dir() and (path / MANIFEST).is_file():
            archive = folder / f"{path.name}.zip"
            entries.append(_entry(path, archive.name, key))
            pack(path, archive, top=path.name)
            packed.append(archive.name)
        elif path.suffix.lower() == ".zip" and not (folder / path.stem / MANIFEST).is_file():
            with tempfile.TemporaryDirectory() as work:
                if found := unpack(path, Path(work)):
                    entries.append(_entry(found, path.name, key))
    if not entries:
        raise IndexRefused(
            _(
                "'%(folder)s' holds no exported release. Export one into it: touchstone export_release SUITE@VERSION "
                "--out %(folder)s/SUITE-VERSION",
                folder=str(folder),
            )
        )
    index = Index(name or folder.resolve().name, now(), in_order(entries))
    file = folder / FILE_NAME
    index = _as_before(index, file)
    file.write_bytes(index.to_bytes(secret=secret))
    return WrittenIndex(file, index, tuple(packed))


def _as_before(index: Index, file: Path) -> Index:
    """Keep the moment of an index that says nothing new, so that the file stays the same."""
    try:
        before = read_index(file.read_bytes(), address=str(file))
    except (OSError, PublishingError):
        return index
    same = replace(index, updated=before.updated, public_key=before.public_key)
    return replace(index, updated=before.updated) if same == before else index


def _entry(folder: Path, download: str, key: str) -> IndexEntry:
    is_signed = (folder / SIGNATURE_NAME).is_file()
    found = verify_folder(folder, public_key=key if is_signed else "")
    if found.first is not None:
        raise IndexRefused(_("%(release)s is not intact. %(why)s.", release=download, why=found.first.sentence))
    manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    statistics = json.loads((folder / "statistics.json").read_text(encoding="utf-8"))
    head = manifest["release"]
    return IndexEntry(
        suite=head["suite"],
        version=head["version"],
        title=head["title"],
        languages=tuple(sorted(statistics.get("by_language", {}))),
        licence=head["licence"],
        cases=manifest["cases"],
        published=head["created"],
        sha256=manifest["sha256"],
        download=quote(download),
        signature_key=key if is_signed and key else "",
    )
