"""Loading what we wrote (languages, functionalities, groups, coverage) and letting people add to it."""

import json
from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.db import transaction

from curation.models import Coverage, Functionality, FunctionalityClass, Language, ProtectedGroup, TargetGroup
from curation.morphology.realised import target_name, target_names


@cache
def _fixture(name: str) -> list[dict[str, Any]]:
    data = json.loads((settings.FIXTURES / "catalogue" / f"{name}.json").read_text(encoding="utf-8"))
    return list(data[name])


def known_references() -> dict[str, dict[str, Any]]:
    """Return the works that the published catalogue names, by key."""
    return {row["key"]: row for row in _fixture("references")}


@transaction.atomic
def load_catalogue() -> None:
    """Load the published catalogue. Loading again changes nothing, and never what a person edited."""
    if Functionality.objects.filter(key__in=[row["key"] for row in _fixture("functionalities")]).count() == len(
        _fixture("functionalities")
    ) and Language.objects.filter(code__in=[row["code"] for row in _fixture("languages")]).count() == len(
        _fixture("languages")
    ):
        return
    Language.objects.bulk_create([_language(row) for row in _fixture("languages")], ignore_conflicts=True)
    FunctionalityClass.objects.bulk_create(
        [
            FunctionalityClass(key=row["key"], title=row["title"], position=row["position"])
            for row in _fixture("classes")
        ],
        ignore_conflicts=True,
    )
    classes = {item.key: item for item in FunctionalityClass.objects.all()}
    languages = {item.code: item for item in Language.objects.all()}
    Functionality.objects.bulk_create(
        [_functionality(row, classes, languages) for row in _fixture("functionalities")], ignore_conflicts=True
    )
    ProtectedGroup.objects.bulk_create(
        [
            ProtectedGroup(key=row["key"], name=row["name"], characteristic=row["characteristic"])
            for row in _fixture("groups")
        ],
        ignore_conflicts=True,
    )
    _load_coverage()


def _language(row: Mapping[str, Any]) -> Language:
    return Language(
        code=row["code"],
        bcp47=row["bcp47"],
        name=row["name"],
        autonym=row["autonym"],
        script=row["script"],
        direction=row["direction"],
        features=row["feature_schema"],
        orthography=row["orthography"],
    )


def _functionality(
    row: Mapping[str, Any], classes: Mapping[str, FunctionalityClass], languages: Mapping[str, Language]
) -> Functionality:
    return Functionality(
        key=row["key"],
        functionality_class=classes[row["class"]],
        title=row["title"],
        definition=row["definition"],
        example=row["example"]["text"],
        example_language=languages[row["example"]["language"]],
        gold_label=row["label"],
        perturbation=row["perturbation"] or "",
        references=row["references"],
        position=row["number"],
    )


def _load_coverage() -> None:
    languages = {item.code: item for item in Language.objects.all()}
    functionalities = {item.key: item for item in Functionality.objects.all()}
    rows = []
    for row in _fixture("coverage"):
        functionality = functionalities[row["functionality"]]
        rows += [Coverage(language=languages[code], functionality=functionality) for code in row["applies"]]
        rows += [
            Coverage(language=languages[code], functionality=functionality, applies=False, reason=gap["reason"])
            for gap in row["not_in"]
            for code in gap["languages"]
        ]
    Coverage.objects.bulk_create(rows, ignore_conflicts=True)


@cache
def _group_aliases() -> dict[str, str]:
    return {alias.casefold(): row["key"] for row in _fixture("groups") for alias in [row["name"], *row["aliases"]]}


def group_key_for(name: str) -> str | None:
    """Return the key of the protected group a published name means ("Jews", "jews"), or None where we know none."""
    return _group_aliases().get(name.casefold())


def find_groups(names: set[str]) -> dict[str, ProtectedGroup]:
    """Return the protected groups that names stand for: names and keys of groups, and published aliases."""
    known = {word.casefold(): group for group in ProtectedGroup.objects.all() for word in (group.key, group.name)}
    aliases = {alias: known[key] for alias, key in _group_aliases().items() if key in known}
    known = aliases | known
    return {name: known[name.casefold()] for name in names if name.casefold() in known}


def target_set(language: Language, names: Collection[str]) -> TargetGroup | None:
    """Return the target that stands for a set of groups; None for no group."""
    name = target_name(names)
    return find_or_create_targets(language, {name})[name] if name else None


def find_or_create_targets(language: Language, names: set[str]) -> dict[str, TargetGroup]:
    """Return the targets of a language by the name used in its data, which may join several groups in any order.

    New ones are linked to the protected groups they mean.
    """
    sets = {name: target_name([name]) for name in names}
    wanted = {*names, *sets.values()}
    known = {target.name: target for target in TargetGroup.objects.filter(language=language, name__in=wanted)}
    new = sorted(set(sets.values()) - set(known))
    groups = find_groups({part for name in new for part in target_names(name)})
    for name in new:
        target = known[name] = TargetGroup.objects.create(language=language, name=name)
        target.groups.add(*(groups[part] for part in target_names(name) if part in groups))
    return {name: known[joined] for name, joined in sets.items()}
