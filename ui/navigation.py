"""The navigation by role. An entry whose address does not exist is left out, so apps can come later."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.urls import NoReverseMatch, reverse
from django.utils.functional import SimpleLazyObject

from core.text import _
from ui.roles import ADMINISTRATOR, ANNOTATOR, EVALUATOR, EVERYBODY, EXPERT, MAINTAINER, roles_of

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
EVALUATORS = frozenset({EVALUATOR, MAINTAINER})

SECTIONS: tuple[tuple[str, tuple[Entry, ...]], ...] = (
    (
        _("Curate"),
        (
            Entry(_("Suites"), "curation:suites", AUTHORS),
            Entry(_("Catalogue"), "curation:catalogue", AUTHORS),
            Entry(_("Lexicon"), "curation:lexicon", AUTHORS),
            Entry(_("Templates"), "curation:templates", AUTHORS),
            Entry(_("Cases"), "curation:cases", AUTHORS),
            Entry(_("Generate"), "generation:runs", AUTHORS),
        ),
    ),
    (
        _("Annotate"),
        (
            Entry(_("Annotate"), "annotation:my-work", frozenset({ANNOTATOR})),
            Entry(_("Campaigns"), "annotation:campaigns", AUTHORS),
        ),
    ),
    (
        _("Evaluate"),
        (
            Entry(_("Releases"), "curation:releases", frozenset({EVERYBODY})),
            Entry(_("Models"), "evaluation:models", EVALUATORS),
            Entry(_("Results"), "evaluation:results", frozenset({EVERYBODY})),
            Entry(_("Attacks"), "evaluation:attacks", MAINTAINERS),
            Entry(_("Splits"), "evaluation:splits", MAINTAINERS),
        ),
    ),
    (
        _("Manage"),
        (
            Entry(_("Jobs"), "core:jobs", AUTHORS | EVALUATORS),
            Entry(_("People"), "accounts:people", frozenset({MAINTAINER, ADMINISTRATOR})),
            Entry(_("Webhooks"), "core:webhooks", frozenset({ADMINISTRATOR})),
            Entry(_("Audit log"), "accounts:audit", frozenset({MAINTAINER, ADMINISTRATOR})),
            Entry(_("Stored data"), "admin:index", frozenset({ADMINISTRATOR})),
        ),
    ),
)

ACCOUNT_ENTRIES: tuple[tuple[str, str], ...] = (
    (_("Settings"), "accounts:settings"),
    (_("E-mail addresses"), "account_email"),
    (_("Password"), "account_change_password"),
    (_("Two-factor sign-in"), "mfa_index"),
    (_("API tokens"), "accounts:tokens"),
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
