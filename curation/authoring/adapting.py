"""Carrying templates into another language, one after the other, as with a translation tool."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from core.text import _
from curation.authoring.models import VersionState
from curation.authoring.services import create_template
from curation.models import Language, Suite, TargetGroup, Template, TemplateVersion

NOT_STARTED = "not started"
STATUS_NAMES: dict[str, object] = {
    NOT_STARTED: _("Not started"),
    **{
        state.value: state.label
        for state in (VersionState.DRAFT, VersionState.SUBMITTED, VersionState.REJECTED, VersionState.APPROVED)
    },
}
STILL_TO_ADAPT = (NOT_STARTED, VersionState.DRAFT, VersionState.REJECTED)


@dataclass(frozen=True, slots=True)
class Adaptation:
    """A template of the source language, and how far the new language's is."""

    source: Template
    text: str
    template: Template | None
    status: str


def adaptations(source_suite: Suite, source: Language, suite: Suite, language: Language) -> list[Adaptation]:
    """Return every source template with a wording and the status of its adaptation; four queries."""
    versions = (
        TemplateVersion.objects.filter(template__suite=source_suite, template__language=source)
        .exclude(state__in=[VersionState.REJECTED, VersionState.SUPERSEDED])
        .select_related("template__functionality", "template__suite", "template__language", "author")
        .defer("template__suite__layouts", "template__language__features", "template__functionality__references")
        .prefetch_related("variants")
        .order_by("template__position", "template__key", "number")
    )
    wordings: dict[int, TemplateVersion] = {}
    for version in versions:  # the approved one, or else the newest
        known = wordings.get(version.template_id)
        if known is None or known.state != VersionState.APPROVED:
            wordings[version.template_id] = version
    made = Counterparts(
        Template.objects.of(suite)
        .filter(language=language)
        .select_related("suite", "language")
        .defer("suite__layouts", "language__features")
        .prefetch_related("versions")
    )
    return [
        Adaptation(
            version.template,
            next((variant.text for variant in version.variants.all()), ""),
            found := made.of(version.template),
            status_of(found),
        )
        for version in wordings.values()
    ]


def matching(rows: Iterable[Adaptation], *, status: str = "", search: str = "") -> list[Adaptation]:
    """Return the adaptations with a status whose source has all words of the search in its text, or one as its key."""
    words = search.casefold().split()
    return [
        row
        for row in rows
        if (not status or row.status == status)
        and all(word in row.text.casefold() or word == row.source.key.casefold() for word in words)
    ]


def next_to_adapt(rows: Sequence[Adaptation], after: Template | None = None) -> Template | None:
    """Return the next source that still needs adapting, beginning again at the top; None where none is left."""
    place = next((place for place, row in enumerate(rows) if row.source == after), -1)
    following = [*rows[place + 1 :], *rows[: max(place, 0)]]
    return next((row.source for row in following if row.status in STILL_TO_ADAPT), None)


class Counterparts:
    """Which templates of one language stand for which of another.

    Those adapted here say what they were adapted from; two adapted from the same one stand for each other. Those
    imported together say it by key: two languages of one suite that name a source text were adapted from the same
    templates, and a template kept its key.
    """

    def __init__(self, templates: Iterable[Template]) -> None:
        self._by_source: dict[int | None, Template] = {}
        self._by_number: dict[int | None, Template] = {}
        self._by_key: dict[tuple[int, str, int], Template] = {}
        for template in templates:
            self._by_number[template.pk] = template
            if template.adapted_from_id is not None:
                self._by_source[template.adapted_from_id] = template
            elif template.source_text:
                self._by_key[template.suite_id, template.key, template.functionality_id] = template

    def of(self, source: Template) -> Template | None:
        """Return the template that stands for the source, None where there is none yet."""
        known = self._by_source.get(source.pk)
        if known is None and source.adapted_from_id is not None:
            known = self._by_number.get(source.adapted_from_id) or self._by_source.get(source.adapted_from_id)
        if known is None and source.source_text:
            known = self._by_key.get((source.suite_id, source.key, source.functionality_id))
        return known


def status_of(template: Template | None) -> str:
    """Return the state of the newest wording; a template without one is not started."""
    newest = max(template.versions.all(), key=lambda version: version.number, default=None) if template else None
    return newest.state if newest else NOT_STARTED


@transaction.atomic
def start_adaptation(source: Template, suite: Suite, language: Language, *, by: User) -> Template:
    """Return the template of the new language that stands for the source, made where there is none yet.

    It keeps the source's key where that is free, so that the two are found side by side. A reference is carried over
    where its template has been adapted too.
    """
    same = Q(adapted_from=source) | Q(key=source.key, functionality=source.functionality_id)
    if source.adapted_from_id is not None:
        same |= Q(pk=source.adapted_from_id) | Q(adapted_from=source.adapted_from_id)
    known = Counterparts(Template.objects.of(suite).filter(same, language=language)).of(source)
    if known is not None:
        return known
    is_taken = Template.objects.of(suite).filter(language=language, key=source.key).exists()
    reference = (
        Template.objects.of(suite)
        .filter(
            language=language,
            adapted_from__key=source.refers_to,
            adapted_from__suite=source.suite,
            adapted_from__language=source.language,
        )
        .first()
        if source.refers_to
        else None
    )
    own_target = source.target.name if source.target else None
    return create_template(
        suite,
        language,
        source.functionality,
        by=by,
        key="" if is_taken or source.key.startswith(f"{source.language.code}-") else source.key,
        label_gold=source.gold_label if source.gold_label in suite.labels else "",
        direction=source.direction,
        refers_to=reference.key if reference else "",
        relation=source.relation if reference else "",
        target=TargetGroup.objects.filter(language=language, name=own_target).first() if own_target else None,
        adapted_from=source,
    )
