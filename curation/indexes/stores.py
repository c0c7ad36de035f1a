"""What is kept on disk: the newest index of each address, and releases by their checksum."""

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.text import _
from curation.indexes.reading import read_index
from curation.indexes.values import Index, IndexEntry, IndexRefused
from curation.publishing.archives import unpack
from curation.publishing.errors import PublishingError
from curation.publishing.manifest import SIGNATURE_NAME
from curation.publishing.verify import verify_folder


@dataclass(frozen=True, slots=True)
class KnownIndex:
    """An index as it was fetched last. `public_key` is what it was first signed with: another key is refused."""

    address: str
    place: str
    content: str
    public_key: str
    fetched_at: str

    def read(self) -> Index:
        """Return the index. Refuses one that was changed on disk."""
        return read_index(self.content.encode(), address=self.address, known_key=self.public_key)


class IndexStore:
    """Indexes that were fetched, a file for each address."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "indexes"

    def _file(self, address: str) -> Path:
        return self.folder / f"{hashlib.sha256(address.encode()).hexdigest()[:32]}.json"

    def find(self, address: str) -> KnownIndex | None:
        """Return what is known of an address. Refuses a file that cannot be read as what was kept."""
        file = self._file(address)
        if not file.is_file():
            return None
        try:
            return KnownIndex(**json.loads(file.read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError) as error:
            raise IndexRefused(
                _("%(file)s is damaged. Delete it; the index is fetched anew.", file=str(file))
            ) from error

    def keep(self, known: KnownIndex) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        file = self._file(known.address)
        with tempfile.NamedTemporaryFile("w", dir=self.folder, delete=False, encoding="utf-8") as part:
            json.dump(asdict(known), part)
        os.replace(part.name, file)

    def forget(self, address: str) -> bool:
        """Forget an address and its key; says whether it was known."""
        file = self._file(address)
        was_there = file.exists()
        file.unlink(missing_ok=True)
        return was_there

    def addresses(self) -> list[str]:
        """Return every known address."""
        found = []
        for file in sorted(self.folder.glob("*.json")) if self.folder.is_dir() else []:
            with contextlib.suppress(OSError, ValueError, KeyError, TypeError):
                found.append(str(json.loads(file.read_text(encoding="utf-8"))["address"]))
        return sorted(found)


class ReleaseStore:
    """Unpacked releases by checksum and name; what is in their folders was verified when it was stored.

    The checksum is over the cases: two versions that differ in their documents only share it.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder / "releases"

    def path(self, entry: IndexEntry) -> Path:
        return self.folder / entry.sha256 / entry.reference

    def has(self, entry: IndexEntry) -> bool:
        return self.path(entry).is_dir()

    def checked(self, entry: IndexEntry) -> Path:
        """Return the folder of a stored release after verifying it anew. Refuses one that was changed."""
        folder = self.path(entry)
        try:
            _verify(folder, entry)
        except PublishingError as error:
            raise IndexRefused(
                _(
                    "The stored copy of %(release)s in %(folder)s is not what was fetched: %(why)s. Delete the folder; "
                    "the release is fetched anew.",
                    release=entry.reference,
                    folder=str(folder),
                    why=error.sentence,
                )
            ) from error
        return folder

    @contextlib.contextmanager
    def workspace(self) -> Iterator[Path]:
        """Give a folder on the same disk, for a download; gone afterwards."""
        self.folder.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=".get.", dir=self.folder))
        try:
            yield work
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def add(self, fetched: Path, entry: IndexEntry, *, work: Path) -> Path:
        """Store an archive or folder of the release that an entry names. Refuses any other content."""
        try:
            found = fetched if fetched.is_dir() else unpack(fetched, work / "content")
            if found is None:
                raise PublishingError(_("it holds no release"))
            _verify(found, entry)
        except PublishingError as error:
            raise IndexRefused(
                _(
                    "What was fetched is not %(release)s as the index names it: %(why)s. Nothing was kept.",
                    release=entry.reference,
                    why=error.sentence,
                )
            ) from error
        folder = self.path(entry)
        folder.parent.mkdir(exist_ok=True)
        if fetched.is_dir():
            found = Path(shutil.copytree(found, work / "copy"))
        try:
            found.rename(folder)
        except OSError:
            if not folder.is_dir():  # otherwise another process was as fast
                raise
        return folder


def _verify(folder: Path, entry: IndexEntry) -> None:
    """Check seal, checksum, name and signature of a release. Raises PublishingError with the first difference."""
    found = verify_folder(folder, expected_sha256=entry.sha256, public_key=entry.signature_key)
    if found.first is not None:
        raise PublishingError(found.first.sentence)
    if found.reference != entry.reference:
        raise PublishingError(_("it is %(found)s", found=found.reference))
    if entry.signature_key and not (folder / SIGNATURE_NAME).is_file():
        raise PublishingError(_("the signature is missing"))


def now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
