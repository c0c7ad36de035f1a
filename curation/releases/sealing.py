"""What a release consists of beside its cases, each part with a digest: annexes, and what it says about itself.

The checksum of a release covers its cases alone, because they are what two parties compare. The seal covers the rest,
so that a change of one letter anywhere is found and named. It is kept with the facts of the release.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from core.text import in_english
from curation.models import Release
from curation.publishing import annexes
from curation.publishing.canonical import json_text
from curation.releases.annexes import annexes_of

SEAL = "seal"
ABOUT_IDENTITY = "about_identity"
RECORD = (
    "version", "policy", "min_agree", "cascade", "without_labels", "access", "terms", "title", "notes", "prose",
    "sha256", "built_at", "published_at", "facts",
)  # fmt: skip


def annex_digests(release: Release) -> dict[str, str]:
    """SHA-256 of every annex as it is exported, by file name: cases left out, labels, lexicon, templates, ..."""
    with in_english():  # as it is exported, whoever asks
        found = annexes_of(release)
        return {annexes.file_name(annex): annexes.annex_sha256(annex) for annex in found}


def identity_digest(release: Release) -> str:
    """SHA-256 of the keys of the cases about an identity: that is no published column, so the checksum misses it."""
    digest = hashlib.sha256()
    cases = release.cases.filter(is_about_identity=True).order_by("position").values_list("key", flat=True)
    for key in cases.iterator(chunk_size=5_000):
        digest.update(f"{key}\n".encode())
    return digest.hexdigest()


def record_digests(values: Mapping[str, Any]) -> dict[str, str]:
    """A digest of each thing a release says about itself; of its facts without the seal."""
    return {name: _digest(values[name]) for name in RECORD}


def _digest(value: Any) -> str:
    if isinstance(value, datetime):
        value = value.isoformat()
    elif isinstance(value, dict):
        value = {name: part for name, part in value.items() if name != SEAL}
    return hashlib.sha256(json_text(value).encode()).hexdigest()


def moved_annex(release: Release) -> str:
    """The first annex that is not what was built, by file name; "" if none is. Old releases have no seal to compare."""
    sealed: Mapping[str, str] = release.facts.get(SEAL, {}).get("annexes", {})
    found = annex_digests(release) if sealed else {}
    return next((name for name in sorted({*sealed, *found}) if sealed.get(name) != found.get(name)), "")


def is_identity_moved(release: Release) -> bool:
    """Tell whether other cases than when it was built count as being about an identity. Old releases cannot tell."""
    sealed: str = release.facts.get(SEAL, {}).get(ABOUT_IDENTITY, "")
    return bool(sealed) and sealed != identity_digest(release)


def moved_record(release: Release) -> str:
    """Return the first thing a published release says about itself that it did not say when it was published; or ""."""
    sealed: Mapping[str, str] = release.facts.get(SEAL, {}).get("record", {})
    found = record_digests({name: getattr(release, name) for name in RECORD}) if sealed else {}
    return next((name for name, digest in sealed.items() if digest != found.get(name)), "")
