"""Suites and what anyone with the role can add to the catalogue: languages, classes, functionalities, groups."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q
from django.utils.text import slugify

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer, require_workshop
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
from curation.releases.following import follow_decision

# What a language page offers, by the name of the setting and of its value.
SPELLING: dict[str, dict[str, str | bool]] = {
    "capitalise": {"no": "no", "start": "start", "sentences": "sentences"},
    "articles": {"yes": True, "no": False},
    "tidy_spaces": {"yes": True, "no": False},
}
LONGEST_REASON = 300
LONGEST_LABEL = 60
LONGEST_LICENCE = 120
SUITE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")
CODE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")


def require_suite_key(key: str) -> None:
    """Refuse a key that could not stand in an address or in SUITE@VERSION."""
    if not SUITE_KEY.fullmatch(key):
        raise BadInput(
            f"'{key[:80]}' cannot be the key of a suite. "
            "Use up to 60 letters from a to z, digits, hyphens and underscores."
        )


def checked_labels(labels: Sequence[str]) -> list[str]:
    """Labels without outer blanks. Refuses fewer than two, doubled and overlong ones."""
    said = [label.strip() for label in labels if label.strip()]
    if len(said) < 2 or len(set(said)) != len(said):
        raise BadInput("A suite needs at least two different labels, the positive one first.")
    if max(map(len, said)) > LONGEST_LABEL:
        raise BadInput(f"A label has at most {LONGEST_LABEL} characters. Shorten it.")
    return said


@transaction.atomic
def save_suite(suite: Suite, languages: Sequence[Language], *, by: User) -> Suite:
    """Create or change a suite.

    Refuses labels that are fewer than two or doubled, a threshold above the raters, and to leave out a label or a
    language that templates or cases of the suite have.
    """
    require_maintainer(by)
    labels = checked_labels(suite.labels)
    if not isinstance(suite.authors, list) or not all(isinstance(author, str | dict) for author in suite.authors):
        raise BadInput("The authors are a list of names, or of objects such as {name, orcid}.")
    if not suite._state.adding:
        _refuse_to_drop(suite, labels, languages)
    if not 1 <= suite.threshold <= suite.raters:
        raise BadInput(f"Of {suite.raters} raters, {suite.threshold} cannot have to agree. Choose 1 to {suite.raters}.")
    if suite._state.adding:
        suite.created_by = by
    suite.labels = labels
    suite.save()
    suite.languages.set(languages)
    follow_decision(suite, by=by)  # the number of raters says whether a case can still be validated
    audit.record(by, Action.SUITE_CHANGED, suite)
    return suite


@transaction.atomic
def credit_suite(suite: Suite, *, licence: str = "", authors: Sequence[str] = (), by: User | None) -> Suite:
    """Keep a licence and authors with the suite; what is empty stays as it is. Releases take them over.

    Refuses people who are not maintainers, and a licence that is too long. `by` is None for a command.
    """
    if by is not None:
        require_maintainer(by)
    licence, names = licence.strip(), [name.strip() for name in authors if name.strip()]
    if len(licence) > LONGEST_LICENCE:
        raise BadInput(
            f"A licence has at most {LONGEST_LICENCE} characters. Give its short name, e.g. CC-BY-4.0, or its address.",
            field="licence",
        )
    changed: dict[str, Any] = {}
    if licence and licence != suite.licence:
        changed["licence"] = suite.licence = licence
    if names and names != suite.authors:
        changed["authors"] = suite.authors = names
    if changed:
        suite.save(update_fields=list(changed))
        audit.record(by, Action.SUITE_CHANGED, suite, **changed)
    return suite


def _refuse_to_drop(suite: Suite, labels: Sequence[str], languages: Sequence[Language]) -> None:
    codes = {language.code for language in languages}
    for model, what, lookup in (
        (Template, "templates", "functionality__gold_label"), (TestCase, "cases", "gold_label"),
    ):  # fmt: skip
        used = model.objects.of(suite).order_by().values_list(lookup, "language__code").distinct()
        for label, code in used:
            if label and label not in labels:
                raise BadInput(f"The suite has {what} with the gold label '{label}'. Keep the label.")
            if code not in codes:
                raise BadInput(f"The suite has {what} in the language '{code}'. Keep the language.")


def require_known_label(suite: Suite, functionality: Functionality) -> None:
    """Refuse a functionality whose gold label is none of the suite's. A mixed one fits every suite."""
    if functionality.gold_label and functionality.gold_label not in suite.labels:
        raise BadInput(
            f"'{functionality}' has the gold label '{functionality.gold_label}', but the labels of '{suite}' are "
            f"{', '.join(suite.labels)}. Choose a functionality with one of these, or add one to the catalogue."
        )


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
            try:
                canonical(f"{feature}={value}")
            except ValueError as error:
                raise BadInput(
                    f"'{feature}={value}' is no feature: {error}. Write it like Number: Sing, Plur."
                ) from error
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
    *,
    key: str,
    title: str,
    functionality_class: str,
    gold_label: str,
    definition: str,
    example: str,
    by: User,
    example_language: Language | None = None,
) -> Functionality:
    """Add a functionality; a class that is not there yet is made.

    Refuses a key that is taken, and an example without its language: campaigns use examples of their own language only.
    """
    require_workshop(by)
    if example and example_language is None:
        raise BadInput("Choose the language of the example.", field="example_language")
    key = slugify((key or title).replace("_", "-")).replace("-", "_")[:80]
    if not key or Functionality.objects.filter(key=key).exists():
        raise BadInput(f"A functionality needs a key of its own in Latin letters; '{key}' is taken or empty.")
    found, _ = FunctionalityClass.objects.get_or_create(
        key=slugify(functionality_class, allow_unicode=True)[:60],
        defaults={"title": functionality_class, "position": 900},
    )
    functionality = Functionality.objects.create(
        key=key, title=title, functionality_class=found, gold_label=gold_label.strip(), definition=definition,
        example=example, example_language=example_language if example else None,
        position=Functionality.objects.count() + 1,
    )  # fmt: skip
    audit.record(by, Action.CATALOGUE_CHANGED, functionality, added=title)
    return functionality


@transaction.atomic
def add_group(*, name: str, characteristic: str, by: User) -> ProtectedGroup:
    """Add a protected group. Refuses a name that is taken."""
    require_workshop(by)
    key = slugify(name, allow_unicode=True)[:60]
    if not key:
        raise BadInput("A group needs a name with letters.")
    if ProtectedGroup.objects.filter(key=key).exists():
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
    if len(reason.strip()) > LONGEST_REASON:
        raise BadInput(f"The reason is longer than {LONGEST_REASON} characters. Shorten it.")
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


@transaction.atomic
def set_spelling(language: Language, settings: Mapping[str, str], *, by: User) -> Language:
    """Settle where the spelling rules of a language leave a choice; an empty value goes back to the rules.

    Refuses a setting that there is not. Cases follow when they are generated again.
    """
    require_maintainer(by)
    said = {name: value for name, value in settings.items() if value}
    for name, value in said.items():
        if value not in SPELLING.get(name, {}):
            known = "; ".join(f"{name}: {', '.join(values)}" for name, values in SPELLING.items())
            raise BadInput(f"'{name}={value}' is no spelling setting. There are {known}.")
    chosen = {name: SPELLING[name][value] for name, value in said.items()}
    language.features = {**(language.features or {}), "spelling": chosen}
    language.save(update_fields=["features"])
    audit.record(by, Action.CATALOGUE_CHANGED, language, spelling=chosen)
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
