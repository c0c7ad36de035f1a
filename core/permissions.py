"""Who may do what. Pages, API and tests ask these; `visible_to` on the QuerySets says who may see what."""

from __future__ import annotations

from typing import TYPE_CHECKING

from accounts.errors import NotAllowed
from accounts.models import RoleName, User
from core.text import _

if TYPE_CHECKING:
    from django.contrib.auth.models import AnonymousUser

    Person = User | AnonymousUser


def can_author(user: Person, language: str) -> bool:
    """Experts in their languages, and maintainers."""
    return user.is_authenticated and (user.is_maintainer or user.has_role(RoleName.EXPERT, language))


def can_maintain(user: Person) -> bool:
    """Campaigns, releases, models, evaluations, people."""
    return user.is_authenticated and user.is_maintainer


def can_see_workshop(user: Person) -> bool:
    """Gold labels, templates, functionalities and other people's labels."""
    return user.is_authenticated and (user.is_maintainer or user.is_expert)


def can_evaluate(user: Person) -> bool:
    """Register models, run them and hand in predictions and results: evaluators with their own, and maintainers."""
    return user.is_authenticated and (user.is_maintainer or user.is_evaluator)


def require_author(user: Person, language: str) -> None:
    if not can_author(user, language):
        sentence = _("You need the role of language expert for '%(language)s'. Ask a maintainer.", language=language)
        raise NotAllowed(sentence)


def require_maintainer(user: Person) -> None:
    if not can_maintain(user):
        raise NotAllowed(_("You need the role of maintainer. Ask a maintainer or an administrator."))


def require_evaluator(user: Person) -> None:
    if not can_evaluate(user):
        raise NotAllowed(_("You need the role of evaluator. Ask a maintainer."))


def require_workshop(user: Person) -> None:
    if not can_see_workshop(user):
        raise NotAllowed(_("Only language experts and maintainers can do this. Ask a maintainer for the role."))
