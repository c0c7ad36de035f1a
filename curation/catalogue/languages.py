"""Languages: add and change them, say what applies in them, and settle their spelling."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer, require_workshop
from core.text import _, catalogue_name, ngettext
from curation.catalogue.options import CAPITALS
from curation.models import (
    Coverage,
    Form,
    Functionality,
    Language,
    LexiconEntry,
    TemplateVariant,
    TemplateVersion,
)
from curation.morphology.features import FeatureError, canonical
from curation.morphology.orthography import (
    RuleError,
    has_table,
    load_orthography,
    read_rule,
    try_example,
    with_rules,
)

# What the spelling rules of a language leave open: by name the words for its values.
SETTINGS: dict[str, dict[str, str | bool]] = {
    "capitalise": {value: value for value in CAPITALS},
    "articles": {"fit": True, "keep": False},
    "tidy_spaces": {"drop": True, "keep": False},
}
OPTION = {"capitalise": "capitalise", "articles": "articles", "tidy_spaces": "outer_blanks"}
LONGEST_REASON = 300
Features = dict[str, list[str]]
CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def find_languages(codes: Iterable[str]) -> list[Language]:
    """Return the languages with these codes. Refuses a code that the catalogue does not have."""
    known = Language.objects.in_bulk(list(codes), field_name="code")
    if unknown := [code for code in codes if code not in known]:
        raise BadInput(
            _("The catalogue has no language '%(language)s'. Add it first.", language=unknown[0]), field="languages"
        )
    return list(known.values())


@transaction.atomic
def add_language(*, code: str, features: Features, by: User, **facts: Any) -> Language:
    """Add a language with its features; `facts` are the further options of a language.

    Refuses a code that is taken or no language code, and features that are none.
    """
    require_maintainer(by)
    if not CODE.fullmatch(code):
        raise BadInput(_("'%(code)s' is not a language code. Use BCP 47, e.g. sw or pt-BR.", code=code), field="code")
    if Language.objects.filter(code=code).exists():
        raise BadInput(_("The catalogue already has the language '%(code)s'.", code=code), field="code")
    language = Language(code=code)
    _describe(language, facts | {"features": features})
    language.save()
    audit.record(by, Action.CATALOGUE_CHANGED, language, added=language.name)
    return language


@transaction.atomic
def change_language(language: Language, *, by: User, **facts: Any) -> Language:
    """Change what is said about a language; what is not given stays. Cases follow when they are generated again.

    Refuses to remove a feature or a value that words or templates of the language use.
    """
    require_maintainer(by)
    before = declared_features(language)
    _describe(language, facts)
    after = {f"{name}={value}" for name, values in declared_features(language).items() for value in values}
    gone = {f"{name}={value}" for name, values in before.items() for value in values} - after
    if used := {pair: count for pair, count in feature_uses(language).items() if pair in gone}:
        uses = [
            ngettext("%(feature)s (%(count)s time)", "%(feature)s (%(count)s times)", count, feature=pair)
            for pair, count in sorted(used.items())
        ]
        problem = _(
            "Words or templates in %(language)s use %(features)s. Keep these values, or change the words first.",
            language=catalogue_name(language.name),
            features=uses,
        )
        raise BadInput(problem, field="features")
    language.save()
    audit.record(by, Action.CATALOGUE_CHANGED, language, changed=sorted(facts))
    return language


def declared_features(language: Language) -> Features:
    """Return the features of a language with their values, as its page shows them."""
    return {item["name"]: list(item["values"]) for item in (language.features or {}).get("features", [])}


def language_values(language: Language) -> dict[str, Any]:
    """Return the options that a language has now."""
    values = {name: getattr(language, name) for name in ("name", "autonym", "bcp47", "script", "direction")}
    features = {name: ", ".join(known) for name, known in declared_features(language).items()}
    schema = language.features or {}
    spelling = schema.get("spelling", {})
    named = {
        OPTION[name]: next((word for word, value in values.items() if spelling.get(name) == value), "")
        for name, values in SETTINGS.items()
    }
    fallbacks = [f"{wanted} -> {instead}" for wanted, instead in schema.get("fallbacks", [])]
    lists = {name: schema.get(name, []) for name in ("fixed", "rules", "examples")}
    return values | lists | named | {"features": features, "fallbacks": fallbacks}


def feature_uses(language: Language) -> Counter[str]:
    """Return how often words and templates of a language, of all suites, use each feature value."""
    uses: Counter[str] = Counter()
    for texts in (
        Form.objects.filter(entry__language=language).values_list("features", flat=True),
        LexiconEntry.objects.filter(language=language).values_list("inherent", flat=True),
        TemplateVariant.objects.filter(version__template__language=language).values_list("features", flat=True),
        TemplateVersion.objects.filter(template__language=language).values_list("defaults", flat=True),
    ):
        for features in texts:
            uses.update(pair for pair in features.split("|") if pair)
    return uses


def _describe(language: Language, facts: Mapping[str, Any]) -> None:
    for name in ("name", "autonym", "script", "direction"):
        setattr(language, name, facts.get(name, getattr(language, name)))
    language.bcp47 = facts.get("bcp47", language.bcp47) or language.code
    schema = dict(language.features or {})
    if "features" in facts:
        _set_features(schema, facts["features"])
    if "fixed" in facts:
        known = [item["name"] for item in schema.get("features", [])]
        schema["fixed"] = [name for name in facts["fixed"] if name in known]
    if "rules" in facts or "examples" in facts:
        _set_rules(language, schema, facts)
    if "fallbacks" in facts:
        schema["fallbacks"] = _read_fallbacks(facts["fallbacks"])
    settings = {name: facts[OPTION[name]] for name in SETTINGS if OPTION[name] in facts}
    kept = {name: value for name, value in schema.get("spelling", {}).items() if name not in settings}
    spelling = kept | {name: SETTINGS[name][value] for name, value in settings.items() if value}
    if spelling or "spelling" in schema:
        schema["spelling"] = spelling
    language.features = schema


def _read_fallbacks(lines: Iterable[str]) -> list[list[str]]:
    """Return which form replaces a missing one, from lines like `Case=Acc -> Case=Nom`. Refuses all other lines."""
    declared, wrong = [], []
    for line in lines:
        wanted, arrow, instead = line.partition("->")
        try:
            if not arrow or not wanted.strip():
                raise FeatureError(_("there is no arrow"))
            declared.append([canonical(wanted.strip()), canonical(instead.strip()) if instead.strip() else ""])
        except FeatureError as error:
            wrong.append(_("'%(line)s' (%(problem)s)", line=line, problem=error.problem))
    if wrong:
        raise BadInput(
            _("These lines are not fallbacks: %(lines)s. Write them like Case=Acc -> Case=Nom.", lines=wrong),
            field="fallbacks",
        )
    return declared


def _set_rules(language: Language, schema: dict[str, Any], facts: Mapping[str, Any]) -> None:
    """Put spelling rules into a schema. Refuses rules that cannot be read, and examples that do not come out."""
    lines = list(facts.get("rules", schema.get("rules", [])))
    examples = list(facts.get("examples", schema.get("examples", [])))
    if (lines or examples) and has_table(language.orthography or language.code):
        raise BadInput(
            _(
                "The spelling of %(language)s is built in. Leave its rules empty.",
                language=catalogue_name(language.name),
            ),
            field="rules",
        )
    try:
        orthography = with_rules(load_orthography(language.code), [read_rule(line) for line in lines])
    except RuleError as error:
        raise BadInput(error.sentence, field="rules") from error
    for line in examples:
        given, _sign, expected = (part.strip() for part in line.partition("="))
        if not expected:
            problem = _("'%(line)s' is not an example. Write it like s ženou = se ženou.", line=line)
            raise BadInput(problem, field="examples")
        if (found := try_example(orthography, given)) != expected:
            problem = _(
                "With these rules '%(text)s' becomes '%(found)s', not '%(expected)s'.",
                text=given,
                found=found,
                expected=expected,
            )
            raise BadInput(problem, field="examples")
    schema["rules"], schema["examples"] = lines, examples


def _set_features(schema: dict[str, Any], features: Features) -> None:
    """Put features into a schema. Kinds of words keep their own selection of them and get the new ones."""
    for feature, values in features.items():
        for value in values:
            try:
                canonical(f"{feature}={value}")
            except FeatureError as error:
                problem = _(
                    "'%(feature)s' is not a feature: %(problem)s. Write it like Number: Sing, Plur.",
                    feature=f"{feature}={value}",
                    problem=error.problem,
                )
                raise BadInput(problem, field="features") from error
    known = {item["name"] for item in schema.get("features", [])}
    added = [name for name in features if name not in known]
    paradigms = schema.get("paradigms") or {"identity": [], "slur": []}
    schema["paradigms"] = {
        kind: [name for name in [*names, *added] if name in features] for kind, names in paradigms.items()
    }
    schema["features"] = [{"name": name, "values": list(values)} for name, values in features.items()]


@transaction.atomic
def set_coverage(language: Language, functionality: Functionality, *, applies: bool, reason: str, by: User) -> Coverage:
    """Store whether a functionality applies in a language. Refuses a 'no' without a reason."""
    require_workshop(by)
    if not applies and not reason.strip():
        raise BadInput(_("Say why the functionality does not apply, so that others understand the decision."))
    if len(reason.strip()) > LONGEST_REASON:
        raise BadInput(_("The reason is longer than %(most)s characters. Shorten it.", most=LONGEST_REASON))
    coverage, _is_new = Coverage.objects.update_or_create(
        language=language,
        functionality=functionality,
        defaults={"applies": applies, "reason": "" if applies else reason.strip()},
    )
    audit.record(by, Action.CATALOGUE_CHANGED, language, functionality=functionality.key, applies=applies)
    return coverage
