"""Words of a text for the diversity measures, in any of the languages."""

from collections.abc import Callable

import regex

from core.text import _
from generation.checks.algorithm.sentences import split_sentences

_WORD = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]|[\p{L}\p{M}\p{N}]+(?:['’\-][\p{L}\p{M}\p{N}]+)*")
# Scripts that write vowels as marks, and scripts without blanks, which the paper did not measure, keep their words.
_LETTERS = regex.compile(r"[\p{L}\p{M}]+")
_WITHOUT_BLANKS = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]|[^\p{Han}\p{Hiragana}\p{Katakana}]+")


def split_words(text: str) -> list[str]:
    """Return lower-cased words without punctuation; where a script writes no blanks, each character is a word."""
    return [word.lower() for word in _WORD.findall(text)]


def split_words_as_published(text: str) -> list[str]:
    """Return words as GPT-HateCheck measures them: NLTK's tokens of each sentence, lower case, letters only."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    tokens = [token for sentence in split_sentences(text) for token in tokenizer.tokenize(sentence)]
    words = [word for token in tokens for word in _WITHOUT_BLANKS.findall(token)]
    return [word.lower() for word in words if _LETTERS.fullmatch(word)]


SPLITTERS: dict[str, Callable[[str], list[str]]] = {"published": split_words_as_published, "words": split_words}
TOKENISATIONS: dict[str, str] = {
    "published": _("letters only, as published for GPT-HateCheck"),
    "words": _("words with digits, hyphens and apostrophes"),
}
