"""How django-allauth behaves here: accounts are made by invitation only."""

from __future__ import annotations

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.socialaccount.adapter import DefaultSocialAccountAdapter
from axes.utils import reset
from django.http import HttpRequest

from accounts.errors import InvitationUnusable
from accounts.models import User
from accounts.services.invitations import find_invitation

INVITATION_IN_SESSION = "invitation"


class InvitationOnlyAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Sign-up happens on the invitation's page, never on allauth's."""
        return False

    def set_password(self, user: User, password: str) -> None:
        """Whoever could set a new password is the owner: the failures before it no longer lock the account."""
        super().set_password(user, password)
        reset(username=user.email.lower())


class InvitedSingleSignOnAdapter(DefaultSocialAccountAdapter):  # type: ignore[misc]
    def is_open_for_signup(self, request: HttpRequest, sociallogin: Any) -> bool:
        """Single sign-on makes an account only for somebody who came through an invitation's page."""
        try:
            find_invitation(request.session.get(INVITATION_IN_SESSION, ""))
        except InvitationUnusable:
            return False
        return True
