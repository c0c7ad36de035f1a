"""Suites: create and change them, credit their authors, count what they hold."""

import re
from collections.abc import Sequence
from typing import Any

from django.db import transaction
from django.db.models import Count, Q

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.permissions import require_maintainer
from core.text import _, catalogue_name
from curation.catalogue.languages import find_languages
from curation.catalogue.options import LONGEST_LABEL, LONGEST_LICENCE, SuiteOptions
from curation.models import Functionality, Language, Suite, Template, TestCase
from curation.publishing.values import Author
from curation.releases.following import follow_decision
from curation.releases.frozen import author_values

SUITE_KEY = re.compile(r"[A-Za-z0-9_-]{1,60}")


def require_suite_key(key: str) -> None:
    """Refuse a key that could not stand in an address or in SUITE@VERSION."""
    if not SUITE_KEY.fullmatch(key):
        raise BadInput(
            _(
                "'%(key)s' cannot be the key of a suite. "
                "Use up to 60 letters from a to z, digits, hyphens and underscores.",
                key=key[:80],
            )
        )


def checked_labels(labels: Sequence[str]) -> list[str]:
    """Return the labels without outer blanks. Refuses fewer than two, doubled and overlong ones."""
    given = [label.strip() for label in labels if label.strip()]
    if len(given) < 2 or len(set(given)) != len(given):
        raise BadInput(_("A suite needs at least two different labels, the positive one first."), field="labels")
    if max(map(len, given)) > LONGEST_LABEL:
        raise BadInput(_("A label has at most %(most)s characters. Shorten it.", most=LONGEST_LABEL), field="labels")
    return given


def named_authors(suite: Suite) -> dict[str, Any]:
    """Return the authors of a suite by the name they are cited with."""
    return {Author(**author_values(author)).full_name: author for author in suite.authors}


def suite_values(suite: Suite) -> dict[str, Any]:
    """Return the options that a suite has now."""
    values = {name: getattr(suite, name) for name in SuiteOptions.model_fields}
    return values | {"languages": list(suite.languages.values_list("code", flat=True))}


@transaction.atomic
def apply_suite_options(chosen: SuiteOptions, suite: Suite | None = None, *, by: User) -> Suite:
    """Create a suite, or change the one given (see `save_suite`). An author who is only named keeps what is known.

    Refuses a key that another suite has, and another key once there are releases.
    """
    require_maintainer(by)
    require_suite_key(chosen.key)
    others = Suite.objects.exclude(pk=suite.pk) if suite else Suite.objects.all()
    if others.filter(key=chosen.key).exists():
        raise BadInput(
            _("There is already a suite with the key '%(key)s'. Choose another key.", key=chosen.key), field="key"
        )
    if suite and chosen.key != suite.key and suite.releases.exists():
        raise BadInput(
            _("The key cannot change: releases are cited as %(release)s.", release=f"{suite.key}@version"), field="key"
        )
    saved = suite or Suite()
    known = named_authors(saved)
    values = chosen.plain() | {"authors": [known.get(str(author), author) for author in chosen.authors]}
    languages = find_languages(values.pop("languages"))
    for name, value in values.items():
        setattr(saved, name, value)
    return save_suite(saved, languages, by=by)


@transaction.atomic
def save_suite(suite: Suite, languages: Sequence[Language], *, by: User) -> Suite:
    """Create or change a suite.

    Refuses labels that are fewer than two or doubled, and to leave out a label or a language that templates or cases
    of the suite have. The database refuses a minimum agreement above the number of annotators.
    """
    require_maintainer(by)
    labels = checked_labels(suite.labels)
    if not isinstance(suite.authors, list) or not all(isinstance(author, str | dict) for author in suite.authors):
        raise BadInput(_("Write the authors as a list of names, or of objects such as {name, orcid}."), field="authors")
    if not suite._state.adding:
        _refuse_to_drop(suite, labels, languages)
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
            _(
                "A licence has at most %(most)s characters. Give its short name, e.g. CC-BY-4.0, or its address.",
                most=LONGEST_LICENCE,
            ),
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
    names = ("functionality__gold_label", "gold_label", "language__code")
    for usual, own, code in Template.objects.of(suite).order_by().values_list(*names).distinct():
        label = own or usual
        if label and label not in labels:
            raise BadInput(_("The suite has templates with the gold label '%(label)s'. Keep the label.", label=label))
        if code not in codes:
            raise BadInput(_("The suite has templates in the language '%(code)s'. Keep the language.", code=code))
    cases = TestCase.objects.of(suite).order_by().values_list("gold_label", "language__code")
    for label, code in cases.distinct():
        if label and label not in labels:
            raise BadInput(_("The suite has cases with the gold label '%(label)s'. Keep the label.", label=label))
        if code not in codes:
            raise BadInput(_("The suite has cases in the language '%(code)s'. Keep the language.", code=code))


def require_known_label(suite: Suite, functionality: Functionality) -> None:
    """Refuse a functionality whose gold label is none of the suite's. A mixed one fits every suite."""
    if functionality.gold_label and functionality.gold_label not in suite.labels:
        raise BadInput(
            _(
                "'%(functionality)s' has the gold label '%(label)s', but the labels of '%(suite)s' are %(labels)s. "
                "Choose a functionality with one of these, or add one to the catalogue.",
                functionality=catalogue_name(functionality.title),
                label=functionality.gold_label,
                suite=suite.name,
                labels=suite.labels,
            )
        )


def language_counts(suite: Suite) -> list[dict[str, Any]]:
    """Return how many templates, reviews and cases of a suite there are in each language; three queries."""
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
