"""What may be said about a word: features of the language, groups of the catalogue, properties of its spelling."""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from core.errors import BadInput
from core.text import _, catalogue_name
from curation.authoring.wording import orthography_of
from curation.catalogue.loading import find_groups, find_or_create_targets
from curation.lexicon.models import FormSource
from curation.models import Form, Language, LexiconEntry, ProtectedGroup, TargetGroup
from curation.morphology.features import FeatureError, parse_features
from curation.morphology.perturb import PERTURBATIONS
from curation.morphology.placeholders.errors import closest
from curation.morphology.realised import TARGETS_JOINED_BY


class SpellingProperty(NamedTuple):
    """A property with the values it may have, and how a form asks for it."""

    name: str
    values: tuple[str, ...]
    label: str
    help_text: str


WORDING = {
    "elides": (_("Elision before it"), _("Whether the word before it loses its vowel: l'ami, but le héros.")),
    "article": (_("Article before it"), _("The article of the word, if the spelling rules get it wrong: an hour.")),
    "vocalises": (_("Vowel before it"), _("Whether s, z, k and v become se, ze, ke and ve before it: se psem.")),
    "stressed_a": (_("Begins with a stressed a"), _("Whether a feminine noun takes el and un: el agua.")),
}


def spelling_properties(language: Language) -> list[SpellingProperty]:
    """Return the properties a word of the language may have; none where its rules ask for none."""
    values: dict[str, list[str]] = {}
    for name, value in orthography_of(language).sounds.properties or {}:
        values.setdefault(name, []).append(value)
    return [SpellingProperty(name, tuple(known), *WORDING.get(name, (name, ""))) for name, known in values.items()]


def checked_properties(language: Language, properties: Mapping[str, str]) -> dict[str, str]:
    """Return the properties that have a value. Refuses a name or a value that the language's rules do not know."""
    known = {wanted.name: wanted.values for wanted in spelling_properties(language)}
    said = {name: str(value).strip() for name, value in properties.items() if str(value).strip()}
    for name, value in said.items():
        if name not in known:
            raise BadInput(
                _(
                    "Words in %(language)s have no property '%(property)s'. Leave it out, or use one of: %(known)s.",
                    language=catalogue_name(language.name),
                    property=name,
                    known=list(known),
                )
                if known
                else _(
                    "Words in %(language)s have no property '%(property)s'. Leave it out.",
                    language=catalogue_name(language.name),
                    property=name,
                ),
                column=name,
            )
        if value not in known[name]:
            raise BadInput(
                _(
                    "'%(property)s' cannot be '%(value)s'. Leave it empty, or use one of: %(known)s.",
                    property=name,
                    value=value,
                    known=known[name],
                ),
                column=name,
            )
    return said


def known_features(language: Language) -> dict[str, set[str]]:
    """Return the values of each feature that words of a language may have: declared, or from an imported suite."""
    known: defaultdict[str, set[str]] = defaultdict(set)
    for item in (language.features or {}).get("features", []):
        known[item["name"]].update(item["values"])
    known["Gender"].update(orthography_of(language).genders)
    imported = Form.objects.filter(entry__language=language, source=FormSource.IMPORT).order_by()
    inherent = LexiconEntry.objects.filter(language=language, forms__source=FormSource.IMPORT).order_by()
    for texts in (imported.values_list("features", flat=True), inherent.values_list("inherent", flat=True)):
        for text in texts.distinct():
            for name, value in parse_features(text):
                known[name].add(value)
    return {name: values for name, values in known.items() if values}


def checked_features(language: Language, text: str, *, column: str = "inherent") -> str:
    """Return features in canonical text. Refuses what is none, and what the language does not have."""
    try:
        features = parse_features(text.strip())
    except FeatureError as error:
        raise BadInput(
            _(
                "'%(text)s' is not a list of features: %(problem)s. Write it like Gender=Fem|Number=Plur.",
                text=text,
                problem=error.problem,
            ),
            column=column,
        ) from error
    if not features:
        return ""
    known = known_features(language)
    for name, value in features:
        if name not in known:
            problem = _(
                "%(language)s has no feature '%(feature)s'. %(offer)s "
                "A maintainer can change the features on the page of the language.",
                language=catalogue_name(language.name),
                feature=name,
                offer=_offer(name, sorted(known)),
            )
            raise BadInput(problem, column=column)
        if value not in known[name]:
            problem = _(
                "The feature %(feature)s has no value '%(value)s' in %(language)s. %(offer)s "
                "A maintainer can change the features on the page of the language.",
                language=catalogue_name(language.name),
                feature=name,
                value=value,
                offer=_offer(value, sorted(known[name])),
            )
            raise BadInput(problem, column=column)
    return str(features)


def check_perturbation(key: str) -> None:
    """Refuse a perturbation that there is not."""
    if key and key not in PERTURBATIONS:
        problem = _(
            "There is no perturbation '%(perturbation)s'. %(offer)s",
            perturbation=key,
            offer=_offer(key, list(PERTURBATIONS)),
        )
        raise BadInput(problem, column="cell")


def _offer(wrong: str, known: list[str]) -> str:
    """Return what was probably meant, and what else there is."""
    by_name = {name.casefold(): name for name in known}
    # A longer spelling of the same word is not close by edit distance: Feminine for Fem.
    near = by_name.get(closest(wrong.casefold(), tuple(by_name)) or "") or next(
        (name for name in known if wrong.casefold().startswith(name.casefold())), ""
    )
    if near:
        return _("Did you mean %(near)s? Known: %(known)s.", near=near, known=known)
    return _("Known: %(known)s.", known=known)


def checked_target(language: Language, name: str) -> TargetGroup | None:
    """Return the target group of that name, made where its groups are in the catalogue; None for no name.

    Refuses a name that neither a target of the language nor a group of the catalogue has.
    """
    name = name.strip()
    if not name:
        return None
    if known := TargetGroup.objects.filter(language=language, name=name).first():
        return known
    groups = find_groups({*name.split(TARGETS_JOINED_BY)})
    if unknown := [part for part in name.split(TARGETS_JOINED_BY) if part not in groups]:
        names = list(ProtectedGroup.objects.values_list("name", flat=True))
        raise BadInput(
            _(
                "The catalogue has no group '%(group)s'. %(offer)s Add new groups to the catalogue first.",
                group=unknown[0][:60],
                offer=_offer(unknown[0], names),
            ),
            column="target",
        )
    # One name per group and language: 'jewish people' and 'Jews' are the same target.
    if len(groups) == 1 and (same := _target_of(language, groups[name])):
        return same
    return find_or_create_targets(language, {name})[name]


def _target_of(language: Language, group: ProtectedGroup) -> TargetGroup | None:
    targets = TargetGroup.objects.filter(language=language, groups=group).exclude(name__contains=TARGETS_JOINED_BY)
    return targets.order_by("pk").first()


def target_choices(language: Language) -> list[tuple[str, str]]:
    """Return the groups a word of the language can be about: targets it has, then other groups of the catalogue."""
    targets = TargetGroup.objects.filter(language=language).prefetch_related("groups")
    taken = {group.pk for target in targets for group in target.groups.all()}
    others = ProtectedGroup.objects.exclude(pk__in=taken)
    return [(item.name, item.local_name or item.name) for item in targets] + [(item.name, item.name) for item in others]


def refuse_duplicate(entry: LexiconEntry) -> None:
    """Refuse a word that the lexicon has already: the same base form of the same kind for the same group."""
    same = LexiconEntry.objects.of(entry.suite, entry.language, entry.kind).filter(
        lemma=entry.lemma, target=entry.target, inherent=entry.inherent
    )
    if other := same.exclude(pk=entry.pk).first():
        facts = {"word": entry.lemma, "kind": entry.kind, "key": other.key}
        raise BadInput(
            _(
                "The lexicon already has the word '%(word)s' (kind %(kind)s, group %(group)s). "
                "Change that entry, %(key)s.",
                group=str(entry.target),
                **facts,
            )
            if entry.target
            else _("The lexicon already has the word '%(word)s' (kind %(kind)s). Change that entry, %(key)s.", **facts),
            column="lemma",
        )
