"""Misspelt versions of cases: made under the spelling functionality, each refers to the case it respells."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from curation.bulk import insert_rows
from curation.errors import BadInput, Missing
from curation.models import Functionality, Language, Suite, Template, TestCase
from curation.models.cases import CaseState, Origin
from curation.models.templates import Relation
from curation.morphology.identity import identity_hash, text_hash
from curation.morphology.perturb import PERTURBATIONS, attempt
from curation.permissions import require_author
from curation.services.case_keys import KeyMaker
from curation.services.importing_cases import FIELDS


@dataclass(slots=True)
class PerturbationReport:
    """What was made, what was there before, and the originals nothing could be made of, with the reason."""

    made: int = 0
    unchanged: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)


@transaction.atomic
def perturb_cases(
    suite: Suite,
    key: str,
    seed: int,
    *,
    language: Language,
    functionality: Functionality,
    by: User,
    template: str = "",
    source: str = "",
) -> PerturbationReport:
    """Respell cases with the perturbation `key` and add them under a spelling functionality with the same gold label.

    The originals are the cases in use made from approved templates, narrowed by the template's key and the
    functionality (`source`). The same seed makes the same texts, so doing it again adds nothing.
    Refuses an unknown perturbation, and a functionality that is not about it.
    """
    require_author(by, language.code)
    if not key:
        raise BadInput(f"'{functionality.key}' is about no spelling. Choose a spelling functionality.")
    if key not in PERTURBATIONS:
        raise Missing(f"There is no perturbation '{key}'. Known: {', '.join(PERTURBATIONS)}.")
    if functionality.perturbation != key:
        about = f"'{functionality.perturbation}'" if functionality.perturbation else "no spelling"
        raise BadInput(
            f"'{functionality.key}' is about {about}, not about '{key}'. Choose the spelling functionality for it."
        )
    originals = _originals(suite, language, functionality, template, source)
    if not originals:
        raise BadInput("There is no case to respell. Approve templates, generate their cases, or widen the choice.")
    report = PerturbationReport()
    known = set(TestCase.objects.of(suite).filter(language=language).values_list("identity_hash", flat=True))
    companions = _companions(suite, language, functionality, originals)
    keys = KeyMaker(suite, language)
    last = TestCase.objects.of(suite).filter(language=language).aggregate(last=Max("position"))["last"]
    rows: list[tuple[Any, ...]] = []
    for original in originals:
        focus = [word.strip() for word in original.focus_words.split(",") if word.strip()]
        outcome = attempt(key, original.text, seed=seed, language=language.code, focus=focus)
        if outcome.text is None:
            report.skipped.append((original.key, outcome.reason))
            continue
        companion = companions[original.template_id or 0]
        identity = identity_hash(
            language=language.code,
            functionality=functionality.key,
            template=companion.key,
            target=original.target.name if original.target else "",
            text=outcome.text,
        )
        if identity in known:
            report.unchanged += 1
            continue
        known.add(identity)
        provenance = {"perturbation": key, "seed": seed, "original": original.key}
        rows.append((
            suite.pk, language.pk, functionality.pk, keys.next(), outcome.text, Origin.TEMPLATE, CaseState.READY,
            original.target_id, companion.pk, None, original.key, original.direction, original.focus_words,
            original.focus_lemma, text_hash(outcome.text), identity, provenance, None,
            (0 if last is None else last + 1) + len(rows), by.pk, timezone.now(),
        ))  # fmt: skip
    report.made = insert_rows(TestCase, FIELDS, iter(rows))
    if report.made:
        facts = {"generated": report.made, "perturbation": key, "seed": seed, "language": language.code}
        audit.record(by, Action.CASES_GENERATED, suite, **facts)
    return report


def _originals(
    suite: Suite, language: Language, functionality: Functionality, template: str, source: str
) -> list[TestCase]:
    """Plain spellings with the gold label the respelt ones will have: with another label a pair would mean nothing."""
    cases = (
        TestCase.objects.of(suite)
        .in_use()
        .filter(
            language=language,
            template__isnull=False,
            functionality__perturbation="",
            functionality__gold_label=functionality.gold_label,
        )
        .select_related("template", "target")
        .in_order()
    )
    if template:
        cases = cases.filter(template__key=template)
    if source:
        cases = cases.filter(functionality__key=source)
    return list(cases)


def _companions(
    suite: Suite, language: Language, functionality: Functionality, originals: list[TestCase]
) -> dict[int, Template]:
    """For each template of the originals the one that stands for its respelt cases and refers to it.

    It has no wording of its own; it is there so that leaving a template out also leaves its misspelt versions out.
    """
    templates = {case.template.pk: case.template for case in originals if case.template}
    known = {
        template.refers_to: template
        for template in Template.objects.of(suite).filter(
            language=language, functionality=functionality, relation=Relation.PERTURBS, versions__isnull=True
        )
    }
    found = {}
    for pk, template in templates.items():
        found[pk] = known.get(template.key) or Template.objects.create(
            suite=suite,
            language=language,
            functionality=functionality,
            key=f"{template.key}-{functionality.perturbation}"[:80],
            refers_to=template.key,
            relation=Relation.PERTURBS,
            direction=template.direction,
            focus_words=template.focus_words,
            focus_lemma=template.focus_lemma,
            position=template.position,
        )
    return found
