"""Misspelt versions of cases: made under the spelling functionality, each refers to the case it respells."""

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput, Missing
from core.permissions import require_author
from curation.authoring.models import Relation
from curation.cases.keys import KeyMaker
from curation.cases.models import Origin
from curation.cases.rows import case_row, insert_cases
from curation.catalogue.applicability import applicability, can_perturb, why_not
from curation.fields import detail_values, details_of
from curation.models import Functionality, Language, Suite, Template, TestCase
from curation.morphology.identity import identity_hash
from curation.morphology.perturb import PERTURBATIONS, attempt
from curation.releases.following import follow_decision


@dataclass(slots=True)
class PerturbationReport:
    """What was made, what was there before, and the originals nothing could be made of, with the reason.

    `without_cases` names the templates none of whose cases could be respelt, each with the reason of the first.
    """

    made: int = 0
    unchanged: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    without_cases: list[tuple[str, str]] = field(default_factory=list)


def spelling_functionalities(language: Language) -> QuerySet[Functionality]:
    """The functionalities cases of the language can be respelt under: they apply, and their perturbation can act."""
    spellings = Functionality.objects.exclude(perturbation="")
    known = applicability([language], spellings)[language.pk]
    return spellings.filter(
        pk__in=[item.pk for item in spellings if known[item.pk].applies and can_perturb(language, item.perturbation)]
    )


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
    Refuses an unknown perturbation, one that cannot act on the language's script, and a functionality that is not
    about it.
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
    if not can_perturb(language, key):
        raise BadInput(f"{why_not(language, key)} Choose another spelling functionality.")
    originals = _originals(suite, language, functionality, template, source)
    if not originals:
        raise BadInput("There is no case to respell. Approve templates, generate their cases, or widen the choice.")
    report = PerturbationReport()
    known = set(TestCase.objects.of(suite).filter(language=language).values_list("identity_hash", flat=True))
    companions = Companions(suite, language, functionality)
    refused: dict[str, str] = {}
    respelt: set[str] = set()
    keys = KeyMaker(suite, language)
    last = TestCase.objects.of(suite).filter(language=language).aggregate(last=Max("position"))["last"]
    rows: list[tuple[Any, ...]] = []
    for original in originals:
        assert original.template is not None  # _originals asks for it
        own = original.template
        focus = [word.strip() for word in original.focus_words.split(",") if word.strip()]
        outcome = attempt(key, original.text, seed=seed, language=language.code, focus=focus)
        if outcome.text is None:
            report.skipped.append((original.key, outcome.reason))
            refused.setdefault(own.key, outcome.reason)
            continue
        respelt.add(own.key)
        identity = identity_hash(
            language=language.code,
            functionality=functionality.key,
            template=companions.key_of(own),
            target=original.target.name if original.target else "",
            text=outcome.text,
        )
        if identity in known:
            report.unchanged += 1
            continue
        known.add(identity)
        provenance = {"perturbation": key, "seed": seed, "original": original.key}
        rows.append(
            case_row(
                suite=suite.pk,
                language=language.pk,
                functionality=functionality.pk,
                key=keys.next(),
                text=outcome.text,
                origin=Origin.TEMPLATE,
                target=original.target_id,
                template=companions.stored(own).pk,
                variant=None,
                is_about_identity=original.is_about_identity,
                refers_to=original.key,
                details=detail_values(original),
                identity=identity,
                provenance=provenance,
                position=(0 if last is None else last + 1) + len(rows),
                author=by.pk,
                at=timezone.now(),
            )
        )
    report.without_cases = [(name, reason) for name, reason in refused.items() if name not in respelt]
    report.made = insert_cases(rows)
    if report.made:
        follow_decision(suite, by=by)
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


class Companions:
    """For each template of the originals the one that stands for its respelt cases and refers to it.

    It has no wording of its own; it is there so that leaving a template out also leaves its misspelt versions out.
    It is stored with its first case, so that a template nothing could be made of gets none.
    """

    def __init__(self, suite: Suite, language: Language, functionality: Functionality) -> None:
        self._suite, self._language, self._functionality = suite, language, functionality
        known = Template.objects.of(suite).filter(
            language=language, functionality=functionality, relation=Relation.PERTURBS, versions__isnull=True
        )
        self._known = {template.refers_to: template for template in known}

    def key_of(self, template: Template) -> str:
        known = self._known.get(template.key)
        return known.key if known else f"{template.key}-{self._functionality.perturbation}"[:80]

    def stored(self, template: Template) -> Template:
        if template.key not in self._known:
            self._known[template.key] = Template.objects.create(
                suite=self._suite,
                language=self._language,
                functionality=self._functionality,
                key=self.key_of(template),
                refers_to=template.key,
                relation=Relation.PERTURBS,
                **details_of(template),
                position=template.position,
            )
        return self._known[template.key]
