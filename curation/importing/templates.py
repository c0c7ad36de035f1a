"""Storing the templates of an imported suite: each is approved as imported; another wording is a new version."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils import timezone

from accounts.models import User
from core.states import move_rows
from core.text import _
from curation.authoring.models import Relation, VersionState
from curation.catalogue.loading import find_or_create_targets
from curation.fields import details_of
from curation.formats.values import SuiteValues, TemplateValue
from curation.models import Functionality, Language, Suite, Template, TemplateVariant, TemplateVersion
from curation.states import IMPORTED_VERSION_MOVES

IMPORTED = _("Imported.")
Wording = tuple[str, tuple[tuple[str, str], ...]]


@dataclass(slots=True)
class StoredTemplates:
    new: int = 0
    changed: int = 0


def store_templates(
    suite: Suite,
    values: SuiteValues,
    languages: dict[str, Language],
    functionalities: dict[str, Functionality],
    *,
    by: User | None,
) -> StoredTemplates:
    """Add new templates with an approved version; give known ones a new version where the wording differs."""
    stored = StoredTemplates()
    for code, language in languages.items():
        templates = [template for template in values.templates if template.language == code]
        if templates:
            _store_language(suite, language, templates, functionalities, stored, by=by)
    return stored


def _wording(value: TemplateValue) -> Wording:
    return value.defaults, tuple((variant.features, variant.text) for variant in value.variants)


def _is_known(value: TemplateValue, approved: Wording | None) -> bool:
    """Tell whether the approved wording is what the file says; a file of cases says texts only."""
    if approved is None or value.tells_features:
        return approved == _wording(value)
    return {variant.text for variant in value.variants} <= {text for _, text in approved[1]}


def _approved_wordings(suite: Suite, language: Language) -> dict[str, Wording]:
    versions = (
        TemplateVersion.objects.approved()
        .filter(template__suite=suite, template__language=language)
        .select_related("template")
        .prefetch_related("variants")
    )
    return {
        version.template.key: (
            version.defaults,
            tuple((variant.features, variant.text) for variant in version.variants.all()),
        )
        for version in versions
    }


def _store_language(
    suite: Suite,
    language: Language,
    values: Sequence[TemplateValue],
    functionalities: dict[str, Functionality],
    stored: StoredTemplates,
    *,
    by: User | None,
) -> None:
    known = {template.key: template for template in Template.objects.of(suite).filter(language=language)}
    targets = find_or_create_targets(language, {value.target for value in values if value.target})
    fresh = [
        Template(
            suite=suite,
            language=language,
            functionality=functionalities[value.functionality],
            key=value.key,
            refers_to=value.refers_to or "",
            relation=_relation(value, functionalities) if value.refers_to else "",
            source_text=value.source_text,
            drafts=dict(value.drafts),
            **details_of(value),
            target=targets.get(value.target),
            gold_label="" if functionalities[value.functionality].gold_label else value.label,
            extra=dict(value.extra),
            position=value.position,
        )
        for value in values
        if value.key not in known
    ]
    stored.new += len(Template.objects.bulk_create(fresh, batch_size=1000))
    current = _approved_wordings(suite, language)
    templates = {template.key: template for template in Template.objects.of(suite).filter(language=language)}
    moved = [value for value in values if value.variants and not _is_known(value, current.get(value.key))]
    stored.changed += sum(value.key in known for value in moved)
    approve_as_imported([(templates[value.key], value) for value in moved], by=by)


def _relation(value: TemplateValue, functionalities: dict[str, Functionality]) -> str:
    return Relation.PERTURBS if functionalities[value.functionality].perturbation else Relation.CONTRASTS


def approve_as_imported(pairs: Sequence[tuple[Template, TemplateValue]], *, by: User | None) -> None:
    """Drafts first, then their texts, then approval of all at once: the guards let no text into an approved version."""
    template_ids = [template.pk for template, value in pairs]
    numbers: dict[int, int] = {}
    for template_id, number in TemplateVersion.objects.filter(template_id__in=template_ids).values_list(
        "template_id", "number"
    ):
        numbers[template_id] = max(number, numbers.get(template_id, 0))
    if numbers:
        before = TemplateVersion.objects.filter(template_id__in=numbers)
        move_rows(before, VersionState.SUPERSEDED, IMPORTED_VERSION_MOVES)
        move_rows(
            before,
            VersionState.REJECTED,
            IMPORTED_VERSION_MOVES,
            reason=_("Replaced by an import."),
            decided_at=timezone.now(),
        )
    versions = TemplateVersion.objects.bulk_create(
        [
            TemplateVersion(
                template=template,
                number=numbers.get(template.pk, 0) + 1,
                defaults=value.defaults,
                author=by,
                reason=IMPORTED,
            )
            for template, value in pairs
        ],
        batch_size=1000,
    )
    TemplateVariant.objects.bulk_create(
        [
            TemplateVariant(version=version, features=variant.features, text=variant.text, position=index)
            for version, (_, value) in zip(versions, pairs, strict=True)
            for index, variant in enumerate(value.variants)
        ],
        batch_size=2000,
    )
    drafts = TemplateVersion.objects.filter(template_id__in=template_ids, reason=IMPORTED)
    move_rows(drafts, VersionState.APPROVED, IMPORTED_VERSION_MOVES, decided_at=timezone.now())
