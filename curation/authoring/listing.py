"""Finding templates and cases: search, filters and order, the same for pages and API."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import CharField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce, NullIf

from curation.authoring.models import VersionState
from curation.authoring.wording_checks import VariantText
from curation.lexicon.vocabulary import vocabulary_of
from curation.models import Language, Suite, TargetGroup, Template, TemplateVariant, TemplateVersion, TestCase

NO_TEXT = "empty"
# Decoded anew for every row of a join, and big: how an imported suite's word files were laid out.
LARGE = ("suite__layouts", "suite__authors", "language__features", "functionality__references")
TEMPLATE_SORTS = {
    "key": ("key",),
    "language": ("language__name", "position", "key"),
    "functionality": ("functionality__position", "functionality__key", "position"),
    "state": ("latest_state", "position", "key"),
}
CASE_SORTS = {
    "key": ("key",),
    "text": ("text",),
    "functionality": ("functionality__position", "functionality__key", "position"),
    "target": ("target__name", "position"),
    "state": ("state", "position"),
}


@dataclass(frozen=True, slots=True)
class TemplateChoice:
    """What a reader of the list asked for; empty means all."""

    suite: str = ""
    language: str = ""
    functionality: str = ""
    state: str = ""
    search: str = ""
    sort: str = ""


def templates_matching(choice: TemplateChoice, suites: Iterable[Suite]) -> QuerySet[Template]:
    """Return templates of the suites given, with `latest_state`, `is_approved` and what a list shows, in order."""
    newest = TemplateVersion.objects.filter(template=OuterRef("pk")).order_by("-number")
    templates = (
        Template.objects.filter(suite__in=suites)
        .select_related("suite", "language", "functionality", "target")
        .defer(*LARGE, "drafts", "extra")
        .annotate(
            latest_state=Coalesce(Subquery(newest.values("state")[:1]), Value(NO_TEXT), output_field=CharField()),
            is_approved=Exists(newest.filter(state=VersionState.APPROVED)),
        )
    )
    if choice.suite:
        templates = templates.filter(suite__key=choice.suite)
    if choice.language:
        templates = templates.filter(language__code=choice.language)
    if choice.functionality:
        templates = templates.filter(functionality__key=choice.functionality)
    if choice.state == VersionState.APPROVED:
        templates = templates.filter(is_approved=True)
    elif choice.state:
        templates = templates.filter(latest_state=choice.state)
    for word in choice.search.split()[:8]:
        within = TemplateVariant.objects.filter(version__template=OuterRef("pk"), text__icontains=word)
        templates = templates.filter(Q(key__icontains=word) | Q(focus_words__icontains=word) | Exists(within))
    return templates.order_by(
        *_order(choice.sort, TEMPLATE_SORTS, ("suite__name", "language__name", "position", "key")), "pk"
    )


def _order(sort: str, known: dict[str, tuple[str, ...]], otherwise: tuple[str, ...]) -> tuple[str, ...]:
    names = known.get(sort.removeprefix("-"), otherwise)
    return tuple(f"-{name}" for name in names) if sort.startswith("-") and sort[1:] in known else names


def with_wordings(templates: Iterable[Template]) -> dict[int, TemplateVersion]:
    """Return the newest version of each template, with its texts; two queries."""
    versions = (
        TemplateVersion.objects.filter(template__in=list(templates)).prefetch_related("variants").order_by("number")
    )
    return {version.template_id: version for version in versions}


def count_cases(templates: Iterable[Template]) -> dict[int, int]:
    """Return how many cases in use each template has; one query."""
    counted = TestCase.objects.in_use().filter(template__in=list(templates)).values_list("template_id")
    return dict(counted.annotate(count=Count("id")).order_by())


def missing_forms(templates: QuerySet[Template]) -> dict[int, int]:
    """Return how many words of the lexicon the newest wording of each template leaves out for want of a form.

    Plain rows rather than objects: the filter asks this of thousands of templates at once.
    """
    texts: dict[tuple[int, int, int, str], list[VariantText]] = {}
    names = ("template", "template__suite", "template__language", "defaults")
    columns = [f"version__{name}" for name in names]
    for *place, features, text in wordings_of(templates).values_list(*columns, "features", "text"):
        texts.setdefault(tuple(place), []).append(VariantText(features, text))
    suites = Suite.objects.defer("layouts").in_bulk({suite for _, suite, _, _ in texts})
    languages = Language.objects.in_bulk({language for _, _, language, _ in texts})
    places = {(suite, language) for _, suite, language, _ in texts}
    expanders = {place: vocabulary_of(suites[place[0]], languages[place[1]]).expander for place in places}
    return {
        template: len(expanders[suite, language].expand(variants, defaults).uncovered)
        for (template, suite, language, defaults), variants in texts.items()
    }


@dataclass(frozen=True, slots=True)
class CaseChoice:
    """What a reader of the list of cases asked for; empty means all. Retired cases show only when asked for."""

    suite: str = ""
    language: str = ""
    functionality: str = ""
    target: str = ""
    origin: str = ""
    state: str = ""
    template: str = ""
    search: str = ""
    sort: str = ""


def cases_matching(choice: CaseChoice, cases: QuerySet[TestCase]) -> QuerySet[TestCase]:
    """Return the cases that fit, with what a list shows, in order."""
    cases = cases.select_related("suite", "language", "functionality", "target").defer(*LARGE, "extra")
    filters = {
        "suite__key": choice.suite,
        "language__code": choice.language,
        "functionality__key": choice.functionality,
        "origin": choice.origin,
        "state": choice.state,
        "template__key": choice.template,
    }
    cases = cases.filter(**{name: value for name, value in filters.items() if value})
    if choice.target:
        cases = cases.filter(target__in=TargetGroup.objects.naming([choice.target]))
    if not choice.state:
        cases = cases.exclude(state="retired")
    for word in choice.search.split()[:8]:
        cases = cases.filter(Q(key__iexact=word) | Q(text__icontains=word) | Q(focus_words__icontains=word))
    return cases.order_by(*_order(choice.sort, CASE_SORTS, ("suite_id", "language_id", "position")), "pk")


def wordings_of(templates: QuerySet[Template]) -> QuerySet[TemplateVariant]:
    """Return the newest texts of templates, for a download: one row per text, with the facts of its template."""
    newest = TemplateVersion.objects.filter(template=OuterRef("version__template")).order_by("-number")
    return (
        TemplateVariant.objects.filter(version__template__in=templates.order_by().values("pk"))
        .annotate(
            newest=Subquery(newest.values("number")[:1]),
            label=Coalesce(
                NullIf("version__template__gold_label", Value("")), "version__template__functionality__gold_label"
            ),
        )
        .filter(version__number=F("newest"))
        .order_by(
            "version__template__suite",
            "version__template__language",
            "version__template__position",
            "version__template__key",
            "position",
        )
    )
