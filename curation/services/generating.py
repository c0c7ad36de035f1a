"""Turning approved templates into cases: repeatable, nothing twice."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from curation.bulk import insert_rows
from curation.models import Language, Suite, TargetGroup, Template, TemplateVersion, TestCase
from curation.models.cases import CaseState, Origin
from curation.morphology.expand import Expander
from curation.morphology.identity import identity_hash, text_hash
from curation.services.case_keys import KeyMaker
from curation.services.catalogue import find_or_create_targets
from curation.services.importing_cases import FIELDS
from curation.services.wording import expander_for

Progress = Callable[[int, int, str], None]
AT_MOST_WARNINGS = 500


@dataclass(slots=True)
class GenerationReport:
    suite: str
    generated: int = 0
    unchanged: int = 0
    skipped: int = 0
    warnings: list[dict[str, Any]] = field(default_factory=list)

    def warn(self, template: Template, what: str, fix: str = "") -> None:
        """Repeats are counted in `skipped`; the list stays readable."""
        if len(self.warnings) < AT_MOST_WARNINGS:
            self.warnings.append(
                {"language": template.language.code, "template": template.key, "problem": what, "fix": fix}
            )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _Made:
    """A case on its way into the database."""

    template: Template
    variant_id: int
    text: str
    target: str
    identity: str
    provenance: dict[str, Any]
    words: tuple[str, ...]
    key: str = ""


class Originals:
    """Finds the case that another one varies: the one of the template referred to that has the same word.

    Without `by_words` the rule of Multilingual HateCheck holds: the same target, where that gives exactly one case.
    """

    def __init__(self, *, by_words: bool) -> None:
        self._by_words = by_words
        self._keys: dict[tuple[str, Any], list[str]] = defaultdict(list)

    def add(self, case: _Made) -> None:
        self._keys[case.template.key, case.target].append(case.key)
        if self._by_words:
            self._keys[case.template.key, case.words].append(case.key)

    def of(self, case: _Made) -> str:
        """Its key, or "" where there is none or the choice would be a guess."""
        template = case.template.refers_to
        for same in (case.words, case.target) if self._by_words and case.words else (case.target,):
            found = self._keys.get((template, same), []) if template else []
            if len(found) == 1:
                return found[0]
        return ""


def generate_cases(suite: Suite, *, by: User | None = None, progress: Progress | None = None) -> GenerationReport:
    """Expand every approved template of the suite. Cases that are there already stay as they are.

    Words without the form a template asks for are skipped and reported; a faulty variant gives no cases and is reported.
    """
    report = GenerationReport(suite.key)
    languages = list(suite.languages.order_by("code"))
    for number, language in enumerate(languages):
        if progress:
            progress(number, len(languages), f"{language.name} …")
        with transaction.atomic():
            _generate_language(suite, language, report, by=by)
    if progress:
        progress(len(languages), len(languages), "")
    if report.generated:
        audit.record(by, Action.CASES_GENERATED, suite, generated=report.generated)
    return report


def _generate_language(suite: Suite, language: Language, report: GenerationReport, *, by: User | None) -> None:
    expander = expander_for(suite, language)
    known = dict(TestCase.objects.of(suite).filter(language=language).values_list("identity_hash", "key"))
    made: list[_Made] = []
    seen: dict[str, str] = {}
    originals = Originals(by_words=suite.format != "mhc")
    keys = KeyMaker(suite, language)
    for version in _approved(suite, language):
        for case in _expand(version, expander, report):
            if case.identity in seen:
                report.skipped += 1
                report.warn(case.template, f"the text for '{case.target}' comes out twice", "make the variants differ")
                continue
            case.key = known.get(case.identity, "")
            if case.key:
                report.unchanged += 1
            else:
                case.key = keys.next()
                made.append(case)
            seen[case.identity] = case.key
            originals.add(case)
    targets = find_or_create_targets(language, {case.target for case in made if case.target})
    report.generated += insert_rows(
        TestCase, FIELDS, _rows(suite, language, made, targets, originals, len(known), by=by)
    )


def _approved(suite: Suite, language: Language) -> list[TemplateVersion]:
    return list(
        TemplateVersion.objects.approved()
        .filter(template__suite=suite, template__language=language)
        .select_related("template__functionality", "template__language", "template__target")
        .prefetch_related("variants")
        .order_by("template__position", "template__key")
    )


def _expand(version: TemplateVersion, expander: Expander, report: GenerationReport) -> Iterator[_Made]:
    template = version.template
    variants = list(version.variants.all())
    by_features = {variant.features: variant.pk for variant in variants}
    expansion = expander.expand(variants, version.defaults)
    for fault in expansion.faults:
        report.warn(template, f"character {fault.position}: {fault.problem}", fault.fix)
    for skip in expansion.uncovered:
        report.skipped += 1
        report.warn(template, str(skip.reason), "fill the cell in the lexicon, or narrow the placeholder")
    functionality, language = template.functionality.key, template.language.code
    for realised in expansion:
        target = realised.target or (template.target.name if template.target else "")
        provenance: dict[str, Any] = {"version": version.number}
        if realised.forms:
            provenance["forms"] = [list(form) for form in realised.forms]
        if realised.warnings:
            provenance["warnings"] = list(realised.warnings)
            for warning in realised.warnings:
                report.warn(template, warning)
        identity = identity_hash(
            language=language, functionality=functionality, template=template.key, target=target, text=realised.text
        )
        yield _Made(
            template, by_features[realised.variant_features], realised.text, target, identity, provenance, realised.entries
        )


def _rows(
    suite: Suite,
    language: Language,
    made: list[_Made],
    targets: dict[str, TargetGroup],
    originals: Originals,
    first: int,
    *,
    by: User | None,
) -> Iterator[tuple[Any, ...]]:
    now = timezone.now()
    for position, case in enumerate(made, first):
        template = case.template
        yield (
            suite.pk, language.pk, template.functionality_id, case.key, case.text, Origin.TEMPLATE, CaseState.READY,
            targets[case.target].pk if case.target else None, template.pk, case.variant_id,
            originals.of(case), template.direction, template.focus_words, template.focus_lemma,
            text_hash(case.text), case.identity, case.provenance, None, position, by.pk if by else None, now,
        )  # fmt: skip
