"""Approved templates of a suite as plans to count, sample and fill."""

from dataclasses import dataclass, field

from core.text import _
from curation.authoring.wording import fallbacks_of, lexicon_of, orthography_of, perturbations_of
from curation.cases.generating import Source, Variant, approved_sources, variants_of
from curation.models import Language, Suite
from curation.morphology.compiling import compile_variant
from curation.morphology.expand import NO_TEXT, Realised
from curation.morphology.features import FeatureError, parse_features
from curation.morphology.orthography import Orthography
from curation.morphology.placeholders import DEFAULT_KINDS, TemplateError, parse
from curation.morphology.render import CompiledVariant, Slot
from curation.morphology.words import Filling, Skip, WordFinder
from generation.expansion.plans import Axis, Combination, Entry, Plan
from generation.sentences import sentence_of

# Words without a group beside words with one: balanced like a group of their own.
NO_GROUP = "no group"


@dataclass(frozen=True, slots=True)
class ReadyText:
    """One text of a template, looked up: a slot for each word it takes, with all words that fit."""

    variant_id: int
    features: str
    compiled: CompiledVariant

    @property
    def slots(self) -> tuple[Slot, ...]:
        return self.compiled.slots

    @property
    def skipped(self) -> tuple[Skip, ...]:
        return self.compiled.skipped

    def fill(self, numbers: list[int]) -> Realised | None:
        """Return the case with these words, one number per slot; None where a word would meet itself."""
        return next(iter(self.compiled.with_words(numbers).realise()), None)


@dataclass(slots=True)
class TemplatePlans:
    """The plans of templates, what is needed to fill them, and texts that cannot be read."""

    plans: list[Plan] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    _sources: dict[str, tuple[Source, list[ReadyText]]] = field(default_factory=dict)

    def add(self, source: Source, texts: list[ReadyText], *, across_groups: bool) -> None:
        """Plan a template. Texts with one word each are one plan, so that gendered texts share out their groups."""
        parts = [texts] if all(len(text.slots) == 1 for text in texts) else [[text] for text in texts]
        for number, part in enumerate(parts, 1):
            key = source.key if len(parts) == 1 else f"{source.key}/{number}"
            self._sources[key] = source, part
            self.plans.append(Plan(key, _axes(part, across_groups=across_groups), source.functionality))

    @property
    def is_exact(self) -> bool:
        """False where two places of a text can take the same word: such combinations are counted but give no text."""
        return not any(_can_meet(text) for _source, texts in self._sources.values() for text in texts)

    def realise(self, combination: Combination) -> tuple[Source, int, Realised] | None:
        """Return the case of a combination; None where a word would meet itself."""
        source, texts = self._sources[combination.template]
        places = [entry.key.split(":") for _place, entry in combination.entries]
        text = texts[int(places[0][0])] if places else texts[0]
        realised = text.fill([int(number) for _text, number in places])
        return realised and (source, text.variant_id, realised)


def plan_templates(
    suite: Suite, language: Language, *, functionalities: tuple[str, ...] = (), across_groups: bool = False
) -> TemplatePlans:
    """Return the plans of all approved templates of a suite in a language, or of those of some functionalities.

    Words of a group go with words of the same group; with `across_groups` they go with those of all groups.
    """
    lexicon = lexicon_of(suite, language)
    orthography = orthography_of(language)
    finder = WordFinder(lexicon, orthography, fallbacks_of(language), perturbations_of(language))
    kinds = frozenset(lexicon.kinds | DEFAULT_KINDS)
    variants = variants_of(suite, language)
    planned = TemplatePlans()
    for source in approved_sources(suite, language):
        if functionalities and source.functionality not in functionalities:
            continue
        texts: list[ReadyText] = []
        for variant in variants[source.version_id]:
            if variant.text.strip() == NO_TEXT:
                continue
            try:
                texts.append(_look_up(variant, source, kinds, finder, orthography))
            except (TemplateError, FeatureError) as error:
                planned.problems.append(_problem(source, sentence_of(error)))
        # Beside texts with a placeholder, one without stands for "no such text".
        texts = [text for text in texts if text.slots] or texts
        planned.problems += [_problem(source, skip.reason) for skip in _uncovered(texts)]
        if texts:
            planned.add(source, texts, across_groups=across_groups)
    return planned


def _problem(source: Source, problem: str) -> str:
    return _("%(template)s: %(problem)s", template=source.key, problem=problem)


def _look_up(
    variant: Variant, source: Source, kinds: frozenset[str], finder: WordFinder, orthography: Orthography
) -> ReadyText:
    template = parse(variant.text, kinds=kinds)
    features, defaults = parse_features(variant.features), parse_features(source.defaults)
    compiled = compile_variant(template, features, defaults, finder, orthography)
    return ReadyText(variant.id, str(features), compiled)


def _axes(texts: list[ReadyText], *, across_groups: bool) -> tuple[Axis, ...]:
    """Return one axis per word; an entry's key says which text and which of its words."""
    axes: list[Axis] = []
    has_groups = False
    for place in range(len(texts[0].slots)):
        fillings = [
            (f"{number}:{position}", filling)
            for number, text in enumerate(texts)
            for position, filling in enumerate(text.slots[place].fillings)
        ]
        is_grouped = any(map(_group, (filling for _key, filling in fillings))) and not (across_groups and has_groups)
        has_groups = has_groups or is_grouped
        axes.append(
            Axis(
                str(place),
                tuple(
                    Entry(key, filling.words[0].text, (_group(filling) or NO_GROUP) if is_grouped else "")
                    for key, filling in fillings
                ),
            )
        )
    return tuple(axes)


def _uncovered(texts: list[ReadyText]) -> list[Skip]:
    """Return the words that no text of a template has a form for, each once."""
    slots = [slot for text in texts for slot in text.slots]
    served = {filling.words[0].used.entry for slot in slots for filling in slot.fillings}
    return list({skip.entry: skip for text in texts for skip in text.skipped if skip.entry not in served}.values())


def _can_meet(text: ReadyText) -> bool:
    words = [{filling.words[0].used.entry for filling in slot.fillings} for slot in text.slots]
    return sum(map(len, words)) > len(set[str]().union(*words))


def _group(filling: Filling) -> str:
    return filling.words[0].used.target
