"""Find suites, releases and other rows by the keys that requests, commands and scripts use."""

from typing import Any

from django.db.models import QuerySet

from core.errors import Missing
from curation.models import Release, Suite


def named(known: QuerySet[Any], what: str, **lookup: str) -> Any:
    """Return the one row of that name. Refuses with the name rather than with a bare 404."""
    found = known.filter(**lookup).first()
    if found is None:
        raise Missing(f"There is no {what} '{next(iter(lookup.values()))}'.")
    return found


def find_suite(key: str) -> Suite:
    """Return the suite of that key. Refuses an unknown one and names those there are."""
    suite = Suite.objects.filter(key=key).first()
    if suite is None:
        known = ", ".join(Suite.objects.order_by("key").values_list("key", flat=True)[:20]) or "none yet"
        raise Missing(f"There is no suite '{key}'. Known: {known}.")
    return suite


def find_release(key: str) -> Release:
    """Return the release `suite@version`. Refuses an unknown one and names those of the suite."""
    release = Release.objects.by_key(key).select_related("suite").first()
    if release is None:
        suite = find_suite(key.partition("@")[0])
        known = ", ".join(f"{suite.key}@{version}" for version in suite.releases.values_list("version", flat=True))
        raise Missing(f"There is no release '{key}'. Known: {known or 'none yet'}.")
    return release
