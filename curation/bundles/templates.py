"""The templates of a suite with their history, in a bundle."""

from collections.abc import Iterator, Sequence

from core.states import move_rows
from core.text import _
from curation.authoring.models import OPEN_STATES, VersionState
from curation.bundles.parts import Part, Place, Scope, read_moment, written_moment
from curation.bundles.rows import TemplateRow, VariantRow, VersionRow
from curation.fields import DETAILS
from curation.formats.values import TemplateValue, VariantValue
from curation.importing.templates import approve_as_imported
from curation.models import Template, TemplateVariant, TemplateVersion
from curation.states import BUNDLED_VERSION_MOVES

TEMPLATE = (
    "key", "refers_to", "relation", "source_text", "drafts", "gold_label", *DETAILS, "extra", "position",
)  # fmt: skip


def templates(scope: Scope) -> Iterator[TemplateRow]:
    if scope.suite is None:
        return
    found = (
        Template.objects.of(scope.suite)
        .select_related("language", "functionality", "target")
        .prefetch_related("versions__variants")
    )
    for item in found.order_by("language__code", "position", "key"):
        yield TemplateRow(
            language=item.language.code,
            functionality=item.functionality.key,
            target=item.target.name if item.target else "",
            versions=[_version(version) for version in sorted(item.versions.all(), key=lambda one: one.number)],
            **{name: getattr(item, name) for name in TEMPLATE},
        )


def _version(version: TemplateVersion) -> VersionRow:
    variants = sorted(version.variants.all(), key=lambda one: (one.position, one.features))
    return VersionRow(
        number=version.number,
        state=version.state,
        defaults=version.defaults,
        reason=version.reason,
        created_at=written_moment(version.created_at),
        decided_at=written_moment(version.decided_at),
        variants=[VariantRow(features=one.features, text=one.text, position=one.position) for one in variants],
    )


def add_templates(place: Place, rows: Sequence[TemplateRow]) -> None:
    """Store templates with all versions: drafts first, because no text enters a version that is decided."""
    made = Template.objects.bulk_create(
        (
            Template(
                suite=place.suite,
                language=place.languages[row.language],
                functionality=place.functionalities[row.functionality],
                target=place.targets.get((row.language, row.target)),
                **{name: getattr(row, name) for name in TEMPLATE},
            )
            for row in rows
        ),
        batch_size=1000,
    )
    pairs = [(template, version) for template, row in zip(made, rows, strict=True) for version in row.versions]
    versions = TemplateVersion.objects.bulk_create(
        (
            TemplateVersion(
                template=template,
                number=version.number,
                # One open version per template: all but the last wait as rejected ones, which may still take texts.
                state=version.state if version.state in OPEN_STATES else VersionState.REJECTED,
                defaults=version.defaults,
                reason=version.reason,
                created_at=read_moment(version.created_at) or place.at,
                decided_at=read_moment(version.decided_at),
            )
            for template, version in pairs
        ),
        batch_size=1000,
    )
    TemplateVariant.objects.bulk_create(
        (
            TemplateVariant(version=stored, **variant.model_dump())
            for stored, (_template, version) in zip(versions, pairs, strict=True)
            for variant in version.variants
        ),
        batch_size=2000,
    )
    for state in (VersionState.SUPERSEDED, VersionState.APPROVED):
        wanted = [stored.pk for stored, (_t, version) in zip(versions, pairs, strict=True) if version.state == state]
        move_rows(TemplateVersion.objects.filter(pk__in=wanted), state, BUNDLED_VERSION_MOVES)


def replace_templates(place: Place, rows: Sequence[TemplateRow]) -> None:
    """Give templates the approved wording of the bundle as a new approved version; nothing of the history is lost."""
    for row in rows:
        template = Template.objects.get(suite=place.suite, language__code=row.language, key=row.key)
        for name in TEMPLATE:
            setattr(template, name, getattr(row, name))
        template.functionality = place.functionalities[row.functionality]
        template.target = place.targets.get((row.language, row.target))
        template.save()
        approved = next((version for version in row.versions if version.state == VersionState.APPROVED), None)
        standing = template.versions.approved().prefetch_related("variants").first()
        if approved is None or (standing is not None and _wording(_version(standing)) == _wording(approved)):
            continue
        value = TemplateValue(
            key=row.key, language=row.language, functionality=row.functionality, label=row.gold_label,
            position=row.position, defaults=approved.defaults,
            variants=tuple(VariantValue(one.features, one.text, one.position) for one in approved.variants),
        )  # fmt: skip
        approve_as_imported([(template, value)], by=place.by)


def _wording(version: VersionRow) -> tuple[str, list[VariantRow]]:
    return version.defaults, version.variants


PARTS = (
    Part(
        name="templates", title=_("Templates"), row=TemplateRow, key=("language", "key"),
        rows=templates, add=add_templates, replace=replace_templates,
    ),
)  # fmt: skip
