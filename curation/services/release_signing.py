"""The publisher's key: exported folders are signed when the setting names one."""

from __future__ import annotations

from pathlib import Path

from django.conf import settings

from curation.errors import BadInput
from curation.publishing.errors import PublishingError
from curation.publishing.signature import public_key_of, sign_folder


def signing_key() -> bytes | None:
    """The secret key, or None where nothing is signed. Refuses a file that cannot be read."""
    if not settings.SIGNING_KEY_FILE:
        return None
    try:
        return Path(settings.SIGNING_KEY_FILE).read_bytes()
    except OSError as error:
        raise BadInput(f"The signing key cannot be read ({error}). Correct SIGNING_KEY_FILE or unset it.") from error


def sign_export(folder: Path, *, comment: str) -> bool:
    """Put a signature beside the manifest of an exported folder; says whether there is a key to do so."""
    key = signing_key()
    if key is None:
        return False
    try:
        sign_folder(folder, secret=key, comment=comment)
    except PublishingError as error:
        raise BadInput(f"The release cannot be signed: {error}. Correct SIGNING_KEY_FILE or unset it.") from error
    return True


def public_key() -> str:
    """The public key people verify with, "" where nothing is signed."""
    key = signing_key()
    return "" if key is None else public_key_of(key)
