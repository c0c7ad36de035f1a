"""What people read is plain English, on pages, in documents, commands and the API: known bad patterns are refused."""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.core.management import get_commands, load_command_class
from drf_spectacular.generators import SchemaGenerator

from config.translations.extracting import APPS, collect

ROOT = Path(__file__).resolve().parent.parent.parent
# Idiom that once stood here and that readers of English as a second language stumbled over (docs/glossary.md).
ODD = re.compile(
    r"\b(somebody|nobody|whoever|anybody|so many|any ?more|goes on|go on|decide so|say nothing|leads nowhere"
    r"|once more for|call(?:ed)? off|take out|the neighbours|forget them|misspelt|respelt|in other words)\b",
    re.I,
)
GONE = (
    # labelling, campaigns, releases
    "must equal the gold label for", "Decide so", "Everything is kept", "others get them",
    "Here we expect another answer", "as expected, not yet enough", "Told by its columns",
    "labels on 400 cases are new",
    "after 0 minutes", "Draw so many", "Too fast is below", "One check after", "are the wanted one", "As gold",
    "As the others", "Call off", "That is not possible now", "of these left out before",
    "came in a row. That is chance",
    # curation
    "no hole in its suite", "must agree with gold", "Outer blanks", "has several forms for no features",
    "no word of the lexicon has the forms it asks for", "words read", "They count once you accept them",
    "Features of its own", "Another text for other words", "For words with", "Every placeholder takes",
    "otherwise the words tell", "Varies template", "About (optional)", "Your comment is there",
    "A remark for the others",
    "It waits for review", "Somebody else reviews", "wordings wait", "is nothing that can be done", "leads nowhere",
    "does not work any more", "Asked for by", "What is next", "Respelt forms", "Misspelt versions",
)  # fmt: skip
SAMPLES = re.compile(r"```.*?```|`[^`]*`|<[^>]+>", re.S)


@cache
def messages() -> list[str | tuple[str, ...]]:
    return [message.id for domain in ("django", "djangojs") for message in collect(domain) if message.id]


def texts() -> Iterator[str]:
    for message in messages():
        yield from message if isinstance(message, tuple) else [message]


def documents() -> list[Path]:
    names = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
    return sorted([*(ROOT / "docs").glob("*.md"), ROOT / "fixtures/guidelines/en.md", *(ROOT / name for name in names)])


def commands() -> list[str]:
    return sorted(name for name, app in get_commands().items() if app.split(".")[0] in APPS)


def odd_in(text: str) -> list[str]:
    """Return the sentences with odd idiom, or with a phrase that was replaced."""
    lines = re.split(r"\n|(?<=[.!?]) ", SAMPLES.sub("", text))
    return [line for line in lines if ODD.search(line) or any(phrase in line for phrase in GONE)]


def test_no_text_has_idiom_that_readers_stumble_over():
    assert [text for text in texts() if ODD.search(text)] == []


def test_sentences_that_were_replaced_stay_away():
    assert [text for text in texts() if any(phrase in text for phrase in GONE)] == []


@pytest.mark.parametrize("document", documents(), ids=lambda document: document.name)
def test_documents_are_in_plain_english(document):
    assert odd_in(document.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("name", commands())
def test_the_help_of_commands_is_in_plain_english(name):
    command = load_command_class(get_commands()[name], name)
    assert odd_in(command.create_parser("manage.py", name).format_help()) == []


def test_descriptions_in_the_api_are_in_plain_english():
    schema = SchemaGenerator().get_schema(request=None, public=True)
    assert odd_in(json.dumps(schema, default=str).replace("\\n", "\n").replace('"', "\n")) == []


def test_the_singular_of_a_text_is_not_a_plural():
    """Not "1 words": the noun right after the number agrees with it. Documents of releases keep sentences for many."""
    nouns = re.compile(r"%\((?:count|shown|counted)\)s ([a-z]+)\b")
    wrong = []
    for message in messages():
        if isinstance(message, tuple) and message[0] != message[1]:
            one, many = nouns.search(message[0]), nouns.search(message[1])
            if one and many and one[1] == many[1] and one[1].endswith("s") and not one[1].endswith("ss"):
                wrong.append(message)
    assert wrong == []


def test_a_text_with_a_counted_noun_has_two_forms():
    """Not "%(count)s cases" alone, which says "1 cases"."""
    counted = re.compile(
        r"^%\((?:count|number|shown|counted|total)\)s (?:[a-z]+ )?"
        r"(words|cases|labels|texts|templates|rows|files|minutes|people|annotators)\b"
    )
    assert [message for message in messages() if isinstance(message, str) and counted.search(message)] == []
