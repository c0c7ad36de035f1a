"""Find suites, releases and other rows by the keys that requests, commands and scripts use."""

from typing import Any

from django.db.models import QuerySet

from core.errors import Missing
from core.text import _
from curation.models import Release, Suite


def named(known: QuerySet[Any], what: str, **lookup: str) -> Any:
    """Return the one row of that name. Refuses with the name rather than with a bare 404."""
    found = known.filter(**lookup).first()
    if found is None:
        raise Missing(_missing(what, next(iter(lookup.values()))))
    return found


def _missing(what: str, name: str) -> str:
    if what == "suite":
        return _("There is no suite '%(name)s'.", name=name)
    if what == "language":
        return _("There is no language '%(name)s'.", name=name)
    if what == "functionality":
        return _("There is no functionality '%(name)s'.", name=name)
    return _("There is no %(what)s '%(name)s'.", what=what, name=name)


def find_suite(key: str) -> Suite:
    """Return the suite of that key. Refuses an unknown one and names those there are."""
    suite = Suite.objects.filter(key=key).first()
    if suite is None:
        known = list(Suite.objects.order_by("key").values_list("key", flat=True)[:20])
        raise Missing(
            _("There is no suite '%(suite)s'. Known: %(known)s.", suite=key, known=known)
            if known
            else _("There is no suite '%(suite)s'. There are no suites yet.", suite=key)
        )
    return suite


def find_release(key: str) -> Release:
    """Return the release `suite@version`. Refuses an unknown one and names those of the suite."""
    release = Release.objects.by_key(key).select_related("suite").first()
    if release is None:
        suite = find_suite(key.partition("@")[0])
        known = [f"{suite.key}@{version}" for version in suite.releases.values_list("version", flat=True)]
        raise Missing(
            _("There is no release '%(release)s'. Known: %(known)s.", release=key, known=known)
            if known
            else _("There is no release '%(release)s'. The suite has no releases yet.", release=key)
        )
    return release
