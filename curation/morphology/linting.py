"""What is odd about a template although it may be readable: found while it is typed and when a file is imported."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from core.text import _
from curation.morphology.agreement import check_choice
from curation.morphology.expand import NO_TEXT, VariantLike
from curation.morphology.feature_names import features_name
from curation.morphology.features import FeatureError, parse_features
from curation.morphology.placeholders import DEFAULT_KINDS, Template, TemplateError, Text, parse
from curation.morphology.placeholders.errors import closest

GENDERS = ("Masc", "Fem", "Neut")


class Finding(NamedTuple):
    """One oddity: which variant, which character (the first is 1), what, and what to do.

    `code` is one of syntax, no_text, no_placeholder, no_words, ambiguous, unknown_feature, features, gender, kinds,
    same_features, agreement, blanks, gold_label. A finding that `stops` leaves the variant without cases. Where a
    finding can be corrected with a click, `replacement` is what to write for the `typed` text at its position.
    """

    variant: int
    position: int
    code: str
    message: str
    fix: str
    stops: bool = False
    typed: str = ""
    replacement: str = ""


def check_template(
    variants: Sequence[VariantLike],
    *,
    kinds: Collection[str] = DEFAULT_KINDS,
    perturbations: Collection[str] | None = None,
    genders: tuple[str, ...] = GENDERS,
    features: Mapping[str, Collection[str]] | None = None,
) -> list[Finding]:
    """Return everything odd about the variants of one template, in order of variant and position. Never raises.

    `features` are the values each feature may have, e.g. `Lexicon.features`; what is not among them is reported.
    """
    findings: list[Finding] = []
    parsed: dict[int, Template] = {}
    for number, variant in enumerate(variants):
        if variant.text.strip() in ("", NO_TEXT):
            message, fix = _("the variant has no text"), _("write one, or remove the variant")
            findings.append(Finding(number, 1, "no_text", message, fix, len(variants) > 1))
            continue
        try:
            parse_features(variant.features)
            template = parse(variant.text, kinds=kinds, perturbations=perturbations)
            for choice in template.choices:
                check_choice(choice, genders)
        except FeatureError as error:
            fix = _("correct the features of the variant")
            findings.append(Finding(number, 1, "features", error.problem, fix, True))
            continue
        except TemplateError as error:
            problem = error.problem
            if error.known:
                problem = _("%(problem)s; known: %(names)s", problem=problem, names=error.known)
            findings.append(Finding(number, error.position, "syntax", problem, error.fix, True))
            continue
        parsed[number] = template
        findings.extend(_check_one(number, template, variant))
        if features is not None:
            findings.extend(_check_features(number, template, features))
    findings.extend(_compare(parsed, variants))
    return sorted(findings)


def _check_one(number: int, template: Template, variant: VariantLike) -> list[Finding]:
    findings: list[Finding] = []
    features = parse_features(variant.features)
    for placeholder in template.placeholders:
        for name in placeholder.features.conflicts(features):
            asked, own = f"{name}={placeholder.features.get(name)}", f"{name}={features.get(name)}"
            message = _(
                "%(placeholder)s asks for %(asked)s in the text for %(features)s",
                placeholder=str(placeholder),
                asked=features_name(asked),
                features=features_name(features),
            )
            fix = _("use the placeholder for %(feature)s, or move the text to the other variant", feature=own)
            findings.append(
                Finding(number, placeholder.position, "gender" if name == "Gender" else "features", message, fix)
            )
    words = {placeholder.label or placeholder.position for placeholder in template.placeholders}
    for choice in template.choices:
        if not choice.follows and len(words) > 1:
            is_before = any(placeholder.position < choice.position for placeholder in template.placeholders)
            message = (
                _("%(choice)s could follow several words; it follows the nearest one before it", choice=str(choice))
                if is_before
                else _("%(choice)s could follow several words; it follows the first one", choice=str(choice))
            )
            fix = _("label the words, e.g. [identity#1], and write {#1:...}, or {#1+#2:...} for two")
            findings.append(Finding(number, choice.position, "agreement", message, fix))
    for part in template.parts:
        if isinstance(part, Text) and (place := str(part).find("  ")) >= 0:
            message, fix = _("two spaces in a row"), _("remove one")
            findings.append(Finding(number, part.position + place, "blanks", message, fix))
    return findings


def _check_features(number: int, template: Template, known: Mapping[str, Collection[str]]) -> list[Finding]:
    asked = [(part.position, part.features) for part in template.placeholders]
    asked += [(part.position, o.features) for part in template.choices for o in part.options if o.features is not None]
    findings: list[Finding] = []
    for position, features in asked:
        for name, value in features:
            if name not in known:
                options = tuple(sorted(known))
                message = _("no word has the feature %(feature)s; known: %(features)s", feature=name, features=options)
            elif value not in known[name]:
                options = tuple(f"{name}={v}" for v in sorted(known[name]))
                message = _("no word has %(feature)s; known: %(features)s", feature=f"{name}={value}", features=options)
            else:
                continue
            near = closest(name if name not in known else f"{name}={value}", options)
            fix = _("did you mean %(name)s?", name=near) if near else _("add a form with it to the lexicon")
            findings.append(Finding(number, position, "unknown_feature", message, fix))
    return findings


def _compare(parsed: dict[int, Template], variants: Sequence[VariantLike]) -> list[Finding]:
    findings: list[Finding] = []
    kinds = {number: sorted({part.kind for part in template.placeholders}) for number, template in parsed.items()}
    first = next((number for number in parsed if kinds[number]), None)
    for number in parsed:
        if first is not None and not kinds[number]:
            message = _("this variant has no placeholder, another variant of the template has one")
            fix = _("add the placeholder, or remove the variant")
            findings.append(Finding(number, 1, "no_placeholder", message, fix, True))
        elif first is not None and kinds[number] != kinds[first]:
            position = parsed[number].placeholders[0].position
            message = _(
                "this variant is filled with words of the kinds %(kinds)s, another one with %(others)s",
                kinds=kinds[number],
                others=kinds[first],
            )
            fix = _("use the same kinds of words in all variants")
            findings.append(Finding(number, position, "kinds", message, fix))
    seen: dict[str, int] = {}
    for number in parsed:
        features = str(parse_features(variants[number].features))
        if seen.setdefault(features, number) != number:
            message = (
                _("two variants are for words with the same features: %(features)s", features=features_name(features))
                if features
                else _("two variants are for all words")
            )
            fix = _("give each variant its own features")
            findings.append(Finding(number, 1, "same_features", message, fix))
    return findings
