"""Generate the cases of approved templates. Generating again changes nothing."""

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple

from django.db import transaction
from django.utils import timezone

from accounts.models import Action, User
from accounts.services import audit
from core.bulk import JsonText
from core.text import _
from curation.authoring.case_changes import follow_words
from curation.authoring.models import VersionState
from curation.authoring.wording import expander_for
from curation.cases.identity_templates import identity_templates
from curation.cases.imported_places import ImportedPlaces
from curation.cases.keys import KeyMaker
from curation.cases.models import Origin
from curation.cases.rows import case_row, insert_cases
from curation.catalogue.loading import find_or_create_targets
from curation.fields import DETAILS
from curation.formats.registry import format_of
from curation.models import Language, Suite, TargetGroup, TemplateVariant, TemplateVersion, TestCase
from curation.morphology.expand import Expander, Realised
from curation.morphology.identity import identity_hash
from curation.morphology.words import FormUsed
from curation.releases.following import follow_decision

Progress = Callable[[int, int, str], None]
AT_MOST_WARNINGS = 500


class Source(NamedTuple):
    """An approved template as one row: reading rows instead of objects halves the time of a large suite."""

    id: int
    key: str
    language: str
    functionality_id: int
    functionality: str
    label: str  # the template's own, for a mixed functionality
    usual_label: str  # the functionality's
    refers_to: str
    target: str | None
    version_id: int
    number: int
    defaults: str
    details: tuple[str, ...]  # in the order of `curation.fields.DETAILS`


class Variant(NamedTuple):
    id: int
    features: str
    text: str


@dataclass(slots=True)
class GenerationReport:
    suite: str
    generated: int = 0
    unchanged: int = 0
    skipped: int = 0
    retired: int = 0  # cases that a changed word no longer gives
    revived: int = 0  # retired cases that are given again
    warnings: list[dict[str, Any]] = field(default_factory=list)

    def warn(self, template: Source, what: str, fix: str = "") -> None:
        """Repeats are counted in `skipped`; the list stays readable."""
        if len(self.warnings) < AT_MOST_WARNINGS:
            self.warnings.append({"language": template.language, "template": template.key, "problem": what, "fix": fix})

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(slots=True)
class _Made:
    """A case on its way into the database."""

    template: Source
    variant_id: int
    text: str
    target: str
    identity: str
    provenance: JsonText
    words: tuple[str, ...]
    forms: tuple[FormUsed, ...]
    key: str = ""


class Originals:
    """Find the case that another one varies: the one of the template referred to that has the same word.

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
        """Return its key, or "" where there is none or several fit."""
        template = case.template.refers_to
        for same in (case.words, case.target) if self._by_words and case.words else (case.target,):
            found = self._keys.get((template, same), []) if template else []
            if len(found) == 1:
                return found[0]
        return ""


def generate_cases(suite: Suite, *, by: User | None = None, progress: Progress | None = None) -> GenerationReport:
    """Expand every approved template of the suite. Cases that are there already stay as they are.

    A case made earlier that the words no longer give (a form was corrected) is retired, and one that is given again
    comes back. Words without the form a template asks for are skipped and reported; so is a variant that cannot be
    read.
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
    if report.generated or report.retired or report.revived:
        follow_decision(suite, by=by)
        counts = {"generated": report.generated, "retired": report.retired, "revived": report.revived}
        audit.record(by, Action.CASES_GENERATED, suite, **{name: count for name, count in counts.items() if count})
    return report


def _generate_language(suite: Suite, language: Language, report: GenerationReport, *, by: User | None) -> None:
    expander = expander_for(suite, language)
    variants = variants_of(suite, language)
    provenance = _ProvenanceWriter()
    unread: set[int] = set()
    cases = (
        case
        for source in approved_sources(suite, language)
        for case in _expand(source, variants[source.version_id], expander, provenance, report, unread)
    )
    given = _keep(suite, language, cases, report, by=by, is_everything=True)
    retired, revived = follow_words(suite, language, given, unread)
    report.retired += retired
    report.revived += revived


@transaction.atomic
def keep_realised(
    suite: Suite, language: Language, chosen: Iterable[tuple[Source, int, Realised]], *, by: User | None
) -> GenerationReport:
    """Make cases of chosen texts of templates (source, id of the variant, text), just as `generate_cases` would."""
    report = GenerationReport(suite.key)
    provenance = _ProvenanceWriter()
    cases = (_made(source, variant_id, realised, provenance, report) for source, variant_id, realised in chosen)
    _keep(suite, language, cases, report, by=by)
    follow_decision(suite, by=by)
    return report


def _keep(
    suite: Suite,
    language: Language,
    cases: Iterable[_Made],
    report: GenerationReport,
    *,
    by: User | None,
    is_everything: bool = False,
) -> set[str]:
    """Write the new cases. Return the identity hashes of all cases, new or not.

    Only with everything the templates give at hand can imported texts be told that none of them gives.
    """
    known = dict(TestCase.objects.of(suite).filter(language=language).values_list("identity_hash", "key"))
    once: dict[str, _Made] = {}
    for case in cases:
        if case.identity in once:
            report.skipped += 1
            problem = _("two variants give the same text for '%(group)s'", group=case.target)
            report.warn(case.template, problem, _("make the variants differ"))
        else:
            once[case.identity] = case
    places = ImportedPlaces(suite, language, once) if is_everything else None
    made: list[_Made] = []
    originals = Originals(by_words=format_of(suite.format).pairs_by_word)
    keys = KeyMaker(suite, language)
    for case in once.values():
        case.key = known.get(case.identity, "") or (_imported_key(case, places, report) if places else "")
        if case.key:
            report.unchanged += 1
        else:
            case.key = keys.next()
            made.append(case)
        originals.add(case)
    targets = find_or_create_targets(language, {case.target for case in made if case.target})
    report.generated += insert_cases(_rows(suite, language, made, targets, originals, len(known), by=by))
    return set(once)


def _imported_key(case: _Made, places: ImportedPlaces, report: GenerationReport) -> str:
    """Return the key of the imported case that has another text in its place; "" where there is none."""
    key = places.take(case.template.id, case.target, case.forms)
    if key:
        problem = _(
            "case %(case)s was imported with another text than the template gives for '%(group)s', and is kept",
            case=key,
            group=case.target,
        )
        report.warn(case.template, problem, _("retire it to get the template's text"))
    return key


def approved_sources(suite: Suite, language: Language) -> Iterator[Source]:
    """Return the approved templates of a suite in a language, in order; one query."""
    rows = (
        TemplateVersion.objects.approved()
        .filter(template__suite=suite, template__language=language)
        .order_by("template__position", "template__key")
        .values_list(
            "template_id", "template__key", "template__language__code", "template__functionality_id",
            "template__functionality__key", "template__gold_label", "template__functionality__gold_label",
            "template__refers_to", "template__target__name", "id", "number", "defaults",
            *(f"template__{name}" for name in DETAILS),
        )
    )  # fmt: skip
    return (Source._make((*row[: -len(DETAILS)], row[-len(DETAILS) :])) for row in rows)


def variants_of(suite: Suite, language: Language) -> dict[int, list[Variant]]:
    """Return the texts of all approved versions, by version; one query."""
    found: dict[int, list[Variant]] = defaultdict(list)
    rows = TemplateVariant.objects.filter(
        version__state=VersionState.APPROVED, version__template__suite=suite, version__template__language=language
    ).order_by("position", "id")
    for version_id, variant_id, features, text in rows.values_list("version_id", "id", "features", "text"):
        found[version_id].append(Variant(variant_id, features, text))
    return found


class _ProvenanceWriter:
    """Which version and which forms a case was made from, as JSON; equal forms are spelt out once."""

    def __init__(self) -> None:
        self._forms: dict[tuple[FormUsed, ...], str] = {}

    def __call__(self, number: int, realised: Realised) -> JsonText:
        forms = self._forms.get(realised.forms)
        if forms is None:
            forms = self._forms[realised.forms] = json.dumps(realised.forms, ensure_ascii=False)
        warnings = f', "warnings": {json.dumps(realised.warnings, ensure_ascii=False)}' if realised.warnings else ""
        listed = f', "forms": {forms}' if realised.forms else ""
        return JsonText(f'{{"version": {number}{listed}{warnings}}}')


def _expand(
    source: Source,
    variants: list[Variant],
    expander: Expander,
    provenance: _ProvenanceWriter,
    report: GenerationReport,
    unread: set[int],
) -> Iterator[_Made]:
    by_features = {variant.features: variant.id for variant in variants}
    if not (source.label or source.usual_label):
        unread.add(source.id)
        problem = _("its functionality is mixed, and the template has no gold label")
        report.warn(source, problem, _("give the template a gold label"))
        return
    expansion = expander.expand(variants, source.defaults)
    for fault in expansion.faults:
        unread.add(source.id)
        problem = _("character %(position)s: %(problem)s", position=fault.position, problem=fault.problem)
        report.warn(source, problem, fault.fix)
    for skip in expansion.uncovered:
        report.skipped += 1
        report.warn(source, skip.reason, _("fill the cell in the lexicon, or narrow the placeholder"))
    made = None
    for realised in expansion:
        yield (made := _made(source, by_features[realised.variant_features], realised, provenance, report))
    if made is None and not expansion.faults and not expansion.uncovered:
        problem = _("no word of the lexicon fills its placeholders")
        report.warn(source, problem, _("add words of that kind to the lexicon, or write the cases by hand"))


def identity_of(source: Source, realised: Realised) -> str:
    """Return what makes a case of a template the same case when it is generated again."""
    return identity_hash(
        language=source.language,
        functionality=source.functionality,
        template=source.key,
        target=realised.target or source.target or "",
        text=realised.text,
    )


def _made(
    source: Source, variant_id: int, realised: Realised, provenance: _ProvenanceWriter, report: GenerationReport
) -> _Made:
    target = realised.target or source.target or ""
    for warning in realised.warnings:
        report.warn(source, warning)
    identity = identity_of(source, realised)
    made_from = provenance(source.number, realised)
    return _Made(source, variant_id, realised.text, target, identity, made_from, realised.entries, realised.forms)


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
    about_identity = identity_templates(case.template.id for case in made).about
    for position, case in enumerate(made, first):
        template = case.template
        yield case_row(
            suite=suite.pk,
            language=language.pk,
            functionality=template.functionality_id,
            key=case.key,
            text=case.text,
            label=template.label or template.usual_label,
            origin=Origin.TEMPLATE,
            target=targets[case.target].pk if case.target else None,
            template=template.id,
            variant=case.variant_id,
            is_about_identity=template.id in about_identity,
            refers_to=originals.of(case),
            details=template.details,
            identity=case.identity,
            provenance=case.provenance,
            position=position,
            author=by.pk if by else None,
            at=now,
        )
