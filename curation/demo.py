"""The demo's suite: words and templates of the fixtures, approved, every case they make, and a release of them."""

import json
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from curation.cases.generating import generate_cases
from curation.fields import DETAILS
from curation.formats.values import EntryValue, FormValue, SuiteValues, TemplateValue, VariantValue
from curation.importing.templates import store_templates
from curation.importing.words import store_words
from curation.models import Functionality, Language, ProtectedGroup, Release, Suite, Template
from curation.releases.building import build_release
from curation.releases.services import publish_release, request_release


def demo_fixture(name: str) -> dict[str, Any]:
    """A file of the demo by its name."""
    found: dict[str, Any] = json.loads((settings.FIXTURES / "demo" / f"{name}.json").read_text(encoding="utf-8"))
    return found


@transaction.atomic
def load_demo_suite(by: User | None) -> Suite:
    """Make the demo's suite with its cases. Loading again changes nothing."""
    wanted = demo_fixture("suite")["suite"]
    found = Suite.objects.filter(key=wanted["key"]).first()
    if found is not None:
        return found
    suite = Suite.objects.create(
        key=wanted["key"],
        name=wanted["title"],
        description=wanted["description"],
        labels=wanted["labels"],
        raters=wanted["raters"],
        threshold=wanted["threshold"],
        policy=wanted["policy"],
        licence=wanted["licence"],
        authors=wanted["authors"],
        created_by=by,
    )
    languages = {language.code: language for language in Language.objects.filter(code__in=wanted["languages"])}
    suite.languages.set(languages.values())
    functionalities = {one.key: one for one in Functionality.objects.all()}
    values = SuiteValues(entries=[], forms=[], templates=_templates(functionalities))
    groups = dict(ProtectedGroup.objects.values_list("key", "name"))
    for position, row in enumerate(demo_fixture("lexicon")["entries"]):
        values.entries.append(_entry(row, groups, position))
        values.forms += [
            FormValue(row["key"], features, perturbation, text, position=position, language=row["language"])
            for perturbation, cells in {"": row["forms"], **row.get("perturbed", {})}.items()
            for features, text in cells.items()
        ]
    store_words(suite, values, languages)
    # The demo's templates have no author, so the person who loads it may label its cases.
    store_templates(suite, values, languages, functionalities, by=None)
    _link_adaptations(suite)
    generate_cases(suite)
    return suite


def load_demo_release(suite: Suite, *, by: User) -> Release:
    """Freeze and publish what the demo's annotators left of the suite. Loading again changes nothing."""
    wanted = demo_fixture("suite")["release"]
    found = Release.objects.filter(suite=suite, version=wanted["version"]).first()
    if found is not None:
        return found
    release = request_release(suite, wanted["version"], by=by, notes=wanted["notes"], without_labels="include")
    build_release(release)
    publish_release(release, by=None)  # the demo has one maintainer, where a second one may be required
    return release


def _entry(row: dict[str, Any], groups: dict[str, str], position: int) -> EntryValue:
    return EntryValue(
        key=row["key"],
        language=row["language"],
        kind=row["kind"],
        target=groups.get(row["group"] or "", ""),
        lemma=row["lemma"],
        position=position,
        inherent=row["inherent"],
        properties=tuple(row.get("properties", {}).items()),
    )


def _templates(functionalities: dict[str, Functionality]) -> list[TemplateValue]:
    return [
        TemplateValue(
            key=row["key"],
            language=row["language"],
            functionality=row["functionality"],
            variants=tuple(VariantValue(one["features"], one["text"]) for one in row["variants"]),
            label=functionalities[row["functionality"]].gold_label,
            position=position,
            refers_to=row["refers_to"],
            **{name: row[name] for name in DETAILS},
        )
        for position, row in enumerate(demo_fixture("templates")["templates"])
    ]


def _link_adaptations(suite: Suite) -> None:
    by_key = {template.key: template for template in suite.templates.all()}
    adapted = []
    for row in demo_fixture("templates")["templates"]:
        if row.get("adapted_from") in by_key:
            template = by_key[row["key"]]
            template.adapted_from = by_key[row["adapted_from"]]
            adapted.append(template)
    Template.objects.bulk_update(adapted, ["adapted_from"])
