"""Suites that are made of an artefact, so that people check its labels and it is frozen as a release."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from accounts.models import Action, User
from accounts.services import audit
from core.errors import BadInput
from core.text import _
from curation.catalogue import loading as catalogue
from curation.catalogue.suites import require_suite_key
from curation.formats.values import CaseValue, SuiteValues
from curation.importing.services import import_values
from curation.models import Functionality, FunctionalityClass, Suite


def require_new_suite(key: str) -> None:
    """Load the catalogue. Refuses what is no key of a suite, and one that is taken."""
    require_suite_key(key)
    if Suite.objects.filter(key=key).exists():
        raise BadInput(_("There is a suite '%(key)s' already. Choose another key.", key=key))
    catalogue.load_catalogue()


def make_suite(
    key: str, cases: Iterable[CaseValue], *, name: str, by: User | None, source: Mapping[str, Any], **facts: Any
) -> Suite:
    """Return a new suite with these cases, labelled by three people; `source` is what the audit log says about it."""
    suite = Suite.objects.create(key=key, name=name[:160], raters=3, threshold=2, created_by=by, **facts)
    import_values(key, SuiteValues(cases=list(cases)), format_name="csv", by=by)
    audit.record(by, Action.SUITE_IMPORTED, suite, **source)
    return suite


def add_functionalities(
    group: str, group_title: str, position: int, found: Sequence[tuple[str, str, str, str]]
) -> list[Functionality]:
    """Return functionalities of one class, made where missing, from key, title, definition and gold label."""
    of, _ = FunctionalityClass.objects.get_or_create(key=group, defaults={"title": group_title, "position": position})
    made = []
    for place, (key, title, definition, gold_label) in enumerate(found):
        facts: dict[str, Any] = {"title": title, "definition": definition, "gold_label": gold_label}
        facts |= {"functionality_class": of, "position": position + place}
        made.append(Functionality.objects.get_or_create(key=key, defaults=facts)[0])
    return made
