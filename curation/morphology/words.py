"""The words that can fill a placeholder, found once per kind, features and perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curation.morphology.features import Features
from curation.morphology.lexicon import Entry, Lexicon
from curation.morphology.lookup import Fallback, find_form
from curation.morphology.orthography import Orthography, first_word


class FormUsed(NamedTuple):
    """Which word stands in a placeholder, in which form."""

    entry: str
    kind: str
    target: str
    features: str
    perturbation: str
    text: str


class Word(NamedTuple):
    """A word ready to be filled in."""

    text: str
    capital: str  # the same for the start of a text
    sound: str
    first: str  # its first word, which a preposition may melt with
    used: FormUsed
    agreement: Features  # what {tous|toutes} follows
    warnings: tuple[str, ...]


class Skip(NamedTuple):
    """A word that was left out, and why."""

    entry: str
    lemma: str
    wanted: str
    perturbation: str
    reason: str


class Filling(NamedTuple):
    """One entry in all placeholders of a slot (several where they share a label), with the choices that follow it.

    `text` and `sound` are those of the first word, close at hand for slots of one word.
    """

    text: str
    sound: str
    entries: tuple[str, ...]
    target: str
    forms: tuple[FormUsed, ...]
    warnings: tuple[str, ...]
    words: tuple[Word, ...]
    choices: tuple[str, ...]


def fill(words: tuple[Word, ...], choices: tuple[str, ...] = ()) -> Filling:
    """A filling of one entry's words."""
    first = words[0]
    return Filling(
        first.text,
        first.sound,
        (first.used.entry,),
        first.used.target,
        tuple(word.used for word in words),
        tuple(dict.fromkeys(warning for word in words for warning in word.warnings)),
        words,
        choices,
    )


class Found(NamedTuple):
    """What one placeholder can be filled with, in order, and what was left out."""

    fillings: tuple[Filling, ...]
    skips: tuple[Skip, ...]
    sounds: frozenset[str]
    firsts: frozenset[str]


class WordFinder:
    """Answers which words fit a placeholder, in order, and which do not."""

    def __init__(self, lexicon: Lexicon, orthography: Orthography, fallbacks: Sequence[Fallback]) -> None:
        self._lexicon = lexicon
        self._orthography = orthography
        self._fallbacks = tuple(fallbacks)
        self._kept: dict[tuple[str, Features, str, bool], Found] = {}

    def find(self, kind: str, wanted: Features, perturbation: str, *, exactly: bool = False) -> Found:
        """The words by the position of their form, then of their entry; and the words without such a form."""
        key = (kind, wanted, perturbation, exactly)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._find(*key)
        return found

    def _find(self, kind: str, wanted: Features, perturbation: str, exactly: bool) -> Found:
        ranked: list[tuple[int, int, Word]] = []
        skips: list[Skip] = []
        for entry in self._lexicon.entries(kind):
            found = find_form(self._lexicon, entry, wanted, perturbation, self._fallbacks, exactly=exactly)
            if found is None:
                asked = " ".join(part for part in (str(wanted), perturbation) if part) or "no features"
                reason = f"'{entry.lemma or entry.key}' has no form for {asked}"
                skips.append(Skip(entry.key, entry.lemma, str(wanted), perturbation, reason))
                continue
            form = found.form
            used = FormUsed(entry.key, kind, entry.target, str(form.features), perturbation, form.text)
            word = self._word(entry, used, entry.inherent.merge(form.features), found.warnings)
            ranked.append((entry.position if form.position is None else form.position, entry.position, word))
        ranked.sort(key=lambda item: item[:2])
        words = [word for _, _, word in ranked]
        return Found(
            tuple(fill((word,)) for word in words),
            tuple(skips),
            frozenset(word.sound for word in words),
            frozenset(word.first for word in words),
        )

    def _word(self, entry: Entry, used: FormUsed, agreement: Features, warnings: tuple[str, ...]) -> Word:
        text = used.text.strip() if self._orthography.tidy_spaces else used.text
        sound = self._orthography.sounds.of_word(
            text, lemma=entry.lemma, perturbation=used.perturbation, properties=entry.properties
        )
        return Word(text, self._orthography.capital(text), sound, first_word(text), used, agreement, warnings)
