"""API tokens: creating, checking, revoking."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounts.errors import NotAllowed
from accounts.models import Action, ApiToken, User
from accounts.services import audit
from accounts.services.secrets import digest, new_secret
from core.text import _

VALID_DAYS, LONGEST_DAYS = 90, 366
USE_IS_NOTED_EVERY = timedelta(minutes=5)


@transaction.atomic
def create_token(user: User, *, name: str, scope: str, days: int = VALID_DAYS) -> tuple[ApiToken, str]:
    """Make a token; the second value is the secret, which cannot be shown again."""
    expires_at = timezone.now() + timedelta(days=days)
    secret = new_secret("tst")
    token = ApiToken.objects.create(
        user=user, name=name, scope=scope, start=secret[:8], digest=digest(secret), expires_at=expires_at
    )
    audit.record(user, Action.TOKEN_CREATED, token, scope=scope, expires_at=expires_at.isoformat())
    return token, secret


def find_token(secret: str) -> ApiToken | None:
    """The usable token with this secret. Its last use is noted at most every five minutes, to spare writes."""
    token = ApiToken.objects.usable().select_related("user").filter(digest=digest(secret)).first()
    now = timezone.now()
    if token and (token.last_used_at is None or now - token.last_used_at > USE_IS_NOTED_EVERY):
        ApiToken.objects.filter(pk=token.pk).update(last_used_at=now)
    return token


@transaction.atomic
def revoke_token(token: ApiToken, *, by: User) -> None:
    """Make a token unusable at once; revoking twice changes nothing.

    Refuses anybody but its owner and administrators.
    """
    if token.user_id != by.pk and not by.is_superuser:
        raise NotAllowed(_("Only its owner and administrators can revoke a token."))
    if ApiToken.objects.filter(pk=token.pk, revoked_at=None).update(revoked_at=timezone.now()):
        audit.record(by, Action.TOKEN_REVOKED, token, owner=token.user.pseudonym)
