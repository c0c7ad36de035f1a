"""What is fed to the model instead of the whole message: a part of it, or the message without something."""

from collections.abc import Callable, Collection
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
_WITHOUT_BLANKS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
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
    """Return all quotations in order, in the marks of any of the languages."""
    pattern = _PUBLISHED_QUOTATION if as_published else _QUOTATION
    return [Span(match.group("q"), match.start(), match.end()) for match in pattern.finditer(text)]


def drop_negation(text: str, language: str) -> str | None:
    """Return the message without the negation words of its language; "can't" becomes "can" in English.

    None where the language has no list: the test is then left open. Experts can name the words with `drop:`.
    """
    base = language.split("-")[0]
    words = NEGATION_WORDS.get(base)
    if words is None:
        return None
    if base == "en":
        text = _CONTRACTION.sub(lambda match: _WHOLE_OF_CONTRACTED.get(match[1].lower(), match[1]), text)
    return drop_words(text, words)


def drop_words(text: str, words: Collection[str]) -> str:
    """Return the message without these words; in a script without blanks they are removed wherever they stand."""
    folded = frozenset(word.lower() for word in words)
    joined = [word for word in folded if _WITHOUT_BLANKS.search(word)]
    if joined:
        text = regex.sub("|".join(sorted(map(regex.escape, joined), key=len, reverse=True)), "", text)
        if len(joined) == len(folded):
            return str(text)
    return " ".join(kept for part in text.split() if (kept := _without(part, folded)))


def _without(part: str, words: frozenset[str]) -> str:
    """Return a word with its punctuation, or only the punctuation when the word is one of `words`."""
    match = _WORD_IN_MARKS.fullmatch(part)
    if match is None or match["word"].lower() not in words:
        return part
    return str(match["before"] + match["after"])


def has_negation(text: str, language: str) -> bool | None:
    """Return whether a message holds a negation word of its language; None where the language has no list."""
    kept = drop_negation(text, language)
    return None if kept is None else kept.split() != text.split()


def drop_negation_as_published(text: str) -> str:
    """Return the message as the published code fed it: word tokens without the four English words, joined by blanks."""
    from nltk.tokenize import NLTKWordTokenizer

    tokens = [token for sentence in split_sentences(text) for token in NLTKWordTokenizer().tokenize(sentence)]
    return " ".join(token for token in tokens if token.lower() not in PUBLISHED_NEGATION_WORDS)


def only_quotation(text: str, *, as_published: bool = False) -> str | None:
    """Return the one quotation of a message; None when it has none or several."""
    spans = find_quotations(text, as_published=as_published)
    return spans[0].text if len(spans) == 1 else None


def mask_quotation(text: str, *, as_published: bool = False) -> str | None:
    """Return the message with its one quotation replaced by [X]; None when it has none or several."""
    spans = find_quotations(text, as_published=as_published)
    return f"{text[: spans[0].start]}[X]{text[spans[0].end :]}" if len(spans) == 1 else None


Transform = Callable[[str, str], str | None]

TRANSFORMS: dict[str, Transform] = {
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

# Transforms that an expert completes: `drop:never, not` or `after:;`.
OPEN_TRANSFORMS: dict[str, Callable[[str], Transform]] = {
    "drop": lambda words: lambda text, language: drop_words(text, _listed(words)),
    "after": lambda mark: lambda text, language: text.partition(mark)[2].strip() or None,
    "before": lambda mark: lambda text, language: text.partition(mark)[0].strip() if mark in text else None,
}


def transform_named(name: str) -> Transform | None:
    """Return the transform of that name, such as `message`, `drop:never, not` or `after:;`; None if there is none."""
    if name in TRANSFORMS:
        return TRANSFORMS[name]
    kind, _, given = name.partition(":")
    return OPEN_TRANSFORMS[kind](given.strip()) if kind in OPEN_TRANSFORMS and given.strip() else None


def names_of_transforms() -> list[str]:
    """Return all names with the form of those that an expert completes."""
    return [*TRANSFORMS, "drop:WORDS", "after:MARK", "before:MARK"]


def _listed(words: str) -> list[str]:
    return [word.strip() for word in words.split(",") if word.strip()]
