"""Granting and taking roles, and removing a person while keeping what they decided."""

from __future__ import annotations

from django.db import transaction

from accounts.errors import LastAdministrator, NotAllowed
from accounts.models import Action, RoleGrant, RoleName, User
from accounts.services import audit


def require_can_manage_people(by: User) -> None:
    """Refuses anybody but administrators and maintainers."""
    if not by.is_maintainer:
        raise NotAllowed("Only maintainers and administrators manage people. Ask one of them.")


@transaction.atomic
def grant_role(user: User, role: RoleName, *, language: str = "", by: User | None) -> RoleGrant:
    """Give a person a role in a language; giving it twice changes nothing."""
    if by is not None:
        require_can_manage_people(by)
    grant, is_new = RoleGrant.objects.get_or_create(
        user=user, role=role, language=language, defaults={"granted_by": by}
    )
    if is_new:
        audit.record(by, Action.ROLE_GRANTED, user, role=role, language=language)
    user.__dict__.pop("role_grants", None)
    return grant


@transaction.atomic
def take_role(grant: RoleGrant, *, by: User) -> None:
    """Take a role away."""
    require_can_manage_people(by)
    audit.record(by, Action.ROLE_TAKEN, grant.user, role=grant.role, language=grant.language)
    grant.delete()


@transaction.atomic
def delete_person(user: User, *, by: User) -> None:
    """Remove a person's account. What they labelled or decided stays, under their pseudonym.

    Refuses to remove the last administrator, and anybody but oneself without the right to manage people.
    """
    if user != by:
        require_can_manage_people(by)
    if user.is_superuser and not User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk).exists():
        raise LastAdministrator("This is the last administrator. Make somebody else administrator first.")
    audit.record(None if user == by else by, Action.PERSON_DELETED, "user", pseudonym=f"person-{user.pk}")
    user.delete()
