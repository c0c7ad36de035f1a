"""Languages, groups, functionalities and the suite itself, in a bundle."""

from collections.abc import Iterator, Sequence

from core.text import _
from curation.bundles.parts import Part, Place, Scope
from curation.bundles.rows import CoverageRow, FunctionalityRow, GroupRow, LanguageRow, SuiteRow, TargetRow
from curation.models import (
    Coverage,
    Functionality,
    FunctionalityClass,
    Language,
    ProtectedGroup,
    Suite,
    TargetGroup,
)

LANGUAGE = ("bcp47", "name", "autonym", "script", "direction", "features", "orthography")
FUNCTIONALITY = ("title", "definition", "example", "gold_label", "perturbation", "references", "position")
SUITE = ("name", "description", "licence", "authors", "labels", "raters", "threshold", "policy", "format", "layouts")


def languages(scope: Scope) -> Iterator[LanguageRow]:
    for item in Language.objects.filter(code__in=scope.languages).order_by("code"):
        yield LanguageRow(code=item.code, **{name: getattr(item, name) for name in LANGUAGE})


def add_languages(place: Place, rows: Sequence[LanguageRow]) -> None:
    Language.objects.bulk_create([Language(**row.model_dump()) for row in rows])


def replace_languages(place: Place, rows: Sequence[LanguageRow]) -> None:
    for row in rows:
        Language.objects.filter(code=row.code).update(**row.model_dump(exclude={"code"}))


def groups(scope: Scope) -> Iterator[GroupRow]:
    for item in ProtectedGroup.objects.filter(key__in=scope.groups).order_by("key"):
        yield GroupRow(key=item.key, name=item.name, characteristic=item.characteristic)


def add_groups(place: Place, rows: Sequence[GroupRow]) -> None:
    ProtectedGroup.objects.bulk_create([ProtectedGroup(**row.model_dump()) for row in rows])


def targets(scope: Scope) -> Iterator[TargetRow]:
    found = TargetGroup.objects.filter(language__code__in={code for code, _name in scope.targets})
    for item in found.select_related("language").prefetch_related("groups").order_by("language__code", "name"):
        if (item.language.code, item.name) in scope.targets:
            keys = sorted(group.key for group in item.groups.all())
            yield TargetRow(language=item.language.code, name=item.name, local_name=item.local_name, groups=keys)


def add_targets(place: Place, rows: Sequence[TargetRow]) -> None:
    keys = dict(ProtectedGroup.objects.values_list("key", "pk"))
    made = TargetGroup.objects.bulk_create(
        [TargetGroup(language=place.languages[row.language], name=row.name, local_name=row.local_name) for row in rows]
    )
    links = TargetGroup.groups.through
    links.objects.bulk_create(
        links(targetgroup_id=target.pk, protectedgroup_id=keys[key])
        for target, row in zip(made, rows, strict=True)
        for key in row.groups
    )


def functionalities(scope: Scope) -> Iterator[FunctionalityRow]:
    found = Functionality.objects.filter(key__in=scope.functionalities)
    for item in found.select_related("functionality_class", "example_language").order_by("position", "key"):
        yield FunctionalityRow(
            key=item.key,
            functionality_class=item.functionality_class.key,
            class_title=item.functionality_class.title,
            class_position=item.functionality_class.position,
            example_language=item.example_language.code if item.example_language else "",
            **{name: getattr(item, name) for name in FUNCTIONALITY},
        )


def add_functionalities(place: Place, rows: Sequence[FunctionalityRow]) -> None:
    classes = {item.key: item for item in FunctionalityClass.objects.all()}
    for row in rows:
        if row.functionality_class not in classes:
            classes[row.functionality_class] = FunctionalityClass.objects.create(
                key=row.functionality_class, title=row.class_title, position=row.class_position
            )
    Functionality.objects.bulk_create(
        Functionality(
            key=row.key,
            functionality_class=classes[row.functionality_class],
            example_language=place.languages.get(row.example_language),
            **{name: getattr(row, name) for name in FUNCTIONALITY},
        )
        for row in rows
    )


def coverage(scope: Scope) -> Iterator[CoverageRow]:
    found = Coverage.objects.filter(
        language__code__in=scope.languages, functionality__key__in=scope.functionalities
    ).select_related("language", "functionality")
    for item in found.order_by("language__code", "functionality__key"):
        yield CoverageRow(
            language=item.language.code,
            functionality=item.functionality.key,
            applies=item.applies,
            reason=item.reason,
        )


def add_coverage(place: Place, rows: Sequence[CoverageRow]) -> None:
    Coverage.objects.bulk_create(
        Coverage(
            language=place.languages[row.language],
            functionality=place.functionalities[row.functionality],
            applies=row.applies,
            reason=row.reason,
        )
        for row in rows
    )


def suite(scope: Scope) -> Iterator[SuiteRow]:
    if (item := scope.suite) is not None:
        codes = sorted(item.languages.values_list("code", flat=True))
        yield SuiteRow(key=item.key, languages=codes, **{name: getattr(item, name) for name in SUITE})


def add_suite(place: Place, rows: Sequence[SuiteRow]) -> None:
    (row,) = rows
    made = Suite.objects.create(
        key=place.suite_key, created_by=place.by, created_at=place.at, **{name: getattr(row, name) for name in SUITE}
    )
    made.languages.add(*(place.languages[code] for code in row.languages))


def replace_suite(place: Place, rows: Sequence[SuiteRow]) -> None:
    (row,) = rows
    Suite.objects.filter(key=place.suite_key).update(**{name: getattr(row, name) for name in SUITE})
    place.suite.languages.add(*(place.languages[code] for code in row.languages))


PARTS = (
    Part(
        name="languages", title=_("Languages"), row=LanguageRow, key=("code",),
        rows=languages, add=add_languages, replace=replace_languages,
    ),
    Part(name="groups", title=_("Protected groups"), row=GroupRow, key=("key",), rows=groups, add=add_groups),
    Part(
        name="targets", title=_("Target groups"), row=TargetRow, key=("language", "name"),
        rows=targets, add=add_targets,
    ),
    Part(
        name="functionalities", title=_("Functionalities"), row=FunctionalityRow, key=("key",),
        rows=functionalities, add=add_functionalities,
    ),
    Part(
        name="coverage", title=_("Coverage"), row=CoverageRow, key=("language", "functionality"),
        rows=coverage, add=add_coverage,
    ),
    Part(
        name="suite", title=_("Suite"), row=SuiteRow, key=(), rows=suite, add=add_suite, replace=replace_suite,
    ),
)  # fmt: skip
