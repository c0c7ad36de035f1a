"""What the search finds in curation: suites, releases, templates and cases."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from django.db.models import Exists, OuterRef, Q
from django.urls import reverse

from core.permissions import can_see_workshop
from core.search.finding import MOST, Hit, register_search
from core.text import _, catalogue_name
from curation.models import Release, Suite, Template, TemplateVariant, TestCase

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    from accounts.models import User

SHOWN = 120


def find_suites(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find suites by name or key."""
    fits = Q(name__icontains=words) | Q(key__icontains=words)
    for suite in Suite.objects.visible_to(user).filter(fits).order_by("name")[:MOST]:
        yield Hit(suite.name, suite.get_absolute_url(), suite.key)


def find_releases(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find releases by suite, version or title; `suite@version` finds one."""
    suite, _at, version = words.partition("@")
    fits = Q(title__icontains=words) | Q(version__startswith=words)
    fits |= Q(suite__key__icontains=suite.strip(), version__startswith=version.strip()) | Q(
        suite__name__icontains=words
    )
    found = Release.objects.visible_to(user).filter(fits).select_related("suite")
    for release in found.order_by("-id")[:MOST]:
        yield Hit(release.key, release.get_absolute_url(), release.get_state_display())


def _place(found: Template | TestCase) -> str:
    """Return where a template or case belongs, in the reader's language."""
    parts = (catalogue_name(found.functionality.title), catalogue_name(found.language.name), found.suite.name)
    return " · ".join(str(part) for part in parts)


def find_templates(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find templates by key or wording, for people of the workshop."""
    if not can_see_workshop(user):
        return
    worded = TemplateVariant.objects.filter(version__template=OuterRef("pk"), text__icontains=words)
    found = Template.objects.filter(Q(key__iexact=words) | Exists(worded)).in_order()
    for template in found.select_related("suite", "language", "functionality")[:MOST]:
        detail = _place(template)
        yield Hit(template.key, template.get_absolute_url(), detail)


def find_cases(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find cases by key or text."""
    found = TestCase.objects.visible_to(user).in_use().filter(Q(key__iexact=words) | Q(text__icontains=words))
    for case in found.select_related("suite", "language", "functionality")[:MOST]:
        yield Hit(
            case.key,
            reverse("curation:case", args=[case.suite.key, case.key]),
            _place(case),
            text=case.text[:SHOWN],
            language=case.language.code,
        )


def register() -> None:
    """Add the kinds of curation to the search."""
    register_search(_("Suites"), find_suites, order=10)
    register_search(_("Releases"), find_releases, order=20)
    register_search(_("Templates"), find_templates, order=50)
    register_search(_("Cases"), find_cases, order=60)
