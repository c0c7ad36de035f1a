"""Detached Ed25519 signatures in the format of minisign, so that `minisign -V` can check them without this platform.

The signature covers the BLAKE2b-512 digest of the file (minisign's `ED`), a second one the first and the trusted
comment.
"""

import base64
import binascii
import hashlib
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from core.text import _
from curation.publishing.errors import PublishingError
from curation.publishing.manifest import FILE_NAME as MANIFEST_NAME
from curation.publishing.manifest import SIGNATURE_NAME

KEY_ALGORITHM = b"Ed"
HASHED_ALGORITHM = b"ED"


class SignatureRejected(PublishingError):
    """The signature does not prove the file; says why."""


@dataclass(frozen=True, slots=True)
class KeyPair:
    """`secret` is PEM (encrypted if a password was given); `public` is the text of a minisign public key file."""

    secret: bytes
    public: str


def _raw(public: Ed25519PublicKey) -> bytes:
    return public.public_bytes(serialization.Encoding.Raw, serialization.PublicFormat.Raw)


def _key_id(public: Ed25519PublicKey) -> bytes:
    return hashlib.blake2b(_raw(public), digest_size=8).digest()


def _public_text(public: Ed25519PublicKey) -> str:
    key_id = _key_id(public)
    body = base64.b64encode(KEY_ALGORITHM + key_id + _raw(public)).decode("ascii")
    return f"untrusted comment: minisign public key {key_id[::-1].hex().upper()}\n{body}\n"


def generate_key_pair(*, password: str | None = None) -> KeyPair:
    """A new pair of keys."""
    secret = Ed25519PrivateKey.generate()
    protection: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if password:
        protection = serialization.BestAvailableEncryption(password.encode("utf-8"))
    pem = secret.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, protection)
    return KeyPair(pem, _public_text(secret.public_key()))


def _open(secret: bytes, password: str | None) -> Ed25519PrivateKey:
    try:
        key = serialization.load_pem_private_key(secret, password.encode("utf-8") if password else None)
    except (ValueError, TypeError) as error:
        raise PublishingError(
            _("the secret key cannot be opened (%(error)s); check file and password", error=str(error))
        ) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise PublishingError(_("the secret key is not an Ed25519 key; generate one with generate_key_pair"))
    return key


def public_key_of(secret: bytes, *, password: str | None = None) -> str:
    """Return the text of the public key file that belongs to a secret key. Refuses what `sign_file` refuses."""
    return _public_text(_open(secret, password).public_key())


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, hashlib.blake2b).digest()


def derive_secret_key(seed: bytes, *, purpose: str) -> bytes:
    """Return the secret key that follows from a seed: the same on every machine that knows it."""
    secret = HKDF(hashes.SHA256(), 32, salt=None, info=purpose.encode("utf-8")).derive(seed)
    key = Ed25519PrivateKey.from_private_bytes(secret)
    return key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )


def sign_file(path: Path, *, secret: bytes, comment: str, password: str | None = None) -> str:
    """Return the text of the signature file.

    Refuses a key that is not Ed25519, a wrong password, a comment of several lines.
    """
    return _sign(_digest(path), path.name, secret=secret, comment=comment, password=password)


def sign_bytes(content: bytes, *, name: str, secret: bytes, comment: str) -> str:
    """Return the signature of a content as `sign_file` does of the file that holds it."""
    return _sign(hashlib.blake2b(content).digest(), name, secret=secret, comment=comment, password=None)


def _sign(digest: bytes, name: str, *, secret: bytes, comment: str, password: str | None) -> str:
    key = _open(secret, password)
    if "\n" in comment or "\r" in comment:
        raise PublishingError(_("the comment of a signature must be one line"))
    signature = key.sign(digest)
    whole = key.sign(signature + comment.encode("utf-8"))
    body = base64.b64encode(HASHED_ALGORITHM + _key_id(key.public_key()) + signature).decode("ascii")
    return (
        f"untrusted comment: signature of {name}\n{body}\n"
        f"trusted comment: {comment}\n{base64.b64encode(whole).decode('ascii')}\n"
    )


def sign_folder(folder: Path, *, secret: bytes, comment: str, password: str | None = None) -> Path:
    """Put the signature of an exported folder beside its manifest, where `verify_folder` looks for it.

    The manifest names every other file with its digest, so its signature covers them all.
    """
    path = folder / SIGNATURE_NAME
    path.write_text(
        sign_file(folder / MANIFEST_NAME, secret=secret, comment=comment, password=password), encoding="utf-8"
    )
    return path


def _decode(line: str, length: int, damaged: str) -> bytes:
    try:
        content = base64.b64decode(line, validate=True)
    except binascii.Error:
        content = b""
    if len(content) != length:
        raise SignatureRejected(damaged)
    return content


def verify_file(path: Path, *, signature: str, public: str) -> str:
    """Return the trusted comment, if the signature is by this key over this file; otherwise SignatureRejected."""
    return _verify(_digest(path), path.name, signature=signature, public=public)


def verify_bytes(content: bytes, *, name: str, signature: str, public: str) -> str:
    """Return the trusted comment as `verify_file` does, for a content that is no file."""
    return _verify(hashlib.blake2b(content).digest(), name, signature=signature, public=public)


def key_line(public: str) -> str:
    """Return the one line of a public key that tells it from others; "" where there is none."""
    lines = [line.strip() for line in public.splitlines() if line.strip()]
    return next((line for line in lines if not line.startswith("untrusted comment:")), "")


def _verify(digest: bytes, name: str, *, signature: str, public: str) -> str:
    key_lines = [line for line in public.splitlines() if line and not line.startswith("untrusted comment:")]
    lines = signature.splitlines()
    if len(key_lines) != 1 or len(lines) < 4 or not lines[2].startswith("trusted comment: "):
        raise SignatureRejected(_("this is not a minisign key and signature; download both again"))
    key = _decode(key_lines[0], 42, _("the public key is damaged; download it again"))
    body = _decode(lines[1], 74, _("the signature is damaged; download it again"))
    whole = _decode(lines[3], 64, _("the signature of the comment is damaged; download it again"))
    if body[:2] != HASHED_ALGORITHM or key[:2] != KEY_ALGORITHM:
        raise SignatureRejected(_("the signature uses another algorithm; only hashed Ed25519 is accepted"))
    if body[2:10] != key[2:10]:
        raise SignatureRejected(_("the file was signed with another key"))
    verifier = Ed25519PublicKey.from_public_bytes(key[10:])
    comment = lines[2].removeprefix("trusted comment: ")
    try:
        verifier.verify(body[10:], digest)
    except InvalidSignature:
        raise SignatureRejected(_("%(file)s was changed after it was signed", file=name)) from None
    try:
        verifier.verify(whole, body[10:] + comment.encode("utf-8"))
    except InvalidSignature:
        raise SignatureRejected(_("the comment was changed after it was signed")) from None
    return comment
