"""Words of a text for the diversity measures, in any of the languages."""

import regex

from generation.checks.algorithm.sentences import split_sentences

_WORD = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]|[\p{L}\p{M}\p{N}]+(?:['’\-][\p{L}\p{M}\p{N}]+)*")


def split_words(text: str) -> list[str]:
    """Lower-cased words without punctuation; where a script writes no blanks, each character is a word."""
    return [word.lower() for word in _WORD.findall(text)]


def split_words_as_published(text: str) -> list[str]:
    """Words as in GPT-HateCheck's measurement: sentence by sentence, NLTK's word tokens, lower case, letters only."""
    from nltk.tokenize import NLTKWordTokenizer

    tokenizer = NLTKWordTokenizer()
    words = [word for sentence in split_sentences(text) for word in tokenizer.tokenize(sentence)]
    return [word.lower() for word in words if word.isalpha()]
