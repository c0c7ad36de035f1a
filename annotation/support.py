"""Where people can talk to somebody. Set by whoever runs the platform: `SUPPORT_LINKS="Germany: https://… ; France: https://…"`."""

from __future__ import annotations

from typing import NamedTuple

from django.conf import settings


class SupportLink(NamedTuple):
    name: str
    url: str


def support_links() -> list[SupportLink]:
    """Links by country or language; nothing is shown where nothing is set. Only web addresses become links."""
    links = []
    for part in settings.SUPPORT_LINKS.split(";"):
        name, _, url = part.partition(":")
        if url.strip().startswith(("https://", "http://")):
            links.append(SupportLink(name.strip(), url.strip()))
    return links
