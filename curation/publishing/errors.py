"""What can go wrong while publishing, in words a maintainer can act on."""


class PublishingError(ValueError):
    """Something cannot be published, read or trusted as it stands; the message says what and what to do."""

    @property
    def sentence(self) -> str:
        """The message as a text, so that it can stand in another one."""
        return self.args[0] if self.args else ""
