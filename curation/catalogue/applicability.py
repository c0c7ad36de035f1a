"""Which functionalities apply in which language: the one answer that lists, pages and matrices share."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from core.text import _, catalogue_name
from curation.models import Coverage, Functionality, Language
from curation.morphology.perturb import PERTURBATIONS
from curation.morphology.perturb import why_not as why_perturbation_fails


@dataclass(frozen=True, slots=True)
class Applicability:
    """Whether a functionality applies in a language, and why not."""

    applies: bool
    reason: str = ""


APPLIES = Applicability(applies=True)


def applicability(
    languages: Iterable[Language], functionalities: Iterable[Functionality]
) -> dict[int, dict[int, Applicability]]:
    """For every language (by number) what holds for every functionality (by number); one query.

    What was said in the catalogue counts. Where nothing was said a functionality applies, unless it is about a
    perturbation that cannot act on the script of the language.
    """
    languages, functionalities = list(languages), list(functionalities)
    said: dict[int, dict[int, Applicability]] = defaultdict(dict)
    for item in Coverage.objects.filter(language__in=languages):
        said[item.language_id][item.functionality_id] = Applicability(item.applies, item.reason)
    return {
        language.pk: {item.pk: said[language.pk].get(item.pk) or _usual(language, item) for item in functionalities}
        for language in languages
    }


def can_perturb(language: Language, perturbation: str) -> bool:
    """Tell whether a perturbation can act on texts of the language."""
    return not why_perturbation_fails(perturbation, language=language.code, script=language.script)


def _usual(language: Language, functionality: Functionality) -> Applicability:
    perturbation = functionality.perturbation
    if perturbation not in PERTURBATIONS or can_perturb(language, perturbation):
        return APPLIES
    return Applicability(False, why_not(language, perturbation))


def why_not(language: Language, perturbation: str) -> str:
    """Say why a perturbation cannot act on texts of the language."""
    known = PERTURBATIONS[perturbation]
    return _(
        "'%(perturbation)s' is made for %(scripts)s, not for %(language)s (script %(script)s).",
        perturbation=known.title,
        scripts=known.fits,
        language=catalogue_name(language.name),
        script=language.script,
    )
