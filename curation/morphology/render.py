"""A variant made ready once, and its cases: words filled in, choices agreed, spelling settled where they meet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import NamedTuple

from curation.morphology.features import NONE, Features
from curation.morphology.orthography import Orthography, Piece
from curation.morphology.placeholders import Choice, Placeholder, Template, TemplateError, Text
from curation.morphology.words import Candidate, FormUsed, Skip, WordFinder


class Realised(NamedTuple):
    """One case. `target` joins the groups of its words with " + "; `entries` are the keys of the words used."""

    text: str
    entries: tuple[str, ...]
    target: str
    forms: tuple[FormUsed, ...]
    variant_features: str
    warnings: tuple[str, ...]


class Filling(NamedTuple):
    """One word for all placeholders of a slot (several where they share a label)."""

    candidates: tuple[Candidate, ...]
    choices: tuple[str, ...]
    entries: tuple[str, ...]
    target: str
    forms: tuple[FormUsed, ...]
    warnings: tuple[str, ...]


class Slot(NamedTuple):
    """A place for one word: its placeholders and choices (numbers of parts), and the words that fit."""

    kind: str
    placeholders: tuple[int, ...]
    choices: tuple[int, ...]
    fillings: tuple[Filling, ...]


class CompiledVariant:
    """One variant, parsed and looked up."""

    def __init__(
        self,
        template: Template,
        features: Features,
        slots: tuple[Slot, ...],
        skipped: tuple[Skip, ...],
        orthography: Orthography,
    ) -> None:
        self.template = template
        self.slots = slots
        self.skipped = skipped
        self._features = str(features)
        self._orthography = orthography

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

    def realise(self) -> Iterator[Realised]:
        """The cases, in order."""
        if not self.slots:
            pieces = [Piece(part.value) for part in self.template.parts if isinstance(part, Text)]
            yield Realised(self._orthography.assemble(pieces), (), "", (), self._features, ())
        elif len(self.slots) == 1:
            yield from self._realise_single(self.slots[0])
        else:
            yield from self._realise_product()

    def _realise_single(self, slot: Slot) -> Iterator[Realised]:
        spell = self._spelling(slot)
        features = self._features
        for filling in slot.fillings:
            yield Realised(spell(filling), filling.entries, filling.target, filling.forms, features, filling.warnings)

    def _spelling(self, slot: Slot) -> Callable[[Filling], str]:
        """How a filling becomes a text; the common shape, text + word + text, needs no pieces."""
        parts = self.template.parts
        orthography = self._orthography
        if len(slot.placeholders) > 1 or slot.choices or len(parts) > 3:
            return lambda filling: orthography.assemble(self._pieces((slot,), (filling,)))
        place = slot.placeholders[0]
        before = parts[0].value if place and isinstance(parts[0], Text) else ""
        after = parts[place + 1].value if place + 1 < len(parts) and isinstance(parts[place + 1], Text) else ""  # type: ignore[union-attr]
        if (
            orthography.acts_after(before)
            or (orthography.han_without_blanks and after[:1].isspace())
            or orthography.capitalise == "sentences"
        ):
            return lambda filling: orthography.assemble(self._pieces((slot,), (filling,)))
        if orthography.capitalise == "no":
            return lambda filling: before + filling.candidates[0].text + after
        if before:
            capital = orthography.capital(before)
            return lambda filling: capital + filling.candidates[0].text + after
        return lambda filling: orthography.capital(filling.candidates[0].text) + after

    def _realise_product(self) -> Iterator[Realised]:
        kinds = [slot.kind for slot in self.slots]
        may_repeat = len(set(kinds)) == len(kinds)
        for fillings in product(*(slot.fillings for slot in self.slots)):
            entries = tuple(key for filling in fillings for key in filling.entries)
            if not may_repeat and len(set(entries)) < len(entries):
                continue
            targets = dict.fromkeys(filling.target for filling in fillings if filling.target)
            yield Realised(
                self._orthography.assemble(self._pieces(self.slots, fillings)),
                entries,
                " + ".join(targets),
                tuple(form for filling in fillings for form in filling.forms),
                self._features,
                tuple(warning for filling in fillings for warning in filling.warnings),
            )

    def _pieces(self, slots: tuple[Slot, ...], fillings: tuple[Filling, ...]) -> list[Piece]:
        filled: dict[int, Piece] = {}
        for slot, filling in zip(slots, fillings, strict=True):
            for place, candidate in zip(slot.placeholders, filling.candidates, strict=True):
                filled[place] = Piece(candidate.text, True, candidate.sound)
            for place, text in zip(slot.choices, filling.choices, strict=True):
                filled[place] = Piece(text)
        return [
            Piece(part.value) if isinstance(part, Text) else filled[place]
            for place, part in enumerate(self.template.parts)
        ]


def compile_variant(
    template: Template, features: Features, defaults: Features, finder: WordFinder, orthography: Orthography
) -> CompiledVariant:
    """Look up everything a variant needs. Raises TemplateError where a choice cannot be understood.

    A placeholder takes its own features, then those of the variant, then the defaults. A token of a published suite
    says all it wants: the variant adds nothing to it, and only a form without further features will do.
    """
    groups: dict[object, list[int]] = {}
    for place, part in enumerate(template.parts):
        if isinstance(part, Placeholder):
            groups.setdefault(part.label or place, []).append(place)
    followers: dict[int, list[int]] = {}
    for place, part in enumerate(template.parts):
        if isinstance(part, Choice):
            _check_order(part, orthography)
            followers.setdefault(_followed(template, place, part), []).append(place)
    slots, skipped = [], []
    for places in groups.values():
        slot, skips = _compile_slot(template, places, followers, features, defaults, finder, orthography)
        slots.append(slot)
        skipped.extend(skips)
    return CompiledVariant(template, features, tuple(slots), tuple(skipped), orthography)


def _followed(template: Template, place: int, choice: Choice) -> int:
    """The placeholder a choice agrees with: the first one with its label, or the nearest before it, or the next."""
    places = [number for number, part in enumerate(template.parts) if isinstance(part, Placeholder)]
    if choice.follows:
        return next(n for n in places if getattr(template.parts[n], "label", "") == choice.follows)
    before = [number for number in places if number < place]
    return before[-1] if before else places[0]


def _check_order(choice: Choice, orthography: Orthography) -> None:
    if choice.is_shorthand and len(choice.options) > len(orthography.genders):
        order = ", ".join(orthography.genders) or "none"
        raise TemplateError(
            choice.position,
            f"{len(choice.options)} options, but the genders of the language are: {order}",
            fix="write the features, e.g. {Gender=Masc:tous|Gender=Fem:toutes}",
        )


def _compile_slot(
    template: Template,
    places: list[int],
    followers: dict[int, list[int]],
    features: Features,
    defaults: Features,
    finder: WordFinder,
    orthography: Orthography,
) -> tuple[Slot, list[Skip]]:
    columns: list[dict[str, Candidate]] = []
    skipped: list[Skip] = []
    for place in places:
        part = template.parts[place]
        assert isinstance(part, Placeholder)
        wanted = defaults.merge(NONE if part.alias else features).merge(part.features)
        candidates, skips = finder.find(part.kind, wanted, part.perturbation, exactly=bool(part.alias))
        columns.append({candidate.used.entry: candidate for candidate in candidates})
        skipped.extend(skips)
    choices = tuple(choice for place in places for choice in followers.get(place, ()))
    fillings: list[Filling] = []
    for key, first in columns[0].items():
        if not all(key in column for column in columns):
            continue
        words = tuple(column[key] for column in columns)
        agreement = {place: features.merge(word.agreement) for place, word in zip(places, words, strict=True)}
        texts = []
        for place in places:
            for number in followers.get(place, ()):
                choice = template.parts[number]
                assert isinstance(choice, Choice)
                text = agree(choice, agreement[place], orthography.genders)
                if text is None:
                    known = str(agreement[place]) or "no features"
                    reason = f"'{first.text}' ({known}) fits no option of {choice}"
                    skipped.append(Skip(key, first.text, known, "", reason))
                texts.append(text)
        if None in texts:
            continue
        forms = tuple(word.used for word in words)
        fillings.append(
            Filling(
                words,
                tuple(text for text in texts if text is not None),
                (key,),
                first.used.target,
                forms,
                tuple(dict.fromkeys(warning for word in words for warning in word.warnings)),
            )
        )
    first_part = template.parts[places[0]]
    assert isinstance(first_part, Placeholder)
    return Slot(first_part.kind, tuple(places), choices, tuple(fillings)), skipped


def agree(choice: Choice, agreement: Features, genders: tuple[str, ...]) -> str | None:
    """The option that fits a word's features, None where none does."""
    if choice.is_shorthand:
        gender = agreement.get("Gender")
        if gender not in genders[: len(choice.options)]:
            return None
        return choice.options[genders.index(gender)].text
    for option in choice.options:
        if option.features is None or option.features.is_subset(agreement):
            return option.text
    return None
