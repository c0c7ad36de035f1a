"""The cases of one variant: words filled in, choices agreed, spelling settled where they meet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import product
from typing import NamedTuple

from curation.morphology.orthography import Orthography, Piece
from curation.morphology.placeholders import Template, Text
from curation.morphology.words import Filling, FormUsed, Skip


class Realised(NamedTuple):
    """One case. `target` joins the groups of its words with " + "; `entries` are the keys of the words used."""

    text: str
    entries: tuple[str, ...]
    target: str
    forms: tuple[FormUsed, ...]
    variant_features: str
    warnings: tuple[str, ...]


class Slot(NamedTuple):
    """A place for one entry: its placeholders and choices (numbers of parts), and what fits."""

    kind: str
    placeholders: tuple[int, ...]
    choices: tuple[int, ...]
    fillings: tuple[Filling, ...]
    sounds: frozenset[str]
    firsts: frozenset[str]


class Plain(NamedTuple):
    """The common shape, one word between two texts: what stands before a word of each sound, and what stands after."""

    starts: dict[str, str]
    after: str


# A named tuple made without its Python-level constructor, which would take half the time of a case.
_realised = partial(tuple.__new__, Realised)


class CompiledVariant:
    """One variant, parsed and looked up."""

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
        return {key for slot in self.slots for filling in slot.fillings for key in filling.entries}

    @property
    def at_most(self) -> int:
        """An upper bound of the number of cases."""
        count = 1
        for slot in self.slots:
            count *= len(slot.fillings)
        return count

    def realise(self) -> Iterable[Realised]:
        """The cases, in order."""
        if not self.slots:
            return [Realised(self._assemble((), ()), (), "", (), self._features, ())]
        if len(self.slots) > 1:
            return self._realise_product()
        if self._plain is None:
            return self._realise_pieces(self.slots[0])
        return self._realise_plain(self.slots[0], self._plain)

    def _find_plain(self, slot: Slot) -> Plain | None:
        """None where more than the text before the word can change."""
        parts, orthography = self.template.parts, self._orthography
        if len(slot.placeholders) > 1 or slot.choices or orthography.capitalise == "sentences":
            return None
        before = "".join(part.value for part in parts[: slot.placeholders[0]] if isinstance(part, Text))
        after = "".join(part.value for part in parts[slot.placeholders[0] + 1 :] if isinstance(part, Text))
        if orthography.han_without_blanks and (before.endswith(" ") or after.startswith(" ")):
            return None
        if orthography.depends_on_spelling(before, slot.firsts):
            return None
        starts = {sound: orthography.before_sound(before, sound) for sound in slot.sounds}
        if orthography.capitalise != "no":
            starts = {sound: orthography.capital(start) for sound, start in starts.items()}
        return Plain(starts, after)

    def _realise_plain(self, slot: Slot, plain: Plain) -> list[Realised]:
        features, starts, after = self._features, plain.starts, plain.after
        start = next(iter(starts.values()), "")
        if not start and self._orthography.capitalise != "no":
            return [
                _realised((words[0].capital + after, entries, target, forms, features, warnings))
                for _, _, entries, target, forms, warnings, words, _ in slot.fillings
            ]
        if len(set(starts.values())) == 1:
            return [
                _realised((start + text + after, entries, target, forms, features, warnings))
                for text, _, entries, target, forms, warnings, _, _ in slot.fillings
            ]
        return [
            _realised((starts[sound] + text + after, entries, target, forms, features, warnings))
            for text, sound, entries, target, forms, warnings, _, _ in slot.fillings
        ]

    def _realise_pieces(self, slot: Slot) -> Iterator[Realised]:
        for filling in slot.fillings:
            text = self._assemble((slot,), (filling,))
            yield Realised(text, filling.entries, filling.target, filling.forms, self._features, filling.warnings)

    def _realise_product(self) -> Iterator[Realised]:
        kinds = [slot.kind for slot in self.slots]
        may_meet_itself = len(set(kinds)) < len(kinds)
        for fillings in product(*(slot.fillings for slot in self.slots)):
            entries = tuple(key for filling in fillings for key in filling.entries)
            if may_meet_itself and len(set(entries)) < len(entries):
                continue
            targets = dict.fromkeys(filling.target for filling in fillings if filling.target)
            yield Realised(
                self._assemble(self.slots, fillings),
                entries,
                " + ".join(targets),
                tuple(form for filling in fillings for form in filling.forms),
                self._features,
                tuple(warning for filling in fillings for warning in filling.warnings),
            )

    def _assemble(self, slots: tuple[Slot, ...], fillings: tuple[Filling, ...]) -> str:
        filled: dict[int, Piece] = {}
        for slot, filling in zip(slots, fillings, strict=True):
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
