"""Every word that people read can be translated, and the catalogues are in step with it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from django.urls import Resolver404, resolve

from config.demo import load_demo
from core.models import Job
from curation.catalogue.loading import load_catalogue
from tests.contracts.pseudo import PSEUDO, Unmarked, installed, stored_strings

PER_ROUTE = 2  # pages of one route that are looked at
ENGLISH_PAGES = {
    "api-docs",  # for programmers, in English like the API itself
    "api-schema",
    "ui:gallery",  # for those who build pages
}
ENGLISH_PREFIXES = ("/admin/", "/api/", "/help/", "/static/", "/words/")


def walk(client, start: list[str], data: set[str]) -> dict[str, set[tuple[str, str]]]:
    """Return the forgotten words by route, of every page that links lead to."""
    found: dict[str, set[tuple[str, str]]] = defaultdict(set)
    looked: dict[str, int] = defaultdict(int)
    waiting, seen = list(start), set(start)
    unmarked = Unmarked(data)
    while waiting:
        address = waiting.pop(0)
        path = urlsplit(address).path
        if path.startswith(ENGLISH_PREFIXES):
            continue
        try:
            route = resolve(path).view_name
        except Resolver404:
            continue
        place = route + ("?" if "?" in address else "")
        if looked[place] >= PER_ROUTE or route in ENGLISH_PAGES:
            continue
        looked[place] += 1
        answer = client.get(address, headers={"accept-language": PSEUDO})
        assert answer.status_code < 500, address
        if answer.streaming or not answer.headers.get("Content-Type", "").startswith("text/html"):
            continue
        words, links = unmarked.in_page(answer.content.decode())
        found[route] |= {(where, re.sub(r"\s+", " ", run).strip()) for where, run in words}
        for link in sorted(links):
            target = path + link if link.startswith("?") else link.partition("#")[0]
            if target not in seen:
                seen.add(target)
                waiting.append(target)
    return {route: words for route, words in found.items() if words}


@pytest.fixture
def filled(db, monkeypatch) -> Iterator[None]:
    load_catalogue()
    load_demo()
    assert not Job.objects.filter(state="failed").exists()
    with installed(monkeypatch):
        yield


@pytest.mark.django_db
@pytest.mark.slow
@pytest.mark.parametrize("role", ["visitor", "ana", "emil", "mira", "admin"])
def test_no_page_has_words_that_cannot_be_translated(client, request, filled, role):
    if role != "visitor":
        client.force_login(request.getfixturevalue(role))
    assert walk(client, ["/", "/account/login/", "/releases/"], stored_strings()) == {}
