"""What all pages of a release share: finding it, and the tabs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.shortcuts import get_object_or_404
from django.urls import reverse

from core.permissions import can_maintain
from core.web import texts_are_covered
from curation.models import Release
from curation.releases.access import can_read_cases
from curation.releases.models import Access, ReleaseState
from curation.releases.rules import release_warnings


def find_release(request: HttpRequest, suite: str, version: str) -> Release:
    """The release, if the person may see that it exists; otherwise not found."""
    releases = Release.objects.visible_to(request.user).select_related("suite", "withdrawal")
    return get_object_or_404(releases, suite__key=suite, version=version)


@dataclass(frozen=True, slots=True)
class Tab:
    title: str
    url: str
    is_current: bool
    count: int | None = None


def frame(request: HttpRequest, release: Release, current: str) -> dict[str, Any]:
    """The context every page of a release needs."""
    names = {"release": "Overview", "release-cases": "Cases", "release-statement": "Data statement"}
    names |= {"release-datasheet": "Data sheet", "release-downloads": "Downloads", "release-changes": "Changes"}
    may_read = can_read_cases(request.user, release)
    is_built = release.is_built
    hidden = set() if may_read and is_built else {"release-cases", "release-downloads", "release-changes"}
    if not is_built:
        hidden |= {"release-statement", "release-datasheet"}
    if can_maintain(request.user) or release.access == Access.REQUEST:
        names["release-access"] = "Access"
    arguments = [release.suite.key, release.version]
    tabs = [
        Tab(
            title,
            reverse(f"curation:{name}", args=arguments),
            name == current,
            release.facts.get("included") if name == "release-cases" else None,
        )
        for name, title in names.items()
        if name not in hidden
    ]
    return {
        "release": release,
        "tabs": tabs,
        "current": current,
        "may_read": may_read,
        "covered": texts_are_covered(request),
        "may_maintain": can_maintain(request.user),
        "is_built": is_built,
        "is_published": release.state == ReleaseState.PUBLISHED,
        "warnings": release_warnings(release),
        "withdrawal": getattr(release, "withdrawal", None),
    }
