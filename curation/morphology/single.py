"""The common shape of a variant, one word between two texts: made fast, because nearly all templates have it."""

from collections.abc import Callable
from typing import NamedTuple

from curation.morphology.orthography import Orthography
from curation.morphology.realised import Realised
from curation.morphology.words import Found, Row, Skip

Fitter = Callable[[str, str], "SingleVariant | None"]

# A named tuple made without its Python-level constructor, which takes longer than the rest.
_new = tuple.__new__


class SingleVariant(NamedTuple):
    """A variant whose cases differ in one word, and in the text before it where `starts` is given (one per word)."""

    found: Found
    rows: tuple[Row, ...]
    start: str
    starts: tuple[str, ...] | None
    after: str
    features: str

    @property
    def has_words(self) -> bool:
        """Always: it has one placeholder."""
        return True

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """Words without the form that was asked for."""
        return self.found.skips

    @property
    def entries(self) -> set[str]:
        """The keys of all words used."""
        return {word.used.entry for word in self.found.words}

    @property
    def at_most(self) -> int:
        """The number of cases."""
        return len(self.rows)

    def realise(self) -> list[Realised]:
        """Return the cases, in order."""
        _found, rows, start, starts, after, features = self
        if starts is None:
            return [
                Realised((f"{start}{text}{after}", entries, target, forms, features, warnings))
                for text, entries, target, forms, warnings in rows
            ]
        return [
            Realised((f"{start}{text}{after}", entries, target, forms, features, warnings))
            for start, (text, entries, target, forms, warnings) in zip(starts, rows, strict=True)
        ]


def single_fitter(found: Found, features: str, orthography: Orthography) -> Fitter:
    """Return what makes a variant of the text before one of these words and the text after it.

    It gives None where more than the text before the word can change.
    """
    capitals, rows = orthography.capitalise, found.rows
    if capitals == "sentences":
        return lambda before, after: None
    closes_up, heeding_word = orthography.han_without_blanks, orthography.heeding_word

    def fit(before: str, after: str) -> SingleVariant | None:
        if closes_up and (before[-1:] == " " or after[:1] == " "):
            return None
        if not before:
            first = rows if capitals == "no" else found.capital_rows
            return _new(SingleVariant, (found, first, "", None, after, features))
        start, starts = before, None
        if capitals == "start" and not before[0].isupper():
            if orthography.leaves_capital(before):
                return None
            start = orthography.capital(before)
        if word := heeding_word(before):
            if orthography.depends_on_spelling(word, found.firsts):
                return None
            usual = orthography.before_sound(start, "") if orthography.may_melt(before, word) else start
            if sounds := orthography.yields_to(word, found.distinct_sounds):
                changed = {sound: orthography.before_sound(start, sound) for sound in sounds}
                starts = tuple([changed.get(sound, usual) for sound in found.sounds])
            start = usual
        return _new(SingleVariant, (found, rows, start, starts, after, features))

    return fit
