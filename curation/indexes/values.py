"""The index itself: what it says about each release, and the bytes that are published and signed."""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from core.text import _
from curation.publishing.errors import PublishingError
from curation.publishing.signature import key_line, public_key_of, sign_bytes

FORMAT = "touchstone-index/1"
FILE_NAME = "touchstone.json"
WELL_KNOWN = f".well-known/{FILE_NAME}"
SEALS = ("sha256", "signature")  # what vouches for the rest


class IndexRefused(PublishingError):
    """An index, or a release that it names, cannot be trusted or found; the message says what and what to do."""


@dataclass(frozen=True, slots=True)
class IndexEntry:
    """One public release. `download` is an address, relative to that of the index unless it is a whole one."""

    suite: str
    version: str
    title: str
    languages: tuple[str, ...]
    licence: str
    cases: int
    published: str
    sha256: str
    download: str
    signature_key: str = ""  # whose signature the manifest carries; "" where it carries none
    withdrawn: str = ""  # why it should no longer be used

    @property
    def reference(self) -> str:
        return f"{self.suite}@{self.version}"


@dataclass(frozen=True, slots=True)
class Index:
    """The public releases of one publisher. `updated` is when something about them changed last."""

    name: str
    updated: str
    releases: tuple[IndexEntry, ...]
    public_key: str = ""

    def find(self, reference: str) -> IndexEntry | None:
        return next((entry for entry in self.releases if entry.reference == reference), None)

    def to_bytes(self, *, secret: bytes | None) -> bytes:
        """Return the file as published: sorted, with its checksum, and signed where there is a key."""
        public = key_line(public_key_of(secret)) if secret else ""
        content: dict[str, Any] = {"format": FORMAT, **asdict(self), "public_key": public}
        sealed = sealed_bytes(content)
        content["sha256"] = hashlib.sha256(sealed).hexdigest()
        if secret:
            comment = f"index of {self.name}, {self.updated}".replace("\n", " ").replace("\r", " ")
            content["signature"] = sign_bytes(sealed, name=FILE_NAME, secret=secret, comment=comment)
        return (json.dumps(content, ensure_ascii=False, indent=2, sort_keys=True) + "\n").encode()


def sealed_bytes(content: dict[str, Any]) -> bytes:
    """Return what checksum and signature of an index are over: everything else in it, in canonical JSON."""
    sealed = {name: value for name, value in content.items() if name not in SEALS}
    return json.dumps(sealed, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode()


def in_order(entries: Iterable[IndexEntry]) -> tuple[IndexEntry, ...]:
    """Return entries as an index lists them. Refuses a release that occurs twice."""
    found = sorted(entries, key=lambda entry: (entry.suite, entry.published, entry.version))
    known: set[str] = set()
    for entry in found:
        if entry.reference in known:
            raise IndexRefused(
                _("%(release)s occurs twice. Remove one of the two folders or files.", release=entry.reference)
            )
        known.add(entry.reference)
    return tuple(found)
