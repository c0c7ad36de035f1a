"""One change for many templates: each stands or falls by itself, and the report says why some were left out."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from django.db import transaction

from accounts.errors import DomainError
from accounts.models import User
from core.errors import BadInput, Missing
from core.text import _
from curation.authoring.details import edit_details
from curation.authoring.reviewing import approve_version
from curation.authoring.services import delete_template, require_newest, submit_version
from curation.models import Functionality, Template

MOST_AT_ONCE = 500
ACTIONS = ("submit", "approve", "delete", "functionality", "label_gold", "direction", "focus_words")


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
            report.refused.append((template, error.title))
        else:
            report.done += 1
    return report


def change_many(templates: Iterable[Template], action: str, *, by: User, value: str = "") -> BulkReport:
    """Do one thing, named by `action`, to many templates; `value` is what to set. Refuses an unknown action.

    Only templates that were never approved can be deleted, and no one approves what they wrote.
    """
    functionality = Functionality.objects.filter(key=value).first() if action == "functionality" else None
    if action == "functionality" and functionality is None:
        raise Missing(_("There is no functionality '%(name)s'.", name=value))
    acts: dict[str, Callable[[Template], object]] = {
        "submit": lambda template: submit_version(require_newest(template), by=by),
        "approve": lambda template: approve_version(require_newest(template), by=by),
        "delete": lambda template: delete_template(template, by=by),
        "functionality": lambda template: edit_details(template, by=by, functionality=functionality),
        "label_gold": lambda template: edit_details(template, by=by, label_gold=value),
        "direction": lambda template: edit_details(template, by=by, direction=value),
        "focus_words": lambda template: edit_details(template, by=by, focus_words=value),
    }
    if action not in acts:
        raise BadInput(_("Unknown bulk action '%(action)s'. Use one of: %(actions)s.", action=action, actions=ACTIONS))
    return _each(templates, acts[action])
