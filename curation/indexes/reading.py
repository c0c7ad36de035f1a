"""Reads an index and refuses one that was changed, replaced or signed by another key."""

import hashlib
import json
import re
from typing import Any

from core.text import _
from curation.indexes.values import FILE_NAME, FORMAT, Index, IndexEntry, IndexRefused, sealed_bytes
from curation.publishing.signature import SignatureRejected, key_line, verify_bytes

REFERENCE = re.compile(r"[\w.-]+@[\w.+-]+")
CHECKSUM = re.compile(r"[0-9a-f]{64}")
MOST_RELEASES = 20_000


def read_index(content: bytes, *, address: str, known_key: str = "", newest: str = "") -> Index:
    """Return the index, if its checksum and signature are right and it is not older than `newest`.

    `known_key` is the key that this publisher signed with before, or that the caller trusts. Raises IndexRefused.
    """
    try:
        found = json.loads(content)
        if found["format"] != FORMAT:
            raise IndexRefused(
                _(
                    "The index at %(address)s has the format '%(found)s'; this version reads '%(known)s'.",
                    address=address,
                    found=str(found["format"])[:60],
                    known=FORMAT,
                )
            )
        index = _parsed(found)
        _check_checksum(found, address)
        _check_signature(found, index, address, known_key)
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, IndexRefused):
            raise
        raise IndexRefused(
            _(
                "What is at %(address)s is not an index of releases, or it is damaged (%(error)s). Check the address.",
                address=address,
                error=f"{type(error).__name__}: {error}"[:200],
            )
        ) from error
    if newest and index.updated < newest:
        raise IndexRefused(
            _(
                "The index at %(address)s is stale: it is from %(found)s, and one from %(newest)s was read before. "
                "You may be shown an old copy. Ask its publisher.",
                address=address,
                found=index.updated,
                newest=newest,
            )
        )
    return index


def require_unchanged(before: Index, after: Index, *, address: str) -> None:
    """Refuse an index that names another checksum for a release than it did: a published release never changes."""
    for entry in after.releases:
        known = before.find(entry.reference)
        if known is not None and known.sha256 != entry.sha256:
            raise IndexRefused(
                _(
                    "The index at %(address)s names the checksum %(found)s for %(release)s; it named "
                    "%(known)s before. A published release never changes. Ask its publisher.",
                    address=address,
                    found=entry.sha256,
                    release=entry.reference,
                    known=known.sha256,
                )
            )


def _parsed(found: dict[str, Any]) -> Index:
    rows = found["releases"]
    if len(rows) > MOST_RELEASES:
        raise ValueError(f"{len(rows)} releases")
    entries = []
    for row in rows:
        entry = IndexEntry(
            **{name: _shown(row[name]) for name in ("suite", "version", "title", "licence", "published", "sha256")},
            languages=tuple(map(_shown, row["languages"])),
            cases=int(row["cases"]),
            download=str(row["download"]),
            signature_key=key_line(str(row.get("signature_key", ""))),
            withdrawn=_shown(row.get("withdrawn", "")),
        )
        if not REFERENCE.fullmatch(entry.reference) or not CHECKSUM.fullmatch(entry.sha256) or not entry.download:
            raise ValueError(f"{entry.reference[:80]} has no usable name, checksum or address")
        entries.append(entry)
    name, updated = _shown(found["name"])[:200], _shown(found["updated"])[:40]
    return Index(name, updated, tuple(entries), key_line(str(found.get("public_key", ""))))


def _shown(value: Any) -> str:
    """Return a text on one line, without what a terminal would take as a command."""
    return "".join(letter for letter in " ".join(str(value).split()) if letter.isprintable())


def _check_checksum(found: dict[str, Any], address: str) -> None:
    given = hashlib.sha256(sealed_bytes(found)).hexdigest()
    if given != found["sha256"]:
        raise IndexRefused(
            _(
                "The index at %(address)s was changed: its content has the checksum %(given)s, and it names %(named)s. "
                "Ask its publisher.",
                address=address,
                given=given,
                named=str(found["sha256"])[:64],
            )
        )


def _check_signature(found: dict[str, Any], index: Index, address: str, known_key: str) -> None:
    wanted = key_line(known_key)
    if wanted and index.public_key != wanted:
        raise IndexRefused(
            _(
                "The index at %(address)s is signed with the key %(found)s, not with %(known)s, which was used before "
                "or which you named. Ask its publisher whether the key was changed.",
                address=address,
                found=index.public_key or _("none"),
                known=wanted,
            )
        )
    if not index.public_key:
        return
    try:
        signature = str(found.get("signature", ""))
        verify_bytes(sealed_bytes(found), name=FILE_NAME, signature=signature, public=index.public_key)
    except SignatureRejected as error:
        raise IndexRefused(
            _("The signature of the index at %(address)s is wrong: %(why)s.", address=address, why=error.sentence)
        ) from error
