"""What can go wrong while publishing, in words a maintainer can act on."""

from __future__ import annotations


class PublishingError(ValueError):
    """Something cannot be published, read or trusted as it stands; the message says what and what to do."""
