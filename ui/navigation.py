"""The navigation by role. An entry whose address does not exist is left out, so apps can come later."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import SimpleLazyObject

from ui.roles import ADMINISTRATOR, ANNOTATOR, EVERYBODY, EXPERT, MAINTAINER, roles_of

THEMES = ("light", "dark")


@dataclass(frozen=True)
class Entry:
    """One line of the navigation: what it says, where it leads, who sees it."""

    title: str
    url_name: str
    roles: frozenset[str]


@dataclass(frozen=True)
class Link:
    title: str
    url: str
    is_current: bool


@dataclass(frozen=True)
class Section:
    title: str
    links: tuple[Link, ...]


AUTHORS = frozenset({EXPERT, MAINTAINER})
MAINTAINERS = frozenset({MAINTAINER})

SECTIONS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        "Curate",
        (
            Entry("Suites", "curation:suites", AUTHORS),
            Entry("Catalogue", "curation:catalogue", AUTHORS),
            Entry("Lexicon", "curation:lexicon", AUTHORS),
            Entry("Templates", "curation:templates", AUTHORS),
            Entry("Cases", "curation:cases", AUTHORS),
            Entry("Generate", "generation:runs", AUTHORS),
        ),
    ),
    (
        "Annotate",
        (
            Entry("Annotate", "annotation:my-work", frozenset({ANNOTATOR})),
            Entry("Campaigns", "annotation:campaigns", AUTHORS),
        ),
    ),
    (
        "Evaluate",
        (
            Entry("Releases", "curation:releases", frozenset({EVERYBODY})),
            Entry("Models", "evaluation:models", MAINTAINERS),
            Entry("Results", "evaluation:results", frozenset({EVERYBODY})),
            Entry("Attacks", "evaluation:attacks", MAINTAINERS),
            Entry("Splits", "evaluation:splits", MAINTAINERS),
        ),
    ),
    (
        "Manage",
        (
            Entry("Jobs", "core:jobs", AUTHORS),
            Entry("People", "accounts:people", frozenset({MAINTAINER, ADMINISTRATOR})),
            Entry("Webhooks", "core:webhooks", frozenset({ADMINISTRATOR})),
            Entry("Audit", "accounts:audit", frozenset({MAINTAINER, ADMINISTRATOR})),
            Entry("Stored data", "admin:index", frozenset({ADMINISTRATOR})),
        ),
    ),
)

ACCOUNT_ENTRIES: tuple[tuple[str, str], ...] = (
    ("Settings", "accounts:settings"),
    ("E-mail address", "account_email"),
    ("Password", "account_change_password"),
    ("Two-factor sign-in", "mfa_index"),
    ("API tokens", "accounts:tokens"),
)


def address_of(url_name: str) -> str | None:
    """The address of a page without arguments, None where no app provides it."""
    try:
        return reverse(url_name)
    except NoReverseMatch:
        return None


def sections_for(
    roles: Collection[str], *, path: str = "", resolve: Callable[[str], str | None] = address_of
) -> tuple[Section, ...]:
    """The sections people with these roles see; a section without links is left out."""
    sections = []
    for title, entries in SECTIONS:
        found = [(entry.title, resolve(entry.url_name)) for entry in entries if entry.roles & frozenset(roles)]
        links = tuple(Link(name, url, is_within(path, url)) for name, url in found if url)
        if links:
            sections.append(Section(title, links))
    return tuple(sections)


def is_within(path: str, url: str) -> bool:
    """Whether a page belongs to an entry: the entry's own page or one below it."""
    return path == url or (url != "/" and path.startswith(url.rstrip("/") + "/"))


def account_links(*, path: str = "", resolve: Callable[[str], str | None] = address_of) -> tuple[Link, ...]:
    """The account menu of a signed-in person."""
    found = [(title, resolve(url_name)) for title, url_name in ACCOUNT_ENTRIES]
    return tuple(Link(title, url, is_within(path, url)) for title, url in found if url)


def navigation(request: HttpRequest) -> dict[str, Any]:
    """Context processor: lazily, because parts of pages (htmx) need neither addresses nor roles."""
    theme = request.COOKIES.get("theme", "")
    user = getattr(request, "user", None)
    return {
        "navigation": SimpleLazyObject(lambda: sections_for(roles_of(user), path=request.path)),
        "account_menu": SimpleLazyObject(lambda: account_links(path=request.path)),
        "theme": theme if theme in THEMES else "",
    }
