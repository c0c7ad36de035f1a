"""Pieces of the instruction, of the answer format or of the model's own voice that slipped into a message."""

from collections.abc import Sequence

import regex

from core.text import _
from generation.diversity.algorithm.tokenizing import split_words

_FORMAT = regex.compile(
    r"```|\"messages\"\s*:|^\s*[\[{]\s*\"|\{group\}|\[(?:group|identity|x|name|insert[^\]]*)\]|</?\w+>",
    regex.IGNORECASE,
)
_VOICE = regex.compile(
    r"\b(?:as an? (?:AI|language model)|here (?:are|is) (?:\d+|some|a list|the|your)|sure[,!] here|certainly[,!] here"
    r"|(?:example|message|sentence|tweet) ?\d+ ?:|note: (?:this|these)|als KI|hier sind \d+|en tant qu['’]IA|voici \d+"
    r"|como (?:una )?IA|aquí (?:hay|tienes) \d+|aqui estão \d+|ecco \d+|oto \d+ |hier zijn \d+)",
    regex.IGNORECASE,
)
_RUN = 8
_FEWEST = 5  # an instruction of fewer words may well be said by chance


def find_leak(text: str, *, instructions: Sequence[frozenset[tuple[str, ...]]] = ()) -> str | None:
    """Return what of the instruction or its format is in a message. `instructions` come from `runs_of_words`."""
    if match := _FORMAT.search(text):
        return _("contains a piece of the answer format: %(piece)s", piece=repr(match.group()))
    if match := _VOICE.search(text):
        return _("the model speaks of its task: %(piece)s", piece=repr(match.group()))
    words = split_words(text)
    for runs in instructions:
        if runs and (shared := _runs(words, len(next(iter(runs)))) & runs):
            return _("contains words of the instruction: %(piece)s", piece=repr(" ".join(min(shared))))
    return None


def runs_of_words(text: str) -> frozenset[tuple[str, ...]]:
    """Return all runs of eight words of an instruction, or all its words if it is shorter."""
    words = split_words(text)
    return _runs(words, min(_RUN, len(words))) if len(words) >= _FEWEST else frozenset()


def _runs(words: Sequence[str], length: int) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[i : i + length]) for i in range(len(words) - length + 1))
