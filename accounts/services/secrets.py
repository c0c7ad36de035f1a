"""Secrets that are shown once and stored as a hash."""

import hashlib
import secrets


def new_secret(prefix: str) -> str:
    """A fresh secret with 256 bits; the prefix tells people and leak scanners what it is."""
    return f"{prefix}_{secrets.token_urlsafe(32)}"


def digest(secret: str) -> str:
    """What is stored. A plain hash suffices: the secret is random, not a password."""
    return hashlib.sha256(secret.encode()).hexdigest()
