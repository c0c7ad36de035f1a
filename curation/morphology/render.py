"""The cases of a variant of any shape: words filled in, choices agreed, spelling settled where they meet."""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple, Self

from curation.morphology.agreement import agree, agree_jointly
from curation.morphology.features import parse_features
from curation.morphology.orthography import Orthography, Piece
from curation.morphology.placeholders import Choice, Placeholder, Template, Text
from curation.morphology.realised import TARGETS_JOINED_BY, Realised
from curation.morphology.words import Filling, Skip


class Slot(NamedTuple):
    """A place for one entry: its placeholders and choices (numbers of parts), and what fits."""

    placeholders: tuple[int, ...]
    choices: tuple[int, ...]
    fillings: tuple[Filling, ...]


class JointChoice(NamedTuple):
    """A choice that follows several words: number of its part, the choice, and the numbers of their slots."""

    place: int
    choice: Choice
    slots: tuple[int, ...]


class CompiledVariant:
    """One variant, parsed and looked up."""

    __slots__ = ("_features", "_joint", "_orthography", "_template", "skipped", "slots")

    def __init__(
        self,
        template: Template,
        features: str,
        slots: tuple[Slot, ...],
        skipped: tuple[Skip, ...],
        orthography: Orthography,
    ) -> None:
        self._joint = tuple(_joint_choices(template, slots))
        self.slots = slots
        self.skipped = skipped
        self._template = template
        self._features = features
        self._orthography = orthography

    @property
    def has_words(self) -> bool:
        """False if the text has no placeholder."""
        return bool(self.slots)

    @property
    def position(self) -> int:
        """Where the last placeholder stands; the first character is 1."""
        return self._template.placeholders[-1].position

    @property
    def entries(self) -> set[str]:
        """The keys of all words used wherever they are asked for."""
        used = {filling.words[0].used.entry for slot in self.slots for filling in slot.fillings}
        return used - {skip.entry for skip in self.skipped}

    @property
    def at_most(self) -> int:
        """An upper bound of the number of cases."""
        count = 1
        for slot in self.slots:
            count *= len(slot.fillings)
        return count

    def realise(self) -> Iterator[Realised]:
        """Yield the cases, in order."""
        for fillings in product(*(slot.fillings for slot in self.slots)):
            entries = tuple(filling.words[0].used.entry for filling in fillings)
            if len(set(entries)) < len(entries):
                continue
            chosen = self._choose_jointly(fillings)
            if chosen is None:
                continue
            targets = dict.fromkeys(filling.words[0].used.target for filling in fillings)
            yield Realised(
                (
                    self._assemble(fillings, chosen),
                    entries,
                    TARGETS_JOINED_BY.join(target for target in targets if target),
                    tuple(form for filling in fillings for form in filling.forms),
                    self._features,
                    tuple(warning for filling in fillings for warning in filling.warnings),
                )
            )

    def with_words(self, numbers: Sequence[int]) -> Self:
        """Return the same variant with one word per slot, given by its number."""
        slots = tuple(
            slot._replace(fillings=(slot.fillings[number],)) for slot, number in zip(self.slots, numbers, strict=True)
        )
        return type(self)(self._template, self._features, slots, (), self._orthography)

    def _choose_jointly(self, fillings: tuple[Filling, ...]) -> dict[int, Piece] | None:
        """Return what the choices that follow several words come out as; None where one has no option for them."""
        chosen: dict[int, Piece] = {}
        own = parse_features(self._features)
        for place, choice, slots in self._joint:
            words = [own.merge(fillings[slot].words[0].agreement) for slot in slots]
            text = agree(choice, agree_jointly(words, self._orthography.genders), self._orthography.genders)
            if text is None:
                return None
            chosen[place] = Piece(text)
        return chosen

    def _assemble(self, fillings: tuple[Filling, ...], chosen: dict[int, Piece]) -> str:
        filled = dict(chosen)
        for slot, filling in zip(self.slots, fillings, strict=True):
            for place, word in zip(slot.placeholders, filling.words, strict=True):
                filled[place] = Piece(word.text, True, word.sound)
            for place, text in zip(slot.choices, filling.choices, strict=True):
                filled[place] = Piece(text)
        return self._orthography.assemble(
            [
                Piece(part.value) if isinstance(part, Text) else filled[place]
                for place, part in enumerate(self._template.parts)
            ]
        )


def _joint_choices(template: Template, slots: tuple[Slot, ...]) -> Iterator[JointChoice]:
    """Yield the choices of a template that follow several words."""
    numbers = {
        part.label: number
        for number, slot in enumerate(slots)
        for place in slot.placeholders
        if isinstance(part := template.parts[place], Placeholder)
    }
    for place, part in enumerate(template.parts):
        if isinstance(part, Choice) and len(part.labels) > 1:
            yield JointChoice(place, part, tuple(numbers[label] for label in part.labels))
