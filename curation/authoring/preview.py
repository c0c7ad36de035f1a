"""What a wording would give, while it is typed: cases, faults with their place, missing forms, twins, uneven groups."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from core.text import _, ngettext
from curation.authoring.wording_checks import LONGEST_TEXT, VariantText
from curation.lexicon.vocabulary import Vocabulary, perturbations_in, vocabulary_of
from curation.models import Language, Suite, Template, TestCase
from curation.morphology.expand import Expansion, VariantLike
from curation.morphology.features import FeatureError, parse_features
from curation.morphology.identity import text_hash
from curation.morphology.linting import Finding, check_template
from curation.morphology.lookup import AMBIGUOUS
from curation.morphology.placeholders import Span, tokens_for_highlighting
from curation.morphology.word_checks import check_words

MOST_SHOWN = 1_000


@dataclass(frozen=True, slots=True)
class PreviewCase:
    """One case as it would come out. `twin` is the key of the case that has the same text, "" where there is none."""

    text: str
    target: str
    features: str
    words: tuple[str, ...]
    warnings: tuple[str, ...]
    twin: str = ""


@dataclass(frozen=True, slots=True)
class MissingForm:
    """An empty cell of the lexicon that the template asks for."""

    entry: str
    lemma: str
    kind: str
    wanted: str
    perturbation: str
    reason: str


@dataclass(frozen=True, slots=True)
class Preview:
    """`total` counts what there would be, also beyond the cases shown; `spans` colour each text.

    All cases get the same gold label, "" where none is chosen yet.
    """

    cases: tuple[PreviewCase, ...]
    total: int
    findings: tuple[Finding, ...]
    missing: tuple[MissingForm, ...]
    groups: tuple[tuple[str, int], ...]
    spans: tuple[tuple[Span, ...], ...]
    label: str = ""

    @property
    def stops(self) -> tuple[Finding, ...]:
        """What leaves a text without cases."""
        return tuple(finding for finding in self.findings if finding.stops)

    @property
    def causes(self) -> tuple[Finding, ...]:
        """What leaves words out for a reason that stands in the text."""
        return tuple(finding for finding in self.findings if finding.code == "unknown_feature")

    @property
    def hints(self) -> tuple[Finding, ...]:
        """What is odd and gives cases all the same."""
        return tuple(finding for finding in self.findings if not finding.stops and finding not in self.causes)

    @property
    def twins(self) -> tuple[PreviewCase, ...]:
        return tuple(case for case in self.cases if case.twin)

    @property
    def is_uneven(self) -> bool:
        """Whether groups get different numbers of cases."""
        return len({count for _, count in self.groups}) > 1

    @property
    def is_cut(self) -> bool:
        return self.total > len(self.cases)


def preview(
    suite: Suite,
    language: Language,
    variants: Sequence[VariantLike],
    *,
    defaults: str = "",
    template: Template | None = None,
    label: str | None = None,
) -> Preview:
    """Return all an author wants to know about texts, also half-written ones; three queries. Never raises.

    `label` is the gold label as typed, "" where a mixed functionality has none yet; otherwise that of the template.
    """
    if label is None and template is not None:
        label = template.label
    words = vocabulary_of(suite, language)
    if not any(variant.text.strip() for variant in variants):
        return Preview((), 0, (), (), (), tuple(() for _ in variants), label or "")
    too_long = [place for place, variant in enumerate(variants) if len(variant.text) > LONGEST_TEXT]
    said = [_too_long(place, variants[place]) for place in too_long]
    variants = [VariantText(item.features, "" if n in too_long else item.text) for n, item in enumerate(variants)]
    genders = words.expander.orthography.genders
    found = check_template(
        variants,
        kinds=words.expander.kinds,
        perturbations=perturbations_in(words, language),
        genders=genders,
        features=words.expander.features or None,
    )
    findings = [*said, *(finding for finding in found if finding.variant not in too_long)]
    try:
        parse_features(defaults)
    except FeatureError as error:
        findings = [
            Finding(0, 1, "features", error.problem, _("correct the default features"), True),
            *findings,
        ]
        defaults = ""
    faulty = {finding.variant for finding in findings if finding.stops}
    texts = [("", "") if place in faulty else (item.features, item.text) for place, item in enumerate(variants)]
    findings += check_words(texts, parse_features(defaults), words.expander.lexicon)
    expansion = words.expander.expand(variants, defaults)
    realised = list(islice(expansion, MOST_SHOWN))
    twins = _twins(suite, language, template, [case.text for case in realised])
    seen: set[str] = set()
    cases = []
    for case in realised:
        twin = _("this template") if case.text in seen else twins.get(text_hash(case.text), "")
        seen.add(case.text)
        lemmas = tuple(words.lemmas.get(entry, entry) for entry in case.entries)
        warnings = tuple(warning for warning in case.warnings if AMBIGUOUS not in warning)  # said once, as a finding
        cases.append(PreviewCase(case.text, case.target, case.variant_features, lemmas, warnings, twin))
    if label == "":
        findings.append(_without_label())
    total = expansion.at_most if len(realised) == MOST_SHOWN else len(realised)
    return Preview(
        cases=tuple(cases),
        total=total,
        findings=tuple(_with_faults(findings, expansion)),
        missing=_missing(expansion, words, words.expander.features),
        groups=_groups(cases, expansion, words),
        spans=tuple(tuple(tokens_for_highlighting(item.text, kinds=words.expander.kinds)) for item in variants),
        label=label or "",
    )


def _without_label() -> Finding:
    message = _("the functionality is mixed, so the template needs a gold label of its own")
    return Finding(0, 1, "gold_label", message, _("choose the gold label"), True)


def _too_long(place: int, variant: VariantLike) -> Finding:
    count = len(variant.text)
    message = ngettext("the text has %(count)s character", "the text has %(count)s characters", count)
    return Finding(place, LONGEST_TEXT + 1, "syntax", message, _("use at most %(most)s", most=LONGEST_TEXT), True)


def _with_faults(findings: list[Finding], expansion: Expansion) -> list[Finding]:
    """Return what only filling the words in brings up, beside what reading the text does."""
    known = {finding.variant for finding in findings if finding.stops}
    more = [
        Finding(fault.variant, fault.position, "syntax", fault.problem, fault.fix, True)
        for fault in expansion.faults
        if fault.variant not in known
    ]
    return sorted([*findings, *more])


def _missing(expansion: Expansion, words: Vocabulary, known: Mapping[str, Collection[str]]) -> tuple[MissingForm, ...]:
    """Return the empty cells. What no word has is a finding about the text, not about each of the words."""
    return tuple(
        MissingForm(
            skip.entry, skip.lemma, words.kinds.get(skip.entry, ""), skip.wanted, skip.perturbation, skip.reason
        )
        for skip in expansion.uncovered
        if skip.perturbation or all(value in known.get(name, ()) for name, value in _pairs(skip.wanted))
    )


def _pairs(wanted: str) -> list[tuple[str, str]]:
    try:
        return list(parse_features(wanted))
    except FeatureError:  # a choice that fits no option says so in words
        return []


def _groups(cases: Sequence[PreviewCase], expansion: Expansion, words: Vocabulary) -> tuple[tuple[str, int], ...]:
    counts = Counter(case.target for case in cases if case.target)
    for skip in expansion.uncovered:
        if target := words.targets.get(skip.entry, ""):
            counts.setdefault(target, 0)
    return tuple(sorted(counts.items()))


def _twins(suite: Suite, language: Language, template: Template | None, texts: Sequence[str]) -> dict[str, str]:
    """Return cases of the suite that are not of this template and have one of the texts, by the hash of the text."""
    if not texts:
        return {}
    others = (
        TestCase.objects.of(suite).in_use().filter(language=language, text_hash__in={text_hash(text) for text in texts})
    )
    if template is not None:
        others = others.exclude(template=template)
    return dict(others.values_list("text_hash", "key"))
