"""What can go wrong while publishing, in words a maintainer can act on."""


class PublishingError(ValueError):
    """Something cannot be published, read or trusted as it stands; the message says what and what to do."""
