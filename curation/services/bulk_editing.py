"""One change for many templates: each stands or falls by itself, and the report says why some were left out."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db import transaction

from accounts.errors import DomainError
from accounts.models import User
from curation.errors import BadInput, Missing
from curation.models import Functionality, Template
from curation.services.authoring import delete_template, require_newest, submit_version
from curation.services.reviewing import approve_version
from curation.services.template_details import edit_details

MOST_AT_ONCE = 500
ACTIONS = ("submit", "approve", "delete", "functionality", "direction", "focus_words")


@dataclass(slots=True)
class BulkReport:
    done: int = 0
    refused: list[tuple[Template, str]] = field(default_factory=list)


def _each(templates: Iterable[Template], act: Callable[[Template], object]) -> BulkReport:
    report = BulkReport()
    for template in templates:
        try:
            with transaction.atomic():
                act(template)
        except DomainError as error:
            report.refused.append((template, str(error)))
        else:
            report.done += 1
    return report


def edit_many(
    templates: Iterable[Template],
    *,
    by: User,
    functionality: Functionality | None = None,
    direction: str | None = None,
    focus_words: str | None = None,
) -> BulkReport:
    """Give many templates the same functionality, direction or focus words; what is None stays as it is."""
    return _each(
        templates,
        lambda template: edit_details(
            template, by=by, functionality=functionality, direction=direction, focus_words=focus_words
        ),
    )


def submit_many(templates: Iterable[Template], *, by: User) -> BulkReport:
    """Hand the drafts of many templates in for review."""
    return _each(templates, lambda template: submit_version(require_newest(template), by=by))


def approve_many(templates: Iterable[Template], *, by: User) -> BulkReport:
    """Approve what waits for review in many templates, never what the person wrote."""
    return _each(templates, lambda template: approve_version(require_newest(template), by=by))


def delete_many(templates: Iterable[Template], *, by: User) -> BulkReport:
    """Delete templates that were never approved."""
    return _each(templates, lambda template: delete_template(template, by=by))


def change_many(templates: Iterable[Template], action: str, *, by: User, value: str = "") -> BulkReport:
    """Do one thing, named by `action`, to many templates; `value` is what to set. Refuses an unknown action."""
    if action == "submit":
        return submit_many(templates, by=by)
    if action == "approve":
        return approve_many(templates, by=by)
    if action == "delete":
        return delete_many(templates, by=by)
    if action == "functionality":
        functionality = Functionality.objects.filter(key=value).first()
        if functionality is None:
            raise Missing(f"There is no functionality '{value}'.")
        return edit_many(templates, by=by, functionality=functionality)
    if action == "direction":
        return edit_many(templates, by=by, direction=value)
    if action == "focus_words":
        return edit_many(templates, by=by, focus_words=value)
    raise BadInput(f"'{action}' is nothing that can be done with many templates. Choose one of {', '.join(ACTIONS)}.")
