"""From a parsed variant to slots with their words: all that can be done once, before any case is made."""

from core.text import _
from curation.morphology.agreement import agree, check_choice, followed_by
from curation.morphology.feature_names import features_name
from curation.morphology.features import NONE, Features
from curation.morphology.orthography import Orthography
from curation.morphology.placeholders import Choice, Placeholder, Template
from curation.morphology.render import CompiledVariant, Slot
from curation.morphology.words import Filling, Found, Skip, Word, WordFinder


def compile_variant(
    template: Template, features: Features, defaults: Features, finder: WordFinder, orthography: Orthography
) -> CompiledVariant:
    """Look up everything a variant needs. Raises TemplateError where a choice cannot be understood."""
    groups: dict[str | int, list[int]] = {}
    followers: dict[int, list[int]] = {}
    for place, part in enumerate(template.parts):
        if isinstance(part, Placeholder):
            groups.setdefault(part.label or place, []).append(place)
        elif isinstance(part, Choice):
            check_choice(part, orthography.genders)
            if len(part.labels) < 2:
                followers.setdefault(followed_by(template, place), []).append(place)
    slots: list[Slot] = []
    skipped: list[Skip] = []
    for places in groups.values():
        columns = [find_words(template.parts[place], features, defaults, finder) for place in places]
        for column in columns:
            skipped.extend(column.skips)
        choices = {place: followers[place] for place in places if place in followers}
        if len(columns) == 1 and not choices:
            slots.append(Slot(tuple(places), (), columns[0].fillings))
            continue
        fillings, skips = _combine(template, places, columns, choices, features, orthography.genders)
        skipped.extend(skips)
        agreeing = tuple(number for numbers in choices.values() for number in numbers)
        slots.append(Slot(tuple(places), agreeing, fillings))
    return CompiledVariant(template, str(features), tuple(slots), tuple(skipped), orthography)


def find_words(part: object, features: Features, defaults: Features, finder: WordFinder) -> Found:
    """Return the words for a placeholder. It takes its own features, then those of the variant, then the defaults.

    A token of a published suite says all it wants: the variant adds nothing to it, and only a form without further
    features will do.
    """
    assert isinstance(part, Placeholder)
    wanted = defaults.merge(NONE if part.alias else features).merge(part.features)
    return finder.find(part.kind, wanted, part.perturbation, exactly=bool(part.alias))


def _combine(
    template: Template,
    places: list[int],
    columns: list[Found],
    choices: dict[int, list[int]],
    features: Features,
    genders: tuple[str, ...],
) -> tuple[tuple[Filling, ...], list[Skip]]:
    """Return the entries that every placeholder of the slot has a form of and every choice an option for."""
    by_entry = [{word.used.entry: word for word in column.words} for column in columns]
    fillings: list[Filling] = []
    skips: list[Skip] = []
    for key in by_entry[0]:
        words = tuple(column[key] for column in by_entry if key in column)
        if len(words) < len(columns):
            continue
        word_at = dict(zip(places, words, strict=True))
        texts: list[str] = []
        for place, numbers in choices.items():
            for number in numbers:
                text, skip = _choose(template.parts[number], word_at[place], features, genders)
                texts.append(text)
                skips.extend(skip)
        if len(skips) and skips[-1].entry == key:
            continue
        fillings.append(Filling(words, tuple(texts)))
    return tuple(fillings), skips


def _choose(part: object, word: Word, features: Features, genders: tuple[str, ...]) -> tuple[str, list[Skip]]:
    assert isinstance(part, Choice)
    agreement = features.merge(word.agreement)
    text = agree(part, agreement, genders)
    if text is not None:
        return text, []
    reason = (
        _(
            "'%(word)s' (%(features)s) fits no option of %(choice)s",
            word=word.text,
            features=features_name(agreement),
            choice=str(part),
        )
        if agreement
        else _("'%(word)s' fits no option of %(choice)s", word=word.text, choice=str(part))
    )
    return "", [Skip(word.used.entry, word.text, str(agreement) or "no features", word.used.perturbation, reason)]
