"""The words that can fill a placeholder, found once per kind, features and perturbation."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property
from typing import NamedTuple

from core.text import _
from curation.morphology.feature_names import form_name
from curation.morphology.features import Features
from curation.morphology.lexicon import Entry, Form, Lexicon
from curation.morphology.lookup import Fallback, find_form
from curation.morphology.lookup import Found as FoundForm
from curation.morphology.orthography import PLURAL, Orthography, first_word
from curation.morphology.perturb import Outcome

# What a case of one word consists of: text, entries, target, forms, warnings. No named tuple: those unpack slowly.
Row = tuple[str, tuple[str, ...], str, tuple["FormUsed", ...], tuple[str, ...]]

_new = tuple.__new__  # a named tuple without its Python-level constructor, which takes longer than the rest

NO_WARNINGS: tuple[str, ...] = ()
Perturb = Callable[[str, str], Outcome]  # the key of a perturbation and a word


class FormUsed(NamedTuple):
    """Which word stands in a placeholder, in which form."""

    entry: str
    kind: str
    target: str
    features: str
    perturbation: str
    text: str


class Word:
    """A word ready to be filled in. What only some templates ask of it is worked out when they do."""

    def __init__(self, entry: Entry, form: Form, warnings: tuple[str, ...], orthography: Orthography) -> None:
        features = str(form.features)
        self.used = _new(FormUsed, (entry.key, entry.kind, entry.target, features, form.perturbation, form.text))
        self.text = form.text.strip() if orthography.tidy_spaces else form.text
        self.warnings = warnings
        self._entry = entry
        self._form = form
        self._orthography = orthography

    @cached_property
    def agreement(self) -> Features:
        """What {tous|toutes} follows."""
        return self._entry.inherent.merge(self._form.features)

    @cached_property
    def sound(self) -> str:
        """How it begins, for the word before it."""
        entry = self._entry
        sound = self._orthography.sounds.of_word(
            self.text, lemma=entry.lemma, perturbation=self.used.perturbation, properties=entry.properties
        )
        return sound + PLURAL if self.agreement.get("Number") == "Plur" else sound


class Skip(NamedTuple):
    """A word that was left out, and why."""

    entry: str
    lemma: str
    wanted: str
    perturbation: str
    reason: str


class Filling(NamedTuple):
    """One entry in all placeholders of a slot (several where they share a label), with the choices that follow it."""

    words: tuple[Word, ...]
    choices: tuple[str, ...] = ()

    @property
    def forms(self) -> tuple[FormUsed, ...]:
        return tuple(word.used for word in self.words)

    @property
    def warnings(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(warning for word in self.words for warning in word.warnings))


class Found:
    """What one placeholder can be filled with, in order, and what was left out."""

    def __init__(self, words: Sequence[Word], skips: Sequence[Skip], orthography: Orthography) -> None:
        self.words = tuple(words)
        self.skips = tuple(skips)
        self._orthography = orthography

    @cached_property
    def fillings(self) -> tuple[Filling, ...]:
        return tuple(Filling((word,)) for word in self.words)

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        return tuple(
            [(word.text, (word.used.entry,), word.used.target, (word.used,), word.warnings) for word in self.words]
        )

    @cached_property
    def capital_rows(self) -> tuple[Row, ...]:
        """The same for the start of a text."""
        capital = self._orthography.capital
        return tuple(
            [(capital(text), entries, target, forms, warnings) for text, entries, target, forms, warnings in self.rows]
        )

    @cached_property
    def sounds(self) -> tuple[str, ...]:
        """The sound of each word."""
        return tuple(word.sound for word in self.words)

    @cached_property
    def distinct_sounds(self) -> frozenset[str]:
        return frozenset(self.sounds)

    @cached_property
    def firsts(self) -> frozenset[str]:
        """The first words there are, which a preposition may melt with."""
        return frozenset(first_word(word.text) for word in self.words)


class WordFinder:
    """Answers which words fit a placeholder, in order, and which do not.

    Where the lexicon has no form in a perturbed spelling, `perturb` computes it from the plain one.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        orthography: Orthography,
        fallbacks: Sequence[Fallback],
        perturb: Perturb | None = None,
    ) -> None:
        self._lexicon = lexicon
        self._orthography = orthography
        self._fallbacks = tuple(fallbacks)
        self._perturb = perturb
        self._kept: dict[tuple[str, Features, str, bool], Found] = {}

    def find(self, kind: str, wanted: Features, perturbation: str, *, exactly: bool = False) -> Found:
        """Return the words by the position of their form, then of their entry; and the words without such a form."""
        key = (kind, wanted, perturbation, exactly)
        found = self._kept.get(key)
        if found is None:
            found = self._kept[key] = self._find(*key)
        return found

    def _find(self, kind: str, wanted: Features, perturbation: str, exactly: bool) -> Found:
        ranked: list[tuple[int, int, int, Word]] = []
        skips: list[Skip] = []
        column = self._lexicon.column(wanted, perturbation)
        for number, entry in enumerate(self._lexicon.entries(kind)):
            form, warnings = column.get(entry.key), NO_WARNINGS
            if form is None:
                found = find_form(self._lexicon, entry, wanted, perturbation, self._fallbacks, exactly=exactly)
                # The tokens of published suites ask for forms of their files and nothing else.
                if found is None and perturbation and self._perturb and not exactly:
                    found = self._computed(entry, wanted, perturbation, skips)
                    if found is None:
                        continue
                if found is None:
                    reason = _no_form(entry, wanted, perturbation)
                    skips.append(Skip(entry.key, entry.lemma, str(wanted), perturbation, reason))
                    continue
                form, warnings = found
            position = entry.position if form.position is None else form.position
            ranked.append((position, entry.position, number, Word(entry, form, warnings, self._orthography)))
        ranked.sort()  # no two have the same number: words are never compared
        return Found([word for *_, word in ranked], skips, self._orthography)

    def _computed(self, entry: Entry, wanted: Features, perturbation: str, skips: list[Skip]) -> FoundForm | None:
        """Return the plain form in the perturbed spelling; None where there is none, with the reason in `skips`."""
        assert self._perturb is not None
        plain = find_form(self._lexicon, entry, wanted, "", self._fallbacks)
        if plain is None:
            skips.append(Skip(entry.key, entry.lemma, str(wanted), "", _no_form(entry, wanted, "")))
            return None
        outcome = self._perturb(perturbation, plain.form.text)
        if outcome.text is None:
            reason = _(
                "'%(word)s' cannot be spelt with %(perturbation)s: %(reason)s",
                word=plain.form.text,
                perturbation=perturbation,
                reason=outcome.reason,
            )
            skips.append(Skip(entry.key, entry.lemma, str(wanted), perturbation, reason))
            return None
        return FoundForm(replace(plain.form, text=outcome.text, perturbation=perturbation), plain.warnings)


def _no_form(entry: Entry, wanted: Features, perturbation: str) -> str:
    """Say that a word lacks a form."""
    word = entry.lemma or entry.key
    if not wanted and not perturbation:
        return _("'%(word)s' has no base form", word=word)
    return _("'%(word)s' has no form for %(form)s", word=word, form=form_name(wanted, perturbation))
