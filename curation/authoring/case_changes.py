"""What another wording does to the cases of its template: which come, which go, which stay."""

from collections.abc import Collection, Container, Iterable
from dataclasses import dataclass

from core.states import move_by_id
from curation.authoring.models import VersionState
from curation.authoring.wording_checks import texts_of
from curation.cases.models import CaseState, Origin, TestCaseQuerySet
from curation.lexicon.vocabulary import vocabulary_of
from curation.models import Exclusion, Language, Suite, Template, TemplateVersion, TestCase
from curation.morphology.identity import identity_hash
from curation.states import CASE_MOVES

MADE_FROM_TEMPLATES = (Origin.TEMPLATE, Origin.IMPORT)


@dataclass(frozen=True, slots=True)
class CaseChange:
    """Texts that would be new, cases that would be retired, and how many stay as they are."""

    added: tuple[tuple[str, str], ...]
    removed: tuple[TestCase, ...]
    kept: int


def realised_by(version: TemplateVersion) -> dict[str, tuple[str, str]]:
    """Return every case of a version as (text, target), by what makes it the same case."""
    template = version.template
    expander = vocabulary_of(template.suite, template.language).expander
    own_target = template.target.name if template.target else ""
    found: dict[str, tuple[str, str]] = {}
    for case in expander.expand(texts_of(version), version.defaults):
        target = case.target or own_target
        identity = identity_hash(
            language=template.language.code,
            functionality=template.functionality.key,
            template=template.key,
            target=target,
            text=case.text,
        )
        found.setdefault(identity, (case.text, target))
    return found


def change_by(version: TemplateVersion) -> CaseChange:
    """Return what approving the version would do to the cases that are there."""
    found = realised_by(version)
    there = list(_cases_of(version.template).in_use().select_related("target").in_order())
    known = {case.identity_hash for case in there}
    return CaseChange(
        added=tuple(item for identity, item in found.items() if identity not in known),
        removed=tuple(case for case in there if case.identity_hash not in found),
        kept=len(known & set(found)),
    )


def follow_wording(version: TemplateVersion) -> tuple[list[str], int]:
    """Retire the cases a newly approved wording no longer gives, bring back those it gives again.

    Perturbed cases go and come with their originals. Returns the keys of the retired cases and how many came back;
    new ones are made by generating.
    """
    return _follow(_cases_of(version.template), realised_by(version), version.template.suite, version.template.language)


def follow_words(suite: Suite, language: Language, given: Container[str], unread: Iterable[int]) -> tuple[int, int]:
    """Retire the cases made here that no approved template gives, where words have changed; bring back the others.

    `given` is what makes each case the same, for all the templates give. Cases of templates that could not be read
    (`unread`) stay as they are, and so do imported texts. Returns how many were retired and how many came back.
    """
    approved = Template.objects.of(suite).filter(language=language, versions__state=VersionState.APPROVED)
    cases = TestCase.objects.of(suite).filter(
        language=language, origin=Origin.TEMPLATE, template__in=approved.exclude(pk__in=list(unread))
    )
    retired, back = _follow(cases, given, suite, language)
    return len(retired), back


def _follow(cases: TestCaseQuerySet, given: Container[str], suite: Suite, language: Language) -> tuple[list[str], int]:
    facts = cases.values_list("id", "key", "identity_hash")
    retired = CaseState.RETIRED
    going = {key: number for number, key, identity in facts.exclude(state=retired) if identity not in given}
    coming = {key: number for number, key, identity in facts.filter(state=retired) if identity in given}
    going |= perturbed_cases(suite, language, going, TestCase.objects.in_use())
    coming |= perturbed_cases(suite, language, coming, TestCase.objects.filter(state=retired))
    move_by_id(TestCase, going.values(), retired, CASE_MOVES)
    coming_ids = set(coming.values())
    excluded = set(Exclusion.objects.standing().filter(case__suite=suite).values_list("case_id", flat=True))
    move_by_id(TestCase, coming_ids - excluded, CaseState.READY, CASE_MOVES, come_from=[retired])
    move_by_id(TestCase, coming_ids & excluded, CaseState.EXCLUDED, CASE_MOVES, come_from=[retired])
    return list(going), len(coming)


def perturbed_cases(
    suite: Suite, language: Language, originals: Collection[str], among: TestCaseQuerySet
) -> dict[str, int]:
    """Return the cases that perturb one of the originals (named by key), as their keys and numbers."""
    if not originals:
        return {}
    perturbed = among.of(suite).filter(language=language, provenance__has_key="perturbation")
    rows = perturbed.values_list("id", "key", "refers_to")
    return {key: number for number, key, original in rows if original in originals}


def _cases_of(template: Template) -> TestCaseQuerySet:
    return TestCase.objects.filter(template=template, origin__in=MADE_FROM_TEMPLATES)
