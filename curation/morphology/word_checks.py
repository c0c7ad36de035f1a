"""What is odd about a template once the words of the lexicon are known: kinds without words, ambiguous placeholders."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.text import _, ngettext
from curation.morphology.feature_names import feature_name
from curation.morphology.features import FeatureError, Features, parse_features
from curation.morphology.lexicon import Lexicon
from curation.morphology.linting import Finding
from curation.morphology.lookup import best_forms
from curation.morphology.placeholders import Placeholder, TemplateError, parse


def check_words(variants: Sequence[tuple[str, str]], defaults: Features, lexicon: Lexicon) -> Iterator[Finding]:
    """Yield what keeps placeholders of readable variants (features and text) from being filled as they should be."""
    for number, (features, text) in enumerate(variants):
        try:
            usual = defaults.merge(parse_features(features))
            placeholders = parse(text, kinds=lexicon.kinds | {"identity", "slur"}).placeholders
        except (TemplateError, FeatureError):
            continue
        for part in placeholders:
            if part.kind not in lexicon.kinds:
                message = _("the lexicon has no word of the kind %(kind)s", kind=part.kind)
                yield Finding(number, part.position, "no_words", message, _("add words, or use another kind"), True)
            elif not part.alias and (found := _ambiguity(part, usual.merge(part.features), lexicon)):
                yield found._replace(variant=number)


def _ambiguity(part: Placeholder, wanted: Features, lexicon: Lexicon) -> Finding | None:
    """Return how many words have several forms for a placeholder, and the features that would tell them apart."""
    open_names: Counter[str] = Counter()
    words = most = 0
    example = wanted
    for entry in lexicon.entries(part.kind):
        best = best_forms(lexicon, entry, wanted)
        if len({form.text for form in best}) < 2:
            continue
        if len(best) > most:
            most, example = len(best), best[0].features
        words += 1
        open_names.update({name for form in best for name, _ in form.features} - {name for name, _ in wanted})
    if not words:
        return None
    names = sorted(open_names)
    named = Features(tuple(pair for pair in example if pair[0] in names))
    better = str(replace(part, features=part.features.merge(named), typed=None))
    message = ngettext(
        "%(placeholder)s is ambiguous: %(count)s word has up to %(most)s forms",
        "%(placeholder)s is ambiguous: %(count)s words have up to %(most)s forms",
        words,
        placeholder=str(part),
        most=most,
    )
    fix = _(
        "add these features: %(features)s. For example: %(placeholder)s",
        features=[feature_name(name) for name in names],
        placeholder=better,
    )
    return Finding(0, part.position, "ambiguous", message, fix, False, str(part), better)
