"""What another wording does to the cases of its template: which come, which go, which stay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from curation.models import Template, TemplateVersion, TestCase
from curation.models.cases import CaseState, Origin, TestCaseQuerySet
from curation.morphology.identity import identity_hash
from curation.services.vocabulary import vocabulary_of
from curation.services.wording_checks import texts_of

MADE_FROM_TEMPLATES = (Origin.TEMPLATE, Origin.IMPORT)


@dataclass(frozen=True, slots=True)
class CaseChange:
    """Texts that would be new, cases that would be retired, and how many stay as they are."""

    added: tuple[tuple[str, str], ...]
    removed: tuple[TestCase, ...]
    kept: int


def realised_by(version: TemplateVersion) -> dict[str, tuple[str, str]]:
    """Every case of a version as (text, target), by what makes it the same case."""
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
    """What approving the version would do to the cases that are there."""
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

    Misspelt versions go with their originals. Returns the keys of the retired cases and how many came back; new ones
    are made by generating.
    """
    found = realised_by(version)
    cases = _cases_of(version.template)
    going = [case for case in cases.in_use().only("id", "key", "identity_hash") if case.identity_hash not in found]
    respelt = TestCase.objects.of(version.template.suite).filter(
        language=version.template.language,
        refers_to__in=[case.key for case in going],
        provenance__has_key="perturbation",
    )
    going += respelt.in_use().only("id", "key")
    _set_state(going, CaseState.RETIRED)
    back = [
        case
        for case in cases.filter(state=CaseState.RETIRED).only("id", "key", "identity_hash")
        if case.identity_hash in found
    ]
    _set_state(back, CaseState.READY)
    return [case.key for case in going], len(back)


def _cases_of(template: Template) -> TestCaseQuerySet:
    return TestCase.objects.filter(template=template, origin__in=MADE_FROM_TEMPLATES)


def _set_state(cases: Iterable[TestCase], state: CaseState) -> None:
    TestCase.objects.filter(pk__in=[case.pk for case in cases]).update(state=state)
