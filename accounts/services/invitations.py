"""Inviting people by link, and accepting."""

from datetime import timedelta

from allauth.account.models import EmailAddress
from django.db import transaction
from django.utils import timezone

from accounts.errors import AddressTaken, InvitationUnusable
from accounts.models import Action, Invitation, RoleName, User
from accounts.services import audit
from accounts.services.people import grant_role, refuse_language_of, require_can_manage_people
from accounts.services.secrets import digest, new_secret
from core.text import _

VALID_FOR = timedelta(days=14)


@transaction.atomic
def invite(*, role: str, language: str = "", email: str = "", by: User | None) -> tuple[Invitation, str]:
    """Make an invitation; the second value is the link's secret, which cannot be shown again.

    Refuses a language for maintainers.
    """
    if by is not None:
        require_can_manage_people(by)
    refuse_language_of(RoleName(role), language)
    secret = new_secret("inv")
    invitation = Invitation.objects.create(
        email=email.lower(),
        role=role,
        language=language,
        digest=digest(secret),
        invited_by=by,
        expires_at=timezone.now() + VALID_FOR,
    )
    audit.record(by, Action.PERSON_INVITED, invitation, role=role, language=language)
    return invitation, secret


def find_invitation(secret: str) -> Invitation:
    """The usable invitation behind a link. Refuses one that expired, was withdrawn or used."""
    invitation = Invitation.objects.usable().filter(digest=digest(secret)).first()
    if invitation is None:
        raise InvitationUnusable(_("This invitation was used, withdrawn or has expired. Ask for a new link."))
    return invitation


@transaction.atomic
def accept(invitation: Invitation, user: User) -> None:
    """Give the person what the invitation promises. Of two at once, one wins."""
    if invitation.email and invitation.email != user.email.lower():
        raise InvitationUnusable(_("This invitation is for another e-mail address. Use that address."))
    won = Invitation.objects.usable().filter(pk=invitation.pk).update(accepted_at=timezone.now(), accepted_by=user)
    if not won:
        raise InvitationUnusable(_("This invitation was used a moment ago. Ask for a new link."))
    grant_role(user, RoleName(invitation.role), language=invitation.language, by=None)
    audit.record(user, Action.INVITATION_ACCEPTED, invitation)


@transaction.atomic
def join(invitation: Invitation, *, email: str, name: str, password: str) -> User:
    """Make an account for an invited person and give them what the invitation promises.

    Refuses an address that has an account: its owner signs in and opens the link again.
    """
    email = User.objects.normalize_email(email).lower()
    if User.objects.filter(email=email).exists() or EmailAddress.objects.filter(email__iexact=email).exists():
        sentence = _("There is already an account with this address. Sign in, then open the link again.")
        raise AddressTaken(sentence, email=email)
    user = User.objects.create_user(email, password, name=name)
    EmailAddress.objects.create(user=user, email=email, primary=True, verified=False)
    accept(invitation, user)
    return user


@transaction.atomic
def withdraw(invitation: Invitation, *, by: User) -> None:
    """Make a link unusable."""
    require_can_manage_people(by)
    if Invitation.objects.usable().filter(pk=invitation.pk).update(withdrawn_at=timezone.now()):
        audit.record(by, Action.INVITATION_WITHDRAWN, invitation)
