"""What makes a case the same case, whatever its number."""

import hashlib
import unicodedata

SEPARATOR = "\x1f"


def text_hash(text: str) -> str:
    """Return 128 bits of the text as it is; equal texts share predictions."""
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def identity_hash(*, language: str, functionality: str, template: str, target: str, text: str) -> str:
    """Return 128 bits of what a case is: two cases of one suite with equal identity are one.

    The text counts in Unicode's composed form and without outer blanks, which published files add and drop at will.
    Equal texts in different functionalities are different cases (99 times in the published sets).
    """
    parts = (language, functionality, template, target, unicodedata.normalize("NFC", text).strip())
    return hashlib.sha256(SEPARATOR.join(parts).encode()).hexdigest()[:32]
