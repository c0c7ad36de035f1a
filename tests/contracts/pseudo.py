"""A language in which every message is in brackets, and the words of a page that are not.

A word outside brackets was forgotten by the author of the page, unless it is data: what the database holds, or a name
that is the same in every language. A message that the catalogues lack stays English, so it is found as well.
"""

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html.parser import HTMLParser

from django.apps import apps
from django.conf import settings
from django.db import models
from django.utils.translation import trans_real

from config.translations.extracting import collect

PSEUDO = "en-xa"
OPEN, CLOSE = "\u27e6", "\u27e7"
CONTEXT = "\x04"
PLACE = re.compile(r"%\(\w+\)[sd]|%s|%d|\{\w*\}")
WORD = re.compile(r"[A-Za-z]{3,}")
SPOKEN = {"title", "aria-label", "aria-description", "aria-roledescription", "placeholder", "alt", "data-label"}
SPOKEN_PREFIX = "data-confirm"
SILENT_TAGS = {"script", "style", "code", "kbd", "pre", "samp", "svg", "textarea", "option-value"}
VOID_TAGS = {"input", "img", "br", "hr", "meta", "link", "use", "path", "col", "wbr", "source"}
# The same in every language.
NAMES = re.compile(
    r"\b(Touchstone|HateCheck|Multilingual|HatemojiCheck|GPT|MHC|AAA|CSV|JSONL?|XLSX|PDF|HTML|LaTeX|SVG|PNG|API|ZIP|Parquet"
    r"|Croissant|Hugging Face|YAML|UTC|URL|ID|DOI|UTF|Markdown|Davidson|Waseem|GenBench|Fleiss|Krippendorff|sha256|Holm"
    r"|Wilson|BLEU|NLI|LLM|UMAP|F1|AUROC|OpenAI|TOTP|SQLite|PostgreSQL|Redis"
    r"|Prolific|MTurk|(?:Amazon )?Mechanical Turk|Label Studio|doccano|Argilla|Prodigy|Toloka"
    r"|JUnit|SHA|int8|bf16|fp32|Quo|Corr|Flip|Ident"
    r"|http|https|www|kappa|alpha"
    r"|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|Ctrl|Esc|Tab|Enter|Space|Backspace|nbsp|EUR|USD|GBP)\b"
)
ADDRESS = re.compile(
    r"[\w.+-]+@[\w.-]+|https?://\S+|/[\w/.@-]+|\b[\w-]+\.(?:csv|json|jsonl|md|txt|zip|yaml|pdf|html|cff|toml)\b"
)
LONGEST_DATA = 40  # words
AROUND = " .,:;()[]·–—→…•/\u2018\u2019\u201c\u201d'\""
CODE = re.compile(r"\{\w+\}|\S*\[@revision\]|\b\w*[_=@:/0-9]\w[\w.=@:/|-]*")


class Pseudo:
    """What Django asks for a message while the pseudo language is active."""

    def __init__(self) -> None:
        self.ours = {key for domain in ("django", "djangojs") for key in _keys(domain)}
        self.theirs = set(trans_real.DjangoTranslation("de")._catalog.keys())  # those of Django and its packages

    def knows(self, message: str) -> bool:
        return message in self.ours or message in self.theirs or any((message, n) in self.theirs for n in (0, 1))

    def gettext(self, message: str) -> str:
        if not message or not self.knows(message):
            return message
        return bracketed(message.rpartition(CONTEXT)[2])

    def ngettext(self, singular: str, plural: str, number: int) -> str:
        chosen = singular if number == 1 else plural
        return bracketed(chosen.rpartition(CONTEXT)[2]) if self.knows(singular) else chosen

    def language(self) -> str:
        return PSEUDO

    to_language = language


def _keys(domain: str) -> Iterator[str]:
    for message in collect(domain):
        key = message.id[0] if isinstance(message.id, tuple) else message.id
        if key:
            yield f"{message.context}{CONTEXT}{key}" if message.context else key


def bracketed(message: str) -> str:
    """Put what the message says itself into brackets, and leave its values outside."""
    parts = PLACE.split(message)
    places = [*PLACE.findall(message), ""]
    return "".join(
        (f"{OPEN}{part}{CLOSE}" if part.strip() else part) + place for part, place in zip(parts, places, strict=True)
    )


@cache
def pseudo() -> Pseudo:
    return Pseudo()


@contextmanager
def installed(monkeypatch) -> Iterator[None]:
    """Let requests with `Accept-Language: en-xa` read the pseudo language."""
    with monkeypatch.context() as patch:
        patch.setattr(settings, "LANGUAGES", [*settings.LANGUAGES, (PSEUDO, "Pseudo")])
        patch.setitem(trans_real._translations, PSEUDO, pseudo())
        _forget()
        patch.setattr(trans_real, "check_for_language", lambda code: True)
        yield
    _forget()


def _forget() -> None:
    """Drop what Django remembers of the languages that exist."""
    for thing in vars(trans_real).values():
        if hasattr(thing, "cache_clear"):
            thing.cache_clear()


class Page(HTMLParser):
    """Collect what a page says: runs of text between tags, and attributes that are read aloud."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[tuple[str, str]] = []
        self.path: list[str] = []
        self.depth = 0
        self.links: set[str] = set()

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = dict(attributes)
        for name in ("hx-get", *(["href"] if tag == "a" else [])):
            if (known.get(name) or "").startswith(("/", "?")):
                self.links.add(known[name])
        is_english = "lang" in known or any(place.endswith(" lang") for place in self.path)
        for name, value in attributes:
            if value and not is_english and (name in SPOKEN or name.startswith(SPOKEN_PREFIX)):
                self.runs.append((f"{tag} {name}", value))
        if tag == "input" and known.get("type") in ("submit", "button") and known.get("value"):
            self.runs.append(("button", known["value"]))
        if tag not in VOID_TAGS:
            self.path.append(f"{tag} lang" if known.get("lang") and tag != "html" else tag)

    def handle_endtag(self, tag: str) -> None:
        for place in range(len(self.path) - 1, -1, -1):
            if self.path[place].split()[0] == tag:
                del self.path[place:]
                return

    def handle_data(self, text: str) -> None:
        kept = []
        for part in re.split(f"([{OPEN}{CLOSE}])", text):
            if part == OPEN:
                self.depth += 1
            elif part == CLOSE:
                self.depth -= 1
            elif not self.depth:
                kept.append(part)
        if any(name in SILENT_TAGS or name.endswith(" lang") for name in self.path):
            return
        for run in kept:
            if run.strip():
                self.runs.append((self.path[-1] if self.path else "", run))


def stored_strings() -> set[str]:
    """Return every piece of text that the database holds, but names of the catalogue that have translations."""
    found: set[str] = set()
    for model in apps.get_models():
        for field in model._meta.fields:
            if isinstance(field, models.CharField | models.TextField) and not field.choices:
                for value in model._default_manager.values_list(field.name, flat=True).distinct():
                    _add(found, value)
            elif isinstance(field, models.JSONField):
                for value in model._default_manager.values_list(field.name, flat=True):
                    _strings(found, value)
    return found - translated_names()


def translated_names() -> set[str]:
    """Return the names of functionalities, classes and languages. Those of groups are words of suites as well."""
    folder = settings.FIXTURES / "catalogue"
    kinds = {"functionalities": "title", "classes": "title", "languages": "name"}
    rows = {kind: json.loads((folder / f"{kind}.json").read_text(encoding="utf-8"))[kind] for kind in kinds}
    return {row[field] for kind, field in kinds.items() for row in rows[kind]}


def strings_of_fixtures() -> set[str]:
    """Return what is sent to models word by word, and shown as it is sent."""
    found: set[str] = set()
    for path in sorted((settings.FIXTURES / "nli").glob("*.json")):
        _strings(found, json.loads(path.read_text(encoding="utf-8")))
    return found


def _strings(found: set[str], value: object) -> None:
    if isinstance(value, str):
        _add(found, value)
    elif isinstance(value, dict):
        for name, inner in value.items():
            _add(found, name)
            _strings(found, inner)
    elif isinstance(value, list | tuple):
        for inner in value:
            _strings(found, inner)


def _add(found: set[str], value: str | None) -> None:
    if value:
        folded = " ".join(str(value).split())
        found.add(folded)
        found.update(" ".join(line.split()) for line in str(value).splitlines())


class Unmarked:
    """Finds the words of pages that are neither translated nor data."""

    def __init__(self, data: set[str]) -> None:
        self.data = data
        self.blob = "\0".join(sorted(data))

    def in_page(self, html: str) -> tuple[list[tuple[str, str]], set[str]]:
        """Return the forgotten words of a page with their place, and the addresses it leads to."""
        page = Page()
        page.feed(html)
        return [(where, run) for where, run in page.runs if self.is_forgotten(run)], page.links

    def is_forgotten(self, run: str) -> bool:
        """Tell whether words are left when translated parts, data, names, codes and addresses are taken away."""
        text = " ".join(re.sub(f"{OPEN}[^{CLOSE}]*{CLOSE}", " ", run).split())
        if not WORD.search(text) or text in self.data or (len(text) > 15 and text in self.blob):
            return False
        words = text.split()
        left, place = [], 0
        while place < len(words):
            taken = self._data_at(words, place)
            if not taken:
                left.append(words[place])
            place += taken or 1
        rest = CODE.sub(" ", ADDRESS.sub(" ", NAMES.sub(" ", " ".join(left))))
        return bool(WORD.search(rest))

    def _data_at(self, words: list[str], place: int) -> int:
        """Return how many words from here on are one piece of data; the longest counts."""
        for end in range(min(len(words), place + LONGEST_DATA), place, -1):
            said = " ".join(words[place:end])
            if said in self.data or said.strip(AROUND) in self.data:
                return end - place
        return 0


def json_strings(text: str) -> set[str]:
    """Return the strings of a JSON answer."""
    found: set[str] = set()
    _strings(found, json.loads(text))
    return found
