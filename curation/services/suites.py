"""Suites and what anyone with the role can add to the catalogue: languages, classes, functionalities, groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from curation.errors import BadInput
from curation.models import (
    Coverage,
    Functionality,
    FunctionalityClass,
    Language,
    ProtectedGroup,
    Suite,
    Template,
    TestCase,
)
from curation.morphology.features import canonical
from curation.permissions import require_maintainer, require_workshop

CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


@transaction.atomic
def save_suite(suite: Suite, languages: Sequence[Language], *, by: User) -> Suite:
    """Create or change a suite. Refuses labels that are fewer than two or doubled, and a threshold above the raters."""
    require_maintainer(by)
    labels = [label.strip() for label in suite.labels if label.strip()]
    if len(labels) < 2 or len(set(labels)) != len(labels):
        raise BadInput("A suite needs at least two different labels, the positive one first.")
    if not 1 <= suite.threshold <= suite.raters:
        raise BadInput(f"Of {suite.raters} raters, {suite.threshold} cannot have to agree. Choose 1 to {suite.raters}.")
    if suite._state.adding:
        suite.created_by = by
    suite.labels = labels
    suite.save()
    suite.languages.set(languages)
    audit.record(by, Action.SUITE_CHANGED, suite)
    return suite


@transaction.atomic
def add_language(
    *, code: str, name: str, script: str, direction: str, features: dict[str, list[str]], by: User, **facts: Any
) -> Language:
    """Add a language with its features. Refuses a code that is taken or no language code."""
    require_maintainer(by)
    if not CODE.fullmatch(code):
        raise BadInput(f"'{code}' is not a language code. Use BCP 47, e.g. sw or pt-BR.")
    if Language.objects.filter(code=code).exists():
        raise BadInput(f"The language '{code}' is there already.")
    for feature, values in features.items():
        for value in values:
            canonical(f"{feature}={value}")
    schema = {
        "features": [{"name": name_, "values": values} for name_, values in features.items()],
        "paradigms": {kind: list(features) for kind in ("identity", "slur")},
    }
    language = Language.objects.create(
        code=code,
        bcp47=facts.pop("bcp47", "") or code,
        name=name,
        script=script,
        direction=direction,
        features=schema,
        **facts,
    )
    audit.record(by, Action.CATALOGUE_CHANGED, language, added=name)
    return language


@transaction.atomic
def add_functionality(
    *, key: str, title: str, functionality_class: str, gold_label: str, definition: str, example: str, by: User
) -> Functionality:
    """Add a functionality; a class that is not there yet is made. Refuses a key that is taken."""
    require_workshop(by)
    key = slugify(key.replace("_", "-")).replace("-", "_") if key else slugify(title).replace("-", "_")
    if not key or Functionality.objects.filter(key=key).exists():
        raise BadInput(f"A functionality needs a key of its own; '{key}' is taken or empty.")
    found, _ = FunctionalityClass.objects.get_or_create(
        key=slugify(functionality_class), defaults={"title": functionality_class, "position": 900}
    )
    functionality = Functionality.objects.create(
        key=key, title=title, functionality_class=found, gold_label=gold_label.strip(), definition=definition,
        example=example, position=Functionality.objects.count() + 1,
    )  # fmt: skip
    audit.record(by, Action.CATALOGUE_CHANGED, functionality, added=title)
    return functionality


@transaction.atomic
def add_group(*, name: str, characteristic: str, by: User) -> ProtectedGroup:
    """Add a protected group. Refuses a name that is taken."""
    require_workshop(by)
    key = slugify(name)
    if not key or ProtectedGroup.objects.filter(key=key).exists():
        raise BadInput(f"A group called '{name}' is there already.")
    group = ProtectedGroup.objects.create(key=key, name=name, characteristic=characteristic)
    audit.record(by, Action.CATALOGUE_CHANGED, group, added=name)
    return group


@transaction.atomic
def set_coverage(language: Language, functionality: Functionality, *, applies: bool, reason: str, by: User) -> Coverage:
    """Say whether a functionality makes sense in a language. Refuses a 'no' without a reason."""
    require_workshop(by)
    if not applies and not reason.strip():
        raise BadInput("Say why the functionality does not apply, so that the next person knows.")
    coverage, _ = Coverage.objects.update_or_create(
        language=language,
        functionality=functionality,
        defaults={"applies": applies, "reason": "" if applies else reason.strip()},
    )
    audit.record(by, Action.CATALOGUE_CHANGED, language, functionality=functionality.key, applies=applies)
    return coverage


@transaction.atomic
def set_fallbacks(language: Language, lines: Sequence[str], *, by: User) -> Language:
    """Declare what stands in where a form is missing, one `wanted -> instead` per line (`Case=Acc -> Case=Nom`).

    Every use of a fallback is reported with the case. Refuses lines that are not of that form, all of them named.
    """
    require_maintainer(by)
    declared, wrong = [], []
    for line in lines:
        wanted, arrow, instead = line.partition("->")
        try:
            if not arrow or not wanted.strip():
                raise ValueError("there is no arrow")
            declared.append([canonical(wanted.strip()), canonical(instead.strip()) if instead.strip() else ""])
        except ValueError as error:
            wrong.append(f"'{line}' ({error})")
    if wrong:
        raise BadInput(f"These are no fallbacks: {'; '.join(wrong)}. Write them like Case=Acc -> Case=Nom.")
    language.features = {**(language.features or {}), "fallbacks": declared}
    language.save(update_fields=["features"])
    audit.record(by, Action.CATALOGUE_CHANGED, language, fallbacks=declared)
    return language


def language_counts(suite: Suite) -> list[dict[str, Any]]:
    """How much of a suite there is in each language; three queries."""
    templates = dict(Template.objects.of(suite).values_list("language__code").annotate(n=Count("id")).order_by())
    waiting = Count("id", filter=Q(versions__state="submitted"))
    reviews = dict(Template.objects.of(suite).values_list("language__code").annotate(n=waiting).order_by())
    cases = dict(TestCase.objects.of(suite).in_use().values_list("language__code").annotate(n=Count("id")).order_by())
    return [
        {
            "language": language,
            "templates": templates.get(language.code, 0),
            "reviews": reviews.get(language.code, 0),
            "cases": cases.get(language.code, 0),
        }
        for language in suite.languages.all()
    ]
