"""Perturbations of cases: made under a spelling functionality, each refers to the case it perturbs."""

from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import Max, QuerySet
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_author
from core.text import _
from curation.authoring.models import Relation
from curation.cases.keys import KeyMaker
from curation.cases.models import Origin
from curation.cases.options import PerturbOptions
from curation.cases.rows import case_row, insert_cases
from curation.catalogue.applicability import applicability, can_perturb, why_not
from curation.fields import detail_values, details_of
from curation.finding import find_suite, named
from curation.models import Functionality, Language, Suite, Template, TestCase
from curation.morphology.identity import identity_hash
from curation.morphology.perturb import PERTURBATIONS, attempt
from curation.releases.following import follow_decision


@dataclass(slots=True)
class PerturbationReport:
    """How many cases were made and how many existed, and the originals that could not be perturbed, with the reason.

    `without_cases` names the templates none of whose cases could be perturbed, each with the reason of the first.
    """

    made: int = 0
    unchanged: int = 0
    skipped: list[tuple[str, str]] = field(default_factory=list)
    without_cases: list[tuple[str, str]] = field(default_factory=list)


def spelling_functionalities(language: Language) -> QuerySet[Functionality]:
    """Return the spelling functionalities that apply in a language and whose perturbation works on its script."""
    spellings = Functionality.objects.exclude(perturbation="")
    known = applicability([language], spellings)[language.pk]
    return spellings.filter(
        pk__in=[item.pk for item in spellings if known[item.pk].applies and can_perturb(language, item.perturbation)]
    )


def perturb_by_options(asked: PerturbOptions, *, by: User | None) -> PerturbationReport:
    """Perturb the cases that the options of a page, request or command name. Refuses what does not exist."""
    return perturb_cases(
        find_suite(asked.suite),
        asked.seed,
        language=named(Language.objects.all(), "language", code=asked.language),
        functionality=named(Functionality.objects.all(), "functionality", key=asked.functionality),
        by=by,
        template=asked.template,
        source=asked.from_functionality,
    )


@transaction.atomic
def perturb_cases(
    suite: Suite,
    seed: int,
    *,
    language: Language,
    functionality: Functionality,
    by: User | None,
    template: str = "",
    source: str = "",
) -> PerturbationReport:
    """Perturb cases and add the new ones under a spelling functionality, which names the perturbation.

    The originals are the cases in use made from approved templates, narrowed by the template's key and the
    functionality (`source`). The same seed makes the same texts, so doing it again adds nothing. `by=None` is an
    operator at the command line.
    Refuses a functionality that names no perturbation, or one that does not work on the language's script.
    """
    if by is not None:
        require_author(by, language.code)
    key = functionality.perturbation
    if key not in PERTURBATIONS:
        raise BadInput(
            _(
                "'%(functionality)s' is not a spelling functionality. Choose one that names a perturbation.",
                functionality=functionality.key,
            )
        )
    if not can_perturb(language, key):
        raise BadInput(_("%(why)s Choose another spelling functionality.", why=why_not(language, key)))
    originals = _originals(suite, language, functionality, template, source)
    if not originals:
        raise BadInput(
            _("There are no cases to perturb. Approve templates, generate their cases, or choose fewer filters.")
        )
    report = PerturbationReport()
    known = set(TestCase.objects.of(suite).filter(language=language).values_list("identity_hash", flat=True))
    companions = Companions(suite, language, functionality)
    refused: dict[str, str] = {}
    perturbed: set[str] = set()
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
        perturbed.add(own.key)
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
                label=original.gold_label,
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
                author=by.pk if by else None,
                at=timezone.now(),
            )
        )
    report.without_cases = [(name, reason) for name, reason in refused.items() if name not in perturbed]
    report.made = insert_cases(rows)
    if report.made:
        follow_decision(suite, by=by)
        facts = {"generated": report.made, "perturbation": key, "seed": seed, "language": language.code}
        audit.record(by, Action.CASES_GENERATED, suite, **facts)
    return report


def _originals(
    suite: Suite, language: Language, functionality: Functionality, template: str, source: str
) -> list[TestCase]:
    """Return cases in plain spelling with the gold label that the perturbed ones will have."""
    cases = (
        TestCase.objects.of(suite)
        .in_use()
        .filter(
            language=language,
            template__isnull=False,
            functionality__perturbation="",
        )
        .select_related("template", "target")
        .in_order()
    )
    if functionality.gold_label:  # with another label a pair would mean nothing
        cases = cases.filter(gold_label=functionality.gold_label)
    if template:
        cases = cases.filter(template__key=template)
    if source:
        cases = cases.filter(functionality__key=source)
    return list(cases)


class Companions:
    """For each template of the originals, the one that stands for its perturbed cases and refers to it.

    It has no text of its own. It makes the exclusion of a template exclude its perturbations too.
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
