"""The cases of one variant: words filled in, choices agreed, spelling settled where they meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from typing import NamedTuple

from curation.morphology.orthography import Orthography, Piece, last_word
from curation.morphology.placeholders import Template, Text
from curation.morphology.words import Filling, FormUsed, Found, Row, Skip


class Realised(NamedTuple):
    """One case. `target` joins the groups of its words with " + "; `entries` are the keys of the words used."""

    text: str
    entries: tuple[str, ...]
    target: str
    forms: tuple[FormUsed, ...]
    variant_features: str
    warnings: tuple[str, ...]


class Slot(NamedTuple):
    """A place for one entry: its placeholders and choices (numbers of parts), and what fits.

    `found` is there where the slot is a single placeholder that no choice follows.
    """

    placeholders: tuple[int, ...]
    choices: tuple[int, ...]
    fillings: tuple[Filling, ...]
    found: Found | None


class Plain(NamedTuple):
    """The common shape, one word between two texts: the text before each word (None: all alike), and around."""

    starts: tuple[str, ...] | None
    start: str
    after: str
    rows: tuple[Row, ...]


# A named tuple made without its Python-level constructor, which would take half the time of a case.
_new = tuple.__new__


class CompiledVariant:
    """One variant, parsed and looked up."""

    __slots__ = ("_features", "_orthography", "_plain", "skipped", "slots", "template")

    def __init__(
        self,
        template: Template,
        features: str,
        slots: tuple[Slot, ...],
        skipped: tuple[Skip, ...],
        orthography: Orthography,
    ) -> None:
        self.template = template
        self.slots = slots
        self.skipped = skipped
        self._features = features
        self._orthography = orthography
        self._plain = self._find_plain(slots[0]) if len(slots) == 1 else None

    @property
    def entries(self) -> set[str]:
        """The keys of all words used."""
        return {filling.words[0].used.entry for slot in self.slots for filling in slot.fillings}

    @property
    def at_most(self) -> int:
        """An upper bound of the number of cases."""
        count = 1
        for slot in self.slots:
            count *= len(slot.fillings)
        return count

    def realise(self) -> Iterable[Realised]:
        """The cases, in order."""
        plain = self._plain
        if plain is None:
            return self._realise_product()
        features, after, start = self._features, plain.after, plain.start
        if plain.starts is None:
            return [
                _new(Realised, (f"{start}{text}{after}", entries, target, forms, features, warnings))
                for text, entries, target, forms, warnings in plain.rows
            ]
        return [
            _new(Realised, (f"{start}{text}{after}", entries, target, forms, features, warnings))
            for start, (text, entries, target, forms, warnings) in zip(plain.starts, plain.rows, strict=True)
        ]

    def _find_plain(self, slot: Slot) -> Plain | None:
        """None where more than the text before the word can change."""
        parts, orthography = self.template.parts, self._orthography
        if slot.found is None or orthography.capitalise == "sentences":
            return None
        before = "".join([part.value for part in parts[: slot.placeholders[0]] if isinstance(part, Text)])
        after = "".join([part.value for part in parts[slot.placeholders[0] + 1 :] if isinstance(part, Text)])
        if orthography.han_without_blanks and (before.endswith(" ") or after.startswith(" ")):
            return None
        has_capital = orthography.capitalise != "no"
        if not before:
            return Plain(None, "", after, slot.found.capital_rows if has_capital else slot.found.rows)
        start = orthography.capital(before) if has_capital else before
        word = last_word(before)[1].casefold()
        if orthography.melts(word) and orthography.depends_on_spelling(word, slot.found.firsts):
            return None
        if not orthography.yields(word):
            return Plain(None, start, after, slot.found.rows)
        starts = {sound: orthography.before_sound(start, sound) for sound in set(slot.found.sounds)}
        return Plain(tuple(starts[sound] for sound in slot.found.sounds), "", after, slot.found.rows)

    def _realise_product(self) -> Iterator[Realised]:
        for fillings in product(*(slot.fillings for slot in self.slots)):
            entries = tuple(filling.words[0].used.entry for filling in fillings)
            if len(set(entries)) < len(entries):
                continue
            targets = dict.fromkeys(filling.words[0].used.target for filling in fillings)
            yield Realised(
                self._assemble(fillings),
                entries,
                " + ".join(target for target in targets if target),
                tuple(form for filling in fillings for form in filling.forms),
                self._features,
                tuple(warning for filling in fillings for warning in filling.warnings),
            )

    def _assemble(self, fillings: tuple[Filling, ...]) -> str:
        filled: dict[int, Piece] = {}
        for slot, filling in zip(self.slots, fillings, strict=True):
            for place, word in zip(slot.placeholders, filling.words, strict=True):
                filled[place] = Piece(word.text, True, word.sound)
            for place, text in zip(slot.choices, filling.choices, strict=True):
                filled[place] = Piece(text)
        return self._orthography.assemble(
            [
                Piece(part.value) if isinstance(part, Text) else filled[place]
                for place, part in enumerate(self.template.parts)
            ]
        )
