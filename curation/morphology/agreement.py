"""Choices such as {tous|toutes}: which placeholder they follow, and how they come out."""

from collections.abc import Sequence

from core.text import _, ngettext
from curation.morphology.feature_names import value_name
from curation.morphology.features import Features, of_pairs
from curation.morphology.placeholders import Choice, Placeholder, Template, TemplateError


def followed_by(template: Template, place: int) -> int:
    """Return the part a choice agrees with: the placeholder with its label, the nearest before it, or the next."""
    choice = template.parts[place]
    assert isinstance(choice, Choice)
    places = [(number, part) for number, part in enumerate(template.parts) if isinstance(part, Placeholder)]
    if choice.follows:
        return next(number for number, part in places if part.label == choice.follows)
    before = [number for number, _ in places if number < place]
    return before[-1] if before else places[0][0]


def agree_jointly(words: Sequence[Features], genders: tuple[str, ...]) -> Features:
    """Return the features that several words joined by "and" have together.

    They are a plural. Where their genders differ, the first in the language's order of genders decides, as the
    masculine does in the languages we know. Of other features those are left in which all words agree.
    """
    shared = set.intersection(*(set(features) for features in words)) - {("Number", "Sing")}
    found = {name: value for name, value in shared if name != "Number"} | {"Number": "Plur"}
    ranked = [gender for gender in genders if any(features.get("Gender") == gender for features in words)]
    if ranked and all(features.get("Gender") for features in words):
        found["Gender"] = ranked[0]
    return of_pairs(found.items())


def check_choice(choice: Choice, genders: tuple[str, ...]) -> None:
    """Refuse a choice without features that has more options than the language has genders."""
    if choice.is_shorthand and len(choice.options) > len(genders):
        count = len(choice.options)
        problem = (
            ngettext(
                "%(count)s option, but the genders of the language are: %(genders)s",
                "%(count)s options, but the genders of the language are: %(genders)s",
                count,
                genders=[value_name("Gender", gender) for gender in genders],
            )
            if genders
            else ngettext(
                "%(count)s option, but the language has no genders",
                "%(count)s options, but the language has no genders",
                count,
            )
        )
        fix = _("write the features, e.g. {Gender=Masc:tous|Gender=Fem:toutes}")
        raise TemplateError(choice.position, problem, fix=fix)


def agree(choice: Choice, agreement: Features, genders: tuple[str, ...]) -> str | None:
    """Return the option that fits a word's features, None where none does."""
    if choice.is_shorthand:
        gender = agreement.get("Gender")
        if gender not in genders[: len(choice.options)]:
            return None
        return choice.options[genders.index(gender)].text
    for option in choice.options:
        if option.features is None or option.features.is_subset(agreement):
            return option.text
    return None
