"""The help inside the product: chapters in one order, links that lead somewhere, a search, a chapter per page."""

import re
from html.parser import HTMLParser

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from core.help.chapters import chapters, search, sections
from core.help.context import CHAPTERS, chapter_for

PAGES = {slug: chapter.html for slug, chapter in chapters().items()}


class Links(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag == "a":
            self.found.append(dict(attrs)["href"])


def test_every_document_is_a_chapter_in_a_section(settings):
    files = {path.stem for path in (settings.BASE_DIR / "docs").glob("*.md")}
    assert files == set(chapters())
    assert [chapter.slug for listed in sections().values() for chapter in listed] == list(chapters())


@pytest.mark.parametrize("slug", PAGES)
def test_links_between_chapters_lead_to_a_heading_that_exists(slug):
    for href in Links(PAGES[slug]).found:
        address, _, anchor = href.partition("#")
        assert not address.endswith(".md"), href
        if address.startswith("/help/") or not address:
            chapter = chapters()[address.removeprefix("/help/").rstrip("/") or slug]
            assert not anchor or anchor in {heading.anchor for heading in chapter.headings}, href


def test_headings_with_the_same_title_have_anchors_of_their_own():
    for chapter in chapters().values():
        anchors = [heading.anchor for heading in chapter.headings]
        assert len(anchors) == len(set(anchors))


def test_markup_in_a_document_is_shown_and_not_run():
    assert all("<script" not in html for html in PAGES.values())


def test_a_search_finds_the_passage_about_it_first():
    found = search("glossary")
    assert found[0].chapter.slug == "glossary"
    assert "Minimum agreement".casefold() not in found[0].snippet.casefold()
    assert {one.chapter.slug for one in search("verify_release")} >= {"releases"}


def test_a_search_wants_every_word():
    assert search("kappa") != []
    assert search("kappa zebrafish") == []
    assert search("   ") == []


def page_names(patterns: list, namespace: str = "") -> set[str]:
    found = set()
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            inner = ":".join(filter(None, [namespace, pattern.namespace]))
            found |= page_names(pattern.url_patterns, inner)
        elif isinstance(pattern, URLPattern) and pattern.name:
            found.add(f"{namespace}:{pattern.name}" if namespace else pattern.name)
    return found


def test_every_rule_about_pages_fits_a_page_and_names_a_passage():
    names = page_names(get_resolver().url_patterns)
    for start, target in CHAPTERS.items():
        assert any(name.startswith(start) for name in names), f"no page is called {start}…"
        slug, _, anchor = target.partition("#")
        assert not anchor or anchor in {heading.anchor for heading in chapters()[slug].headings}, target


def test_the_longest_rule_that_fits_a_page_counts():
    assert chapter_for("curation:release-new") == "releases"
    assert chapter_for("curation:suites") == "authoring"
    assert chapter_for("home") == "index"


@pytest.mark.django_db
def test_everyone_can_read_and_search_the_help():
    client = Client()
    assert client.get("/help/").headers["Location"] == "/help/index/"
    assert "<h1" in client.get("/help/templates/").content.decode()
    assert client.get("/help/?q=kappa").status_code == 200
    assert "No passage" in client.get("/help/", {"q": "<script>x"}).content.decode()
    assert client.get("/help/nothing/").status_code == 404


@pytest.mark.django_db
def test_a_page_links_to_its_chapter(client, mira):
    client.force_login(mira)
    page = client.get("/releases/").content.decode()
    assert re.search(r'<a href="/help/releases/" data-help', page)
    assert "/help/splits/" in client.get("/splits/").content.decode()


def test_without_documents_there_is_no_help(settings, tmp_path, rf):
    from core.help.context import help_for

    settings.BASE_DIR = tmp_path
    request = rf.get("/")
    request.resolver_match = None
    assert str(help_for(request)["help_url"]) == ""
