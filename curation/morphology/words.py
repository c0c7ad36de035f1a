"""The words that can fill a placeholder, found once per kind, features and perturbation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from curation.morphology.features import Features
from curation.morphology.lexicon import Entry, Lexicon
from curation.morphology.lookup import Fallback, find_form
from curation.morphology.orthography import Orthography


class FormUsed(NamedTuple):
    """Which word stands in a placeholder, in which form."""

    entry: str
    kind: str
    target: str
    features: str
    perturbation: str
    text: str


class Candidate(NamedTuple):
    """A word ready to be filled in."""

    used: FormUsed
    text: str
    sound: str
    agreement: Features  # what {tous|toutes} follows
    warnings: tuple[str, ...]


class Skip(NamedTuple):
    """A word that was left out, and why."""

    entry: str
    lemma: str
    wanted: str
    perturbation: str
    reason: str


class Words(NamedTuple):
    """What a placeholder can be filled with, and what was left out."""

    candidates: tuple[Candidate, ...]
    skips: tuple[Skip, ...]


class WordFinder:
    """Answers which words fit a placeholder, in order, and which do not."""

    def __init__(self, lexicon: Lexicon, orthography: Orthography, fallbacks: Sequence[Fallback]) -> None:
        self._lexicon = lexicon
        self._orthography = orthography
        self._fallbacks = tuple(fallbacks)
        self._kept: dict[tuple[str, Features, str, bool], Words] = {}

    def find(self, kind: str, wanted: Features, perturbation: str, *, exactly: bool = False) -> Words:
        """The candidates in order, and the words without such a form."""
        key = (kind, wanted, perturbation, exactly)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._find(*key)
        return found

    def _find(self, kind: str, wanted: Features, perturbation: str, exactly: bool) -> Words:
        ranked: list[tuple[int, int, Candidate]] = []
        skips: list[Skip] = []
        for entry in self._lexicon.entries(kind):
            found = find_form(self._lexicon, entry, wanted, perturbation, self._fallbacks, exactly=exactly)
            if found is None:
                asked = " ".join(part for part in (str(wanted), perturbation) if part) or "no features"
                reason = f"'{entry.lemma or entry.key}' has no form for {asked}"
                skips.append(Skip(entry.key, entry.lemma, str(wanted), perturbation, reason))
                continue
            form = found.form
            text = form.text.strip() if self._orthography.tidy_spaces else form.text
            used = FormUsed(entry.key, kind, entry.target, str(form.features), perturbation, form.text)
            candidate = Candidate(
                used, text, self._sound(entry, text, perturbation), entry.inherent.merge(form.features), found.warnings
            )
            ranked.append((entry.position if form.position is None else form.position, entry.position, candidate))
        ranked.sort(key=lambda item: item[:2])
        return Words(tuple(candidate for _, _, candidate in ranked), tuple(skips))

    def _sound(self, entry: Entry, text: str, perturbation: str) -> str:
        return self._orthography.sounds.of_word(
            text, lemma=entry.lemma, perturbation=perturbation, properties=entry.properties
        )
