"""What people call grammatical features: "accusative plural" for `Case=Acc|Number=Plur`.

Pages show these names. Files, the API and placeholders keep the notation of Universal Dependencies.
"""

from collections.abc import Mapping

from core.text import _, pgettext
from curation.morphology.features import FeatureError, Features, parse_features
from curation.morphology.perturb import PERTURBATIONS

FEATURE_NAMES: Mapping[str, str] = {
    "Animacy": pgettext("grammatical feature", "animacy"),
    "Case": pgettext("grammatical feature", "case"),
    "Definite": pgettext("grammatical feature", "definiteness"),
    "Gender": pgettext("grammatical feature", "gender"),
    "Number": pgettext("grammatical feature", "number"),
    "Pos": pgettext("grammatical feature", "part of speech"),
}
VALUE_NAMES: Mapping[tuple[str, str], str] = {
    ("Animacy", "Anim"): pgettext("grammatical animacy", "animate"),
    ("Animacy", "Inan"): pgettext("grammatical animacy", "inanimate"),
    ("Case", "Abl"): pgettext("grammatical case", "ablative"),
    ("Case", "Acc"): pgettext("grammatical case", "accusative"),
    ("Case", "Dat"): pgettext("grammatical case", "dative"),
    ("Case", "Gen"): pgettext("grammatical case", "genitive"),
    ("Case", "Ins"): pgettext("grammatical case", "instrumental"),
    ("Case", "Loc"): pgettext("grammatical case", "locative"),
    ("Case", "Nom"): pgettext("grammatical case", "nominative"),
    ("Case", "Obl"): pgettext("grammatical case", "oblique"),
    ("Case", "Voc"): pgettext("grammatical case", "vocative"),
    ("Definite", "Def"): pgettext("grammatical definiteness", "definite"),
    ("Definite", "Ind"): pgettext("grammatical definiteness", "indefinite"),
    ("Gender", "Com"): pgettext("grammatical gender", "common"),
    ("Gender", "Fem"): pgettext("grammatical gender", "feminine"),
    ("Gender", "Masc"): pgettext("grammatical gender", "masculine"),
    ("Gender", "Neut"): pgettext("grammatical gender", "neuter"),
    ("Number", "Dual"): pgettext("grammatical number", "dual"),
    ("Number", "Plur"): pgettext("grammatical number", "plural"),
    ("Number", "Sing"): pgettext("grammatical number", "singular"),
    ("Pos", "Adj"): pgettext("part of speech", "adjective"),
    ("Pos", "Noun"): pgettext("part of speech", "noun"),
}


def feature_name(name: str) -> str:
    """Return what a feature is called; an unknown one is returned as it is."""
    return FEATURE_NAMES.get(name, name)


def value_name(name: str, value: str) -> str:
    """Return what a value of a feature is called; an unknown one is returned as it is."""
    return VALUE_NAMES.get((name, value), value)


def features_name(features: str | Features) -> str:
    """Return what features are called together; "" for none, and a text that is not a list of features as it is."""
    try:
        pairs = list(parse_features(features))
    except FeatureError:
        return str(features)
    found = ""
    for name, value in reversed(pairs):
        called = VALUE_NAMES.get((name, value), f"{name}={value}")
        found = (
            pgettext("grammatical features side by side", "%(feature)s %(others)s", feature=called, others=found)
            if found
            else called
        )
    return found


def form_name(features: str | Features, perturbation: str = "") -> str:
    """Return what a form of a word is called: "plural", "base form", "plural (Leet)"."""
    plain = features_name(features) or _("base form")
    if not perturbation:
        return plain
    known = PERTURBATIONS.get(perturbation)
    title = known.title if known else perturbation
    return _("%(form)s (%(perturbation)s)", form=plain, perturbation=title)
