"""Read the chapters of the documentation, render them, and search them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.urls import reverse
from django.utils.text import slugify

from core.markdown import renderer
from core.search.finding import Hit
from core.text import in_english

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser
    from markdown_it.token import Token

    from accounts.models import User

FIRST = "index"
SNIPPET = 220
SHOWN = 30
MARKS = re.compile(r"\]\(\S+?\)|[`*|#>\[\]]")


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading of a chapter, with the name its address ends in."""

    level: int
    title: str
    anchor: str


@dataclass(frozen=True, slots=True)
class Passage:
    """What stands under one heading, as plain text."""

    heading: Heading
    text: str


@dataclass(frozen=True, slots=True)
class Chapter:
    """One page of the documentation."""

    slug: str
    section: str
    title: str
    html: str
    headings: tuple[Heading, ...]
    passages: tuple[Passage, ...]

    def get_absolute_url(self) -> str:
        return reverse("core:help-chapter", args=[self.slug])


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that matches a search."""

    chapter: Chapter
    heading: Heading
    snippet: str

    @property
    def url(self) -> str:
        return f"{self.chapter.get_absolute_url()}#{self.heading.anchor}"


@cache
def chapters() -> dict[str, Chapter]:
    """Return the chapters by name, in the order of mkdocs.yml; none where the documentation is not installed."""
    return {slug: _read(path, slug, section) for section, slug, path in _files()}


def sections() -> dict[str, list[Chapter]]:
    """Return the chapters by section, in order."""
    found: dict[str, list[Chapter]] = {}
    for chapter in chapters().values():
        found.setdefault(chapter.section, []).append(chapter)
    return found


def is_installed() -> bool:
    """Tell whether there is documentation, without reading it: every page asks."""
    return bool((settings.BASE_DIR / "mkdocs.yml").is_file())


def _files() -> Iterator[tuple[str, str, Path]]:
    import yaml

    order = settings.BASE_DIR / "mkdocs.yml"
    if not is_installed():
        return
    for entry in yaml.safe_load(order.read_text(encoding="utf-8"))["nav"]:
        for section, names in entry.items():
            for name in names:
                yield section, name.removesuffix(".md"), settings.BASE_DIR / "docs" / name


def _read(path: Path, slug: str, section: str) -> Chapter:
    env: dict[str, Any] = {}
    tokens = renderer().parse(path.read_text(encoding="utf-8"), env)
    headings, passages = _name_headings(tokens)
    _lead_links_to_help(tokens)
    with in_english():  # as the chapter is
        html = renderer().renderer.render(tokens, renderer().options, env)
    # Focusable, because it scrolls sideways on phones.
    html = html.replace("<pre>", '<pre class="code" tabindex="0">')
    return Chapter(slug, section, headings[0].title, html, headings, passages)


def _name_headings(tokens: list[Token]) -> tuple[tuple[Heading, ...], tuple[Passage, ...]]:
    """Give every heading the anchor that mkdocs gives it, and cut the text at the headings."""
    headings: list[Heading] = []
    texts: list[list[str]] = []
    used: set[str] = set()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            title = _plain(tokens[place + 1].content)
            plain = anchor = slugify(title)
            number = 0
            while anchor in used:
                number += 1
                anchor = f"{plain}_{number}"
            used.add(anchor)
            token.attrSet("id", anchor)
            headings.append(Heading(int(token.tag[1]), title, anchor))
            texts.append([])
        elif token.type in ("inline", "fence") and texts and tokens[place - 1].type != "heading_open":
            texts[-1].append(_plain(token.content))
    return tuple(headings), tuple(map(Passage, headings, (" ".join(text) for text in texts)))


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", MARKS.sub("", text)).strip()


def _lead_links_to_help(tokens: list[Token]) -> None:
    """Replace the file names of chapters in links by their addresses here."""
    for token in tokens:
        for child in token.children or ():
            href = str(child.attrGet("href") or "") if child.type == "link_open" else ""
            name, _, anchor = href.partition("#")
            if name.endswith(".md") and "/" not in name:
                address = reverse("core:help-chapter", args=[name.removesuffix(".md")])
                child.attrSet("href", f"{address}#{anchor}" if anchor else address)


def search(words: str) -> list[Found]:
    """Return the passages that hold every word, the best first: words in headings count most."""
    wanted = words.casefold().split()
    if not wanted:
        return []
    found: list[tuple[int, Found]] = []
    for chapter in chapters().values():
        for passage in chapter.passages:
            if score := _score(wanted, chapter, passage):
                found.append((score, Found(chapter, passage.heading, _snippet(wanted, passage.text))))
    found.sort(key=lambda one: -one[0])
    return [one for _, one in found[:SHOWN]]


def find_chapters(user: User | AnonymousUser, words: str) -> Iterator[Hit]:
    """Find passages of the documentation; everyone may read them."""
    for found in search(words):
        yield Hit(found.heading.title, found.url, found.chapter.title)


def _score(wanted: list[str], chapter: Chapter, passage: Passage) -> int:
    """Return how well a passage fits; 0 where a word stands neither in it nor in its headings."""
    text, heading, title = (part.casefold() for part in (passage.text, passage.heading.title, chapter.title))
    scores = [10 * (word in heading) + 4 * (word in title) + min(text.count(word), 5) for word in wanted]
    return sum(scores) if all(scores) else 0


def _snippet(wanted: list[str], text: str) -> str:
    places = [place for word in wanted if (place := text.casefold().find(word)) >= 0]
    start = max(0, min(places, default=0) - SNIPPET // 3)
    cut = text[start : start + SNIPPET]
    return f"{'… ' if start else ''}{cut}{' …' if start + SNIPPET < len(text) else ''}"
