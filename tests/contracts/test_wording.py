"""What people read is plain English: known bad patterns are refused."""

import re
from collections.abc import Iterator
from functools import cache

from config.translations.extracting import collect

# Idiom that once stood here and that readers of English as a second language stumbled over (docs/glossary.md).
ODD = re.compile(
    r"\b(somebody|nobody|whoever|so many|any ?more|goes on|go on|decide so|say nothing|leads nowhere|once more for"
    r"|call(?:ed)? off|take out|the neighbours|forget them|misspelt|respelt|in other words)\b",
    re.I,
)
GONE = (
    "Your comment is there", "It waits for review", "A remark for the others", "What is next", "Asked for by",
    "As the others", "Told by its columns", "Draw so many", "Here we expect another answer", "wordings wait",
    "Features of its own", "Every placeholder takes", "Another text for other words", "no hole in its suite",
    "Outer blanks", "That is not possible now", "Too fast is below", "words read", "are the wanted one",
)  # fmt: skip


@cache
def messages() -> list[str | tuple[str, ...]]:
    return [message.id for domain in ("django", "djangojs") for message in collect(domain) if message.id]


def texts() -> Iterator[str]:
    for message in messages():
        yield from message if isinstance(message, tuple) else [message]


def test_no_text_has_idiom_that_readers_stumble_over():
    assert [text for text in texts() if ODD.search(text)] == []


def test_sentences_that_were_replaced_stay_away():
    assert [text for text in texts() if any(phrase in text for phrase in GONE)] == []


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
