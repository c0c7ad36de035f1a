"""Suites and releases by the keys that commands and scripts use."""

from core.errors import Missing
from curation.models import Release, Suite


def find_suite(key: str) -> Suite:
    """The suite of that key. Refuses an unknown one and names those there are."""
    suite = Suite.objects.filter(key=key).first()
    if suite is None:
        known = ", ".join(Suite.objects.order_by("key").values_list("key", flat=True)[:20]) or "none yet"
        raise Missing(f"There is no suite '{key}'. Known: {known}.")
    return suite


def find_release(key: str) -> Release:
    """The release `suite@version`. Refuses an unknown one and names those of the suite."""
    release = Release.objects.by_key(key).select_related("suite").first()
    if release is None:
        suite = find_suite(key.partition("@")[0])
        known = ", ".join(f"{suite.key}@{version}" for version in suite.releases.values_list("version", flat=True))
        raise Missing(f"There is no release '{key}'. Known: {known or 'none yet'}.")
    return release
