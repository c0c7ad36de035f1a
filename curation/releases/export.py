"""Writing a release into a folder, signed when the setting names a key."""

from collections.abc import Sequence
from pathlib import Path

from django.conf import settings

from core.errors import BadInput
from core.text import _, in_english
from curation.models import Release
from curation.publishing.errors import PublishingError
from curation.publishing.export import export_blocks
from curation.publishing.manifest import Manifest
from curation.publishing.signature import public_key_of, sign_folder
from curation.releases.annexes import annexes_of
from curation.releases.documents import imported_documents
from curation.releases.errors import NotInThisState
from curation.releases.frozen import frozen_blocks, release_head
from curation.releases.records import records_of


def export_release(release: Release, out: Path, *, formats: Sequence[str]) -> Manifest:
    """Write a built release with its documents, in English and signed if there is a key.

    Refuses one that is not built, and a folder that is not empty.
    """
    if not release.is_built:
        sentence = _("%(release)s is not built yet. Build it before you export it.", release=release.key)
        raise NotInThisState(sentence, release, wanted="exported")
    head = release_head(release)
    try:
        with in_english():  # also what other apps add
            manifest = export_blocks(
                head,
                frozen_blocks(release),
                out,
                formats=formats,
                annexes=annexes_of(release),
                records=records_of(release),
                documents=imported_documents(release),
                generator=f"Touchstone {settings.VERSION}",
            )
    except PublishingError as error:
        raise BadInput(error.sentence) from error
    sign_export(out, comment=f"{release.key} sha256:{manifest.sha256}")
    return manifest


def signing_key() -> bytes | None:
    """Return the secret key, or None where nothing is signed. Refuses a file that cannot be read."""
    if not settings.SIGNING_KEY_FILE:
        return None
    try:
        return Path(settings.SIGNING_KEY_FILE).read_bytes()
    except OSError as error:
        raise BadInput(
            _("The signing key cannot be read (%(error)s). Correct SIGNING_KEY_FILE or unset it.", error=str(error))
        ) from error


def sign_export(folder: Path, *, comment: str) -> bool:
    """Put a signature beside the manifest of an exported folder; says whether there is a key to do so."""
    key = signing_key()
    if key is None:
        return False
    try:
        sign_folder(folder, secret=key, comment=comment)
    except PublishingError as error:
        raise BadInput(
            _("The release cannot be signed: %(why)s. Correct SIGNING_KEY_FILE or unset it.", why=error.sentence)
        ) from error
    return True


def public_key() -> str:
    """Return the public key people verify with, "" where nothing is signed."""
    key = signing_key()
    return "" if key is None else public_key_of(key)
