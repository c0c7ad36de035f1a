"""Walk through the pages as one person: follow every link, send every form, and note the words nobody can translate.

What a form does is undone at once, so that each page is met as it was, and no form can spoil another one.
"""

from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.http import HttpResponse
from django.test import Client
from django.urls import Resolver404, URLPattern, URLResolver, get_resolver, resolve

from core.help.chapters import chapters
from tests.contracts.forms import WAYS, Form, forms_of
from tests.contracts.pseudo import PSEUDO, Unmarked, stored_strings

PER_ROUTE = 2  # pages of one route that are looked at
REDIRECTS = 3
ENGLISH_PAGES = {
    "api-docs",  # for programmers, in English like the API itself
    "api-schema",
    "ui:gallery",  # for those who build pages
    "evaluation:download",  # documents are in English unless another language is chosen
}
SWITCHES = {"accounts:language"}  # leads to pages in other languages
ENGLISH_PREFIXES = ("/admin/", "/api/", "/static/", "/words/")


@dataclass
class Walk:
    """What one person met: forgotten words by route, and the routes that answered."""

    client: Client
    data: set[str]
    found: dict[str, set[tuple[str, str]]] = field(default_factory=lambda: defaultdict(set))
    answered: set[str] = field(default_factory=set)
    sent: set[tuple[str, str]] = field(default_factory=set)  # shared by walks, so that each form is sent by one role
    looked: dict[str, int] = field(default_factory=lambda: defaultdict(int))

    def __post_init__(self) -> None:
        self.data = self.data | {"testserver", *(chapter.title for chapter in chapters().values())}
        self.unmarked = Unmarked(self.data)
        self.lately: Unmarked | None = None
        self.client.cookies[settings.LANGUAGE_COOKIE_NAME] = PSEUDO  # before the language of a campaign

    def follow(self, start: list[str]) -> None:
        """Look at every page that links lead to, and send the forms on it."""
        waiting, seen = list(start), set(start)
        while waiting:
            address = waiting.pop(0)
            route = route_of(address)
            place = route + ("?" if "?" in address else "")
            if not is_translated(route, address) or self.looked[place] >= PER_ROUTE:
                continue
            self.looked[place] += 1
            answer = self.get(address)
            links, forms = self.look(answer, route)
            links |= {target for target in [answer.headers.get("Location", "")] if target.startswith("/")}
            for form in forms:
                self.send(form, urlsplit(address).path)
            for link in sorted(links):
                target = urlsplit(address).path + link if link.startswith("?") else link.partition("#")[0]
                if target not in seen:
                    seen.add(target)
                    waiting.append(target)

    def get(self, address: str) -> Any:
        return self.client.get(address, headers={"accept-language": PSEUDO})

    def look(self, answer: HttpResponse, route: str) -> tuple[set[str], list[Form]]:
        """Note the forgotten words of an answer; return its links and forms."""
        assert answer.status_code < 500, route
        if answer.status_code < 400 or answer.status_code == 422:
            self.answered.add(route)
        if answer.streaming or not answer.headers.get("Content-Type", "").startswith("text/html"):
            return set(), []
        html = answer.content.decode()
        words, links = self.unmarked.in_page(html)
        self.note(words, route)
        return links, forms_of(html)

    def note(self, words: list[tuple[str, str]], route: str) -> None:
        """Note words that are still forgotten when what was stored a moment ago is data as well."""
        if words and self.lately is None:
            self.lately = Unmarked(stored_strings() | self.data)
        kept = [(where, run) for where, run in words if self.lately and self.lately.is_forgotten(run)]
        self.found[route] |= {(where, " ".join(run.split())) for where, run in kept}

    def send(self, form: Form, page: str) -> None:
        """Send a form empty, as it stands, and filled; look at the answers and the mails, and undo it."""
        address = form.action or page
        route = route_of(address)
        if not is_translated(route, address) or (route, form.shape) in self.sent:
            return
        self.sent.add((route, form.shape))
        for way in WAYS:
            with undone(self.client):
                self.lately, values = None, form.filled(way)
                answer = self.client.post(address, values, headers={"accept-language": PSEUDO, **form.headers})
                self.answered.add(route)
                if route in SWITCHES:
                    continue
                self.look(answer, route)
                for _hop in range(REDIRECTS):
                    target = answer.headers.get("Location", "")
                    if not target.startswith("/"):
                        break
                    answer = self.get(target)
                    self.look(answer, route_of(target))
                for message in mail.outbox:
                    self.read_mail(message, route)

    def read_mail(self, message: mail.EmailMessage, route: str) -> None:
        runs = (message.subject, *message.body.split("\n\n"))
        self.note([("mail", run) for run in runs if self.unmarked.is_forgotten(run)], route)

    def forgotten(self) -> list[str]:
        once = {(where, run): route for route, words in sorted(self.found.items()) for where, run in words}
        return sorted(f"{route}: <{where}> {run}" for (where, run), route in once.items())


@contextmanager
def undone(client: Client) -> Iterator[None]:
    """Take back what happens inside: rows, mails, counts of requests, and who is signed in."""
    cookies = {name: morsel.value for name, morsel in client.cookies.items()}
    cache.clear()
    mail.outbox.clear()
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    client.cookies.clear()
    for name, value in cookies.items():
        client.cookies[name] = value


def route_of(address: str) -> str:
    try:
        return resolve(urlsplit(address).path).view_name
    except Resolver404:
        return ""


def is_translated(route: str, address: str) -> bool:
    return bool(route) and route not in ENGLISH_PAGES and not address.startswith(ENGLISH_PREFIXES)


def all_routes() -> set[str]:
    """Return the names of all routes that are shown to people in their language."""
    return {name for name, path in _routes(get_resolver()) if is_translated(name, path)}


def _routes(resolver: URLResolver, names: str = "", path: str = "/") -> Iterator[tuple[str, str]]:
    for pattern in resolver.url_patterns:
        here = path + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, names + (f"{pattern.namespace}:" if pattern.namespace else ""), here)
        elif isinstance(pattern, URLPattern):
            yield (names + pattern.name if pattern.name else here), here
