"""What is fed to the model instead of the whole message: a part of it, or the message without something."""

from collections.abc import Callable
from dataclasses import dataclass

import regex

from generation.checks.algorithm.negation import NEGATION_WORDS, PUBLISHED_NEGATION_WORDS
from generation.checks.algorithm.sentences import (
    after_first_clause,
    after_first_comma,
    after_first_sentence,
    split_sentences,
)

_WORD_IN_MARKS = regex.compile(r"(?P<before>[^\p{L}]*)(?P<word>\p{L}[\p{L}\p{M}\-]*)(?P<after>[^\p{L}]*)")
_CONTRACTION = regex.compile(r"(?i)\b(ca|wo|sha|[a-z]+?)n['’]t\b")
_WHOLE_OF_CONTRACTED = {"ca": "can", "wo": "will", "sha": "shall"}

# Apostrophes inside words do not close a quotation: an opening mark follows no letter, a closing one precedes none.
_QUOTATION = regex.compile(
    r"""
        (?<!(?!\p{Han})[\p{L}\p{N}]) (?: "(?P<q>[^"]+)" | ['‘](?P<q>.+?)['’](?![\p{L}\p{N}]) )
        | “(?P<q>[^”“]+)[”“] | „(?P<q>[^“”"]+)[“”"]
        | «\s*(?P<q>[^»]+?)\s*» | »(?P<q>[^«]+)« | 「(?P<q>[^」]+)」 | 『(?P<q>[^』]+)』
    """,
    regex.VERBOSE,
)
# As published: a blank, an opening mark, the shortest text, any closing mark; so an apostrophe cuts it short.
_PUBLISHED_QUOTATION = regex.compile(r"""(?<=\s)['"‘“](?P<q>.*?)['"’”]""")


@dataclass(frozen=True, slots=True)
class Span:
    """A quotation: the words between the marks, and where the quotation stands with its marks."""

    text: str
    start: int
    end: int


def find_quotations(text: str, *, as_published: bool = False) -> list[Span]:
    """All quotations in order, in the marks of any of the languages."""
    pattern = _PUBLISHED_QUOTATION if as_published else _QUOTATION
    return [Span(match.group("q"), match.start(), match.end()) for match in pattern.finditer(text)]


def drop_negation(text: str, language: str) -> str:
    """The message without the negation words of its language; "can't" becomes "can" in English.

    Refuses a language without a list.
    """
    base = language.split("-")[0]
    words = NEGATION_WORDS.get(base)
    if words is None:
        raise ValueError(f"there are no negation words for '{language}': add them to NEGATION_WORDS")
    if base == "zh":
        return str(regex.sub("|".join(sorted(map(regex.escape, words), key=len, reverse=True)), "", text))
    if base == "en":
        text = _CONTRACTION.sub(lambda match: _WHOLE_OF_CONTRACTED.get(match[1].lower(), match[1]), text)
    return " ".join(kept for part in text.split() if (kept := _without(part, words)))


def _without(part: str, words: frozenset[str]) -> str:
    """A word with its punctuation, or only the punctuation when the word is one of `words`."""
    match = _WORD_IN_MARKS.fullmatch(part)
    if match is None or match["word"].lower() not in words:
        return part
    return str(match["before"] + match["after"])


def has_negation(text: str, language: str) -> bool:
    """Whether a message holds a negation word of its language."""
    return drop_negation(text, language).split() != text.split()


def drop_negation_as_published(text: str) -> str:
    """The message as the published code fed it: word tokens without the four English words, joined by blanks."""
    from nltk.tokenize import NLTKWordTokenizer

    tokens = [token for sentence in split_sentences(text) for token in NLTKWordTokenizer().tokenize(sentence)]
    return " ".join(token for token in tokens if token.lower() not in PUBLISHED_NEGATION_WORDS)


def only_quotation(text: str, *, as_published: bool = False) -> str | None:
    """The one quotation of a message; None when it has none or several."""
    spans = find_quotations(text, as_published=as_published)
    return spans[0].text if len(spans) == 1 else None


def mask_quotation(text: str, *, as_published: bool = False) -> str | None:
    """The message with its one quotation replaced by [X]; None when it has none or several."""
    spans = find_quotations(text, as_published=as_published)
    return f"{text[: spans[0].start]}[X]{text[spans[0].end :]}" if len(spans) == 1 else None


TRANSFORMS: dict[str, Callable[[str, str], str | None]] = {
    "message": lambda text, language: text,
    "drop_first_clause": lambda text, language: after_first_clause(text),
    "after_first_comma": lambda text, language: after_first_comma(text),
    "drop_first_sentence": lambda text, language: after_first_sentence(text),
    "drop_negation": drop_negation,
    "drop_negation_as_published": lambda text, language: drop_negation_as_published(text),
    "only_quotation": lambda text, language: only_quotation(text),
    "only_quotation_as_published": lambda text, language: only_quotation(text, as_published=True),
    "mask_quotation": lambda text, language: mask_quotation(text),
    "mask_quotation_as_published": lambda text, language: mask_quotation(text, as_published=True),
}
