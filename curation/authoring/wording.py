"""From the database's words to what the pure expansion works on."""

from functools import partial

from curation.models import Form, Language, LexiconEntry, Suite
from curation.morphology.expand import Expander
from curation.morphology.features import parse_features
from curation.morphology.lexicon import Entry, Lexicon
from curation.morphology.lexicon import Form as PureForm
from curation.morphology.lookup import Fallback
from curation.morphology.orthography import Orthography, has_table, load_orthography, read_rule, with_rules
from curation.morphology.perturb import perturb_word


def lexicon_of(suite: Suite, language: Language, *, without: LexiconEntry | None = None) -> Lexicon:
    """Return all words of a suite in a language, or all but one, in memory; two queries."""
    entries = LexiconEntry.objects.of(suite, language).select_related("target").in_order()
    forms = Form.objects.usable().filter(entry__suite=suite, entry__language=language).order_by("id")
    if without is not None:
        entries, forms = entries.exclude(pk=without.pk), forms.exclude(entry=without)
    return Lexicon(
        [
            Entry(
                entry.key,
                entry.kind,
                entry.target.name if entry.target else "",
                entry.lemma,
                entry.position,
                parse_features(entry.inherent),
                entry.properties,
            )
            for entry in entries
        ],
        [
            PureForm(key, parse_features(features), perturbation, text, position)
            for key, features, perturbation, text, position in forms.values_list(
                "entry__key", "features", "perturbation", "text", "position"
            )
        ],
    )


def fallbacks_of(language: Language) -> tuple[Fallback, ...]:
    """Return the ways out that were declared for a language where a form is missing, in their order."""
    declared = (language.features or {}).get("fallbacks", [])
    return tuple(Fallback(parse_features(wanted), parse_features(instead)) for wanted, instead in declared)


def orthography_of(language: Language) -> Orthography:
    """Return the spelling of a language: its table, or else the genders and rules of its page; with its settings."""
    code, schema = language.orthography or language.code, language.features or {}
    settings = dict(schema.get("spelling", {}))
    genders = next((item["values"] for item in schema.get("features", []) if item["name"] == "Gender"), None)
    if has_table(code):
        return load_orthography(code, **settings)
    found = load_orthography(code, **(settings | {"genders": genders} if genders else settings))
    rules = [read_rule(line) for line in schema.get("rules", [])]
    return with_rules(found, rules) if rules else found


def expander_for(suite: Suite, language: Language, *, without: LexiconEntry | None = None) -> Expander:
    """Return what fills the templates of a suite in a language, with its spelling and fallbacks."""
    words = lexicon_of(suite, language, without=without)
    perturb = partial(perturb_word, language=language.code, script=language.script)
    return Expander(words, orthography_of(language), fallbacks=fallbacks_of(language), perturb=perturb)
