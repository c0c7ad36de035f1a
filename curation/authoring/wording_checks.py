"""The texts of a template as they were typed: check them, clean them, and compare them with what is stored."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.errors import BadInput
from core.text import _, ngettext
from curation.models import TemplateVersion
from curation.morphology.expand import VariantLike
from curation.morphology.feature_names import features_name
from curation.morphology.features import FeatureError, canonical

LONGEST_TEXT = 5_000
LONGEST_FEATURES = 200
MOST_VARIANTS = 20


@dataclass(frozen=True, slots=True)
class VariantText:
    """One text of a template; `features` tells variants apart (Gender=Fem), empty where there is only one."""

    features: str
    text: str


def clean_variants(variants: Iterable[VariantLike]) -> list[VariantText]:
    """Return the texts with canonical features and plain line ends; rows left wholly empty are dropped.

    Refuses no text at all, too long texts, too many variants, features that cannot be read and two variants alike.
    """
    cleaned: list[VariantText] = []
    problems = []
    for number, variant in enumerate(variants, 1):
        text = variant.text.replace("\r\n", "\n").replace("\r", "\n")
        if not text.strip() and not variant.features.strip():
            continue
        if not text.strip():
            problem, fix = _("the variant has no text"), _("write one, or remove the variant")
            problems.append(_problem(number, "text", problem, fix))
        if len(text) > LONGEST_TEXT:
            count = len(text)
            problem = ngettext("the text has %(count)s character", "the text has %(count)s characters", count)
            problems.append(_problem(number, "text", problem, _("use at most %(most)s", most=LONGEST_TEXT)))
        if "\x00" in text:
            problem = _("the text has an invisible NUL character")
            problems.append(_problem(number, "text", problem, _("remove it")))
        try:
            features = canonical(variant.features)
        except FeatureError as error:
            problems.append(_problem(number, "features", error.problem, _("correct the features of the variant")))
            continue
        if len(features) > LONGEST_FEATURES:
            problems.append(_problem(number, "features", _("the features are too long"), _("name fewer features")))
        if any(features == other.features for other in cleaned):
            problem = (
                _("two variants are for words with the same features: %(features)s", features=features_name(features))
                if features
                else _("two variants are for all words")
            )
            problems.append(_problem(number, "features", problem, _("give each variant its own features")))
        cleaned.append(VariantText(features, text))
    if not cleaned and not problems:
        problems.append(_problem(1, "text", _("the template has no text"), _("write one")))
    if len(cleaned) > MOST_VARIANTS:
        problem = ngettext("there is %(count)s variant", "there are %(count)s variants", len(cleaned))
        fix = _("use at most %(most)s", most=MOST_VARIANTS)
        problems.append(_problem(MOST_VARIANTS + 1, "text", problem, fix))
    if problems:
        first = problems[0]
        raise BadInput(
            _(
                "Variant %(number)s: %(problem)s; %(fix)s.",
                number=first["row"],
                problem=first["problem"],
                fix=first["fix"],
            ),
            problems=problems,
        )
    return cleaned


def _problem(row: int, column: str, problem: str, fix: str) -> dict[str, object]:
    return {"row": row, "column": column, "problem": problem, "fix": fix}


def clean_defaults(defaults: str) -> str:
    """Return the features that every placeholder takes, in canonical spelling. Refuses what is not Name=Value."""
    try:
        features = canonical(defaults)
    except FeatureError as error:
        raise BadInput(_("Default features for all placeholders: %(problem)s.", problem=error.problem)) from error
    if len(features) > LONGEST_FEATURES:
        raise BadInput(_("There are too many default features for all placeholders. Name fewer features."))
    return features


def texts_of(version: TemplateVersion) -> list[VariantText]:
    """Return the texts of a stored version, in order."""
    return [VariantText(variant.features, variant.text) for variant in version.variants.all()]


def fingerprint(version: TemplateVersion | None) -> str:
    """Return a text that changes with a version or its wording: what a page saw is compared when it saves."""
    if version is None:
        return "new"
    return fingerprint_of(version.number, version.state, version.defaults, texts_of(version))


def fingerprint_of(number: int, state: str, defaults: str, variants: Sequence[VariantLike]) -> str:
    parts = [str(number), state, defaults]
    for variant in variants:
        parts += [variant.features, variant.text]
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:16]
