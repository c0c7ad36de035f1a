"""Expansion of templates: every word in every placeholder, spelt as the language asks.

    expander = Expander(Lexicon(entries, forms), load_orthography("fr"))
    expansion = expander.expand(template.variants, template.defaults)
    for realised in expansion: ...       # text, entries, target, forms, variant_features, warnings
    expansion.skipped                    # words without the form that was asked for, with the reason
    expansion.faults                     # variants that could not be read, with position and fix

Cases come variant by variant in the order given, and per variant by the position of the forms (then of the entries);
with several placeholders the first one changes slowest.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, Protocol

from core.text import _
from curation.morphology.compiling import compile_variant, find_words
from curation.morphology.features import FeatureError, Features, parse_features
from curation.morphology.lexicon import Lexicon
from curation.morphology.lookup import Fallback
from curation.morphology.orthography import Orthography
from curation.morphology.placeholders import (
    DEFAULT_KINDS,
    TemplateError,
    parse,
    read_placeholder,
)
from curation.morphology.realised import Realised
from curation.morphology.render import CompiledVariant
from curation.morphology.single import Fitter, SingleVariant, single_fitter
from curation.morphology.words import FormUsed, Perturb, Skip, WordFinder

MOST_CASES = 100_000  # of one variant; more is a slip, and would take hours
KEPT_AT_MOST = 4_096
NO_TEXT = "-"  # how a published sheet says that there is no such text

Variant = CompiledVariant | SingleVariant

__all__ = ["Expander", "Expansion", "Fault", "FormUsed", "Realised", "Skip", "VariantLike"]


class VariantLike(Protocol):
    """One text of a template, e.g. `curation.formats.values.VariantValue`."""

    @property
    def features(self) -> str: ...

    @property
    def text(self) -> str: ...


class Fault(NamedTuple):
    """A variant that gives no cases, and why. `position` is the character at fault, the first one is 1."""

    variant: int
    position: int
    problem: str
    fix: str


class Expansion:
    """All cases of a template; iterate as often as needed. Never changes."""

    __slots__ = ("faults", "variants")

    def __init__(self, variants: Sequence[Variant], faults: tuple[Fault, ...] = ()) -> None:
        self.variants = variants
        self.faults = faults

    def __iter__(self) -> Iterator[Realised]:
        if len(self.variants) == 1:
            return iter(self.variants[0].realise())
        return chain.from_iterable(variant.realise() for variant in self.variants)

    @property
    def skipped(self) -> tuple[Skip, ...]:
        """Words left out, by variant; a word of another gender is normally served by another variant."""
        return tuple(skip for variant in self.variants for skip in variant.skipped)

    @property
    def uncovered(self) -> tuple[Skip, ...]:
        """The words that no variant has a form for, each once."""
        served = {key for variant in self.variants for key in variant.entries}
        missing = {skip.entry: skip for skip in self.skipped if skip.entry not in served}
        return tuple(missing.values())

    @property
    def at_most(self) -> int:
        """How many cases there can be, found without making them; fewer where a word would meet itself."""
        return sum(variant.at_most for variant in self.variants)


class Expander:
    """Fills the templates of one language from a lexicon. Make one and use it for all templates: lookups are kept.

    `fallbacks` are the declared ways out where a form is missing; `kinds` the names placeholders may have (default:
    identity, slur and every kind in the lexicon); `perturb` computes perturbed forms that the lexicon lacks.
    """

    def __init__(
        self,
        lexicon: Lexicon,
        orthography: Orthography,
        *,
        fallbacks: Sequence[Fallback] = (),
        kinds: Collection[str] | None = None,
        perturb: Perturb | None = None,
    ) -> None:
        self.orthography = orthography
        self.kinds = frozenset(kinds) if kinds is not None else lexicon.kinds | DEFAULT_KINDS
        self._lexicon = lexicon
        self._finder = WordFinder(lexicon, orthography, fallbacks, perturb)
        self._fitters: dict[tuple[str, str, str | Features], Fitter] = {}
        # A preview expands the same texts again and again; what is asked for once, as in generating, is not kept.
        self._asked: set[int] = set()
        self._singles: dict[tuple[str, str, str | Features], SingleVariant] = {}  # a text, its features and defaults
        self._kept: dict[tuple[tuple[tuple[str, str], ...], str | Features], Expansion] = {}

    def expand(
        self, variants: Iterable[VariantLike], defaults: str | Features = "", *, strict: bool = False
    ) -> Expansion:
        """Return the cases of a template. A faulty variant is listed in `faults`; with `strict` it raises.

        `defaults` are features each placeholder takes unless it names its own. A variant whose text is "-", or which
        has no placeholder while another one has, stands for "no such text".
        """
        variants = tuple(variants)
        singles: list[Variant] = []
        for variant in variants:
            single = self._fit_single(variant.text, variant.features, defaults)
            if single is None:
                return self._expand_any(tuple([(v.text, v.features) for v in variants]), defaults, strict)
            singles.append(single)
        return Expansion(singles)

    def forget(self) -> None:
        """Read every text anew from now on; the words that were looked up stay."""
        self._singles.clear()
        self._asked.clear()
        self._kept.clear()

    @property
    def features(self) -> dict[str, frozenset[str]]:
        """The values there are of each feature."""
        return self._lexicon.features

    @property
    def lexicon(self) -> Lexicon:
        """The words it fills templates with."""
        return self._lexicon

    def _fit_single(self, text: str, features: str, defaults: str | Features) -> SingleVariant | None:
        """Return the variant if it is one word between two texts; None where the grammar is needed.

        In one piece, because most of what a new template costs is spent here.
        """
        number = hash(text)
        is_asked_again = number in self._asked
        if is_asked_again:
            single = self._singles.get((text, features, defaults))
            if single is not None:
                return single
        else:
            if len(self._asked) >= KEPT_AT_MOST:
                self.forget()
            self._asked.add(number)
        before, _, rest = text.partition("[")
        inside, closing, after = rest.partition("]")
        if not closing or "]" in before or "[" in rest or "]" in after or "\\" in text or "{" in text or "}" in text:
            return None
        token = (inside, features, defaults)
        fit = self._fitters.get(token)
        if fit is None:
            if len(self._fitters) >= KEPT_AT_MOST:  # a preview sees every half-typed placeholder
                self._fitters.clear()
            fit = self._fitters[token] = self._fitter(*token)
        single = fit(before, after)
        if is_asked_again and single is not None:
            if len(self._singles) >= KEPT_AT_MOST:
                self._singles.clear()
            self._singles[text, features, defaults] = single
        return single

    def _fitter(self, inside: str, features: str, defaults: str | Features) -> Fitter:
        """Return what puts the words for a placeholder between two texts; it gives None where something is wrong."""
        usual = parse_features(defaults)
        placeholder = read_placeholder(f"[{inside}]", self.kinds)
        if placeholder is None:
            return _fits_nothing
        try:
            own = parse_features(features)
        except FeatureError:
            return _fits_nothing
        found = find_words(placeholder, own, usual, self._finder)
        return _fits_nothing if len(found.words) > MOST_CASES else single_fitter(found, str(own), self.orthography)

    def _expand_any(self, texts: tuple[tuple[str, str], ...], defaults: str | Features, strict: bool) -> Expansion:
        """Return the same for variants of any shape."""
        key = (texts, defaults)
        number = hash(key)
        if number not in self._asked:
            if len(self._asked) >= KEPT_AT_MOST:
                self.forget()
            self._asked.add(number)
            return self._read_any(texts, parse_features(defaults), strict)
        expansion = self._kept.get(key)
        if expansion is None or (strict and expansion.faults):
            expansion = self._kept[key] = self._read_any(texts, parse_features(defaults), strict)
        return expansion

    def _read_any(self, texts: tuple[tuple[str, str], ...], defaults: Features, strict: bool) -> Expansion:
        compiled: list[tuple[int, Variant]] = []
        faults: list[Fault] = []
        for number, (text, features) in enumerate(texts):
            if len(texts) > 1 and text.strip() in ("", NO_TEXT):
                faults.append(Fault(number, 1, _("the variant has no text"), _("write one, or remove the variant")))
                continue
            try:
                variant = self._fit_single(text, features, defaults) or self._compile(text, features, defaults)
                compiled.append((number, variant))
            except TemplateError as error:
                if strict:
                    raise
                faults.append(Fault(number, error.position, error.problem, error.fix))
            except FeatureError as error:
                if strict:
                    raise
                faults.append(Fault(number, 1, error.problem, _("correct the features of the variant")))
        filled = [variant for _, variant in compiled if variant.has_words]
        if not filled:
            return Expansion([variant for _, variant in compiled], tuple(faults))
        problem = _("this variant has no placeholder, another variant of the template has one")
        for number, variant in compiled:
            if not variant.has_words:
                faults.append(Fault(number, 1, problem, _("add the placeholder, or remove the variant")))
        return Expansion(filled, tuple(sorted(faults)))

    def _compile(self, text: str, features: str, defaults: Features) -> CompiledVariant:
        template = parse(text, kinds=self.kinds)
        variant = compile_variant(template, parse_features(features), defaults, self._finder, self.orthography)
        if variant.at_most > MOST_CASES:
            raise _too_many(variant)
        return variant


def _fits_nothing(before: str, after: str) -> None:
    return None


def _too_many(variant: CompiledVariant) -> TemplateError:
    return TemplateError(
        variant.position,
        _("the placeholders combine to more than %(most)s cases", most=MOST_CASES),
        fix=_("give the same label to placeholders that stand for the same word, e.g. [identity#1]"),
    )
