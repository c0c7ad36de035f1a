"""Granting and taking roles, and removing a person while keeping what they decided."""

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.errors import LastAdministrator, NotAllowed, RoleTakesNoLanguage
from accounts.models import Action, ApiToken, Invitation, RoleGrant, RoleName, User
from accounts.models.people import INSTANCE_WIDE
from accounts.services import audit
from core.text import _

ADMINISTRATOR = "administrator"


def require_can_manage_people(by: User) -> None:
    """Refuses anybody but administrators and maintainers."""
    if not by.is_maintainer:
        raise NotAllowed(_("Only maintainers and administrators can manage people. Ask one of them."))


def require_administrator(by: User) -> None:
    """Refuses anybody but administrators."""
    if not by.is_superuser:
        raise NotAllowed(_("Only administrators can do this. Ask one of them."))


def rename(user: User, *, name: str) -> None:
    """Change what a person is called."""
    user.name = name.strip()
    user.save(update_fields=["name"])


def choose_language(user: User, *, language: str) -> None:
    """Change the language of the pages and mails a person gets."""
    user.language = language
    user.save(update_fields=["language"])


def language_problem(role: RoleName, language: str) -> str:
    """Return why a role cannot be given for a language, "" if it can: a limit that is not there is not promised."""
    if role not in INSTANCE_WIDE or not language:
        return ""
    return _(
        "The role '%(role)s' applies to the whole instance and takes no language. "
        "Leave the language empty, or choose the role of language expert.",
        role=role.label,
    )


def refuse_language_of(role: RoleName, language: str) -> None:
    if problem := language_problem(role, language):
        raise RoleTakesNoLanguage(problem, field="language")


@transaction.atomic
def grant_role(user: User, role: str, *, language: str = "", by: User | None) -> RoleGrant:
    """Give a person a role in a language; giving it twice changes nothing. Refuses a language for maintainers."""
    if by is not None:
        require_can_manage_people(by)
    refuse_language_of(RoleName(role), language)
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
def make_administrator(user: User, *, by: User) -> None:
    """Let a person see and manage everything; making it twice changes nothing. Refuses anybody but administrators."""
    require_administrator(by)
    if User.objects.filter(pk=user.pk, is_superuser=False).update(is_superuser=True, is_staff=True):
        audit.record(by, Action.ROLE_GRANTED, user, role=ADMINISTRATOR, language="")
    user.refresh_from_db()


@transaction.atomic
def end_administrator(user: User, *, by: User) -> None:
    """Make an administrator an ordinary person. Refuses for the last one, and anybody but administrators."""
    require_administrator(by)
    _keep_one_administrator(user)
    if User.objects.filter(pk=user.pk, is_superuser=True).update(is_superuser=False, is_staff=False):
        audit.record(by, Action.ROLE_TAKEN, user, role=ADMINISTRATOR, language="")
    user.refresh_from_db()


@transaction.atomic
def suspend(user: User, *, by: User) -> None:
    """Keep a person out at once: no sign-in, no session, no token. Roles and work stay.

    Refuses anybody but administrators, oneself and the last administrator. Suspending twice changes nothing.
    """
    require_administrator(by)
    if user == by:
        raise NotAllowed(_("You cannot suspend yourself. Ask another administrator."))
    _keep_one_administrator(user)
    if User.objects.filter(pk=user.pk, is_active=True).update(is_active=False):
        audit.record(by, Action.PERSON_SUSPENDED, user)
    end_sessions(user, by=by)
    ApiToken.objects.filter(user=user, revoked_at=None).update(revoked_at=timezone.now())
    user.refresh_from_db()


@transaction.atomic
def reinstate(user: User, *, by: User) -> None:
    """Let a suspended person sign in again. Their tokens stay revoked. Refuses anybody but administrators."""
    require_administrator(by)
    if User.objects.filter(pk=user.pk, is_active=False).update(is_active=True):
        audit.record(by, Action.PERSON_REINSTATED, user)
    user.refresh_from_db()


@transaction.atomic
def end_sessions(user: User, *, by: User) -> None:
    """Sign a person out everywhere. Refuses anybody but the person and administrators."""
    if user != by:
        require_administrator(by)
    User.objects.filter(pk=user.pk).update(session_number=F("session_number") + 1)
    audit.record(by, Action.SESSIONS_ENDED, user)
    user.refresh_from_db()


@transaction.atomic
def delete_person(user: User, *, by: User) -> None:
    """Remove a person's account. What they labelled or decided stays, under their pseudonym.

    Refuses to remove the last administrator, anybody but oneself without the right to manage people, and an
    administrator by anybody who is none.
    """
    if user != by:
        require_can_manage_people(by)
        if user.is_superuser:
            require_administrator(by)
    erase_person(user, by=None if user == by else by)


@transaction.atomic
def erase_person(user: User, *, by: User | None = None) -> None:
    """Delete an account and every trace of the name and the address; an operator does it by command (by=None).

    Refuses to remove the last administrator.
    """
    _keep_one_administrator(user)
    audit.record(by, Action.PERSON_DELETED, "user", pseudonym=user.pseudonym)
    Invitation.objects.filter(email=user.email.lower()).update(email="")
    for log in (AccessAttempt, AccessFailureLog, AccessLog):  # written by versions before our own limits
        log.objects.filter(username__iexact=user.email).update(username=user.pseudonym)
    user.delete()


def _keep_one_administrator(user: User) -> None:
    """Locks the administrators, so that two who leave at the same moment cannot both see the other one stay."""
    administrators = User.objects.select_for_update().filter(is_superuser=True, is_active=True)
    if set(administrators.values_list("pk", flat=True)) == {user.pk}:
        raise LastAdministrator(_("This is the last administrator. Make another person administrator first."))
