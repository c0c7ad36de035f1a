"""The API's default gate; what a person may see or do beyond it is decided by `visible_to` and the services."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import SAFE_METHODS, BasePermission

from accounts.models import ApiToken, Scope
from core.text import _

if TYPE_CHECKING:  # rest_framework.views imports this module
    from rest_framework.request import Request
    from rest_framework.views import APIView


class ScopedReadOnlyOrAuthenticated(BasePermission):
    """Anyone may read what is public; changing needs a signed-in person, and a token needs the scope for it."""

    message = _("Sign in, or use a token with the scope 'write'.")

    def has_permission(self, request: Request, view: APIView) -> bool:
        if request.method in SAFE_METHODS:
            return True
        if isinstance(request.auth, ApiToken) and request.auth.scope != Scope.WRITE:
            return False
        return bool(request.user and request.user.is_authenticated)


class SignedIn(ScopedReadOnlyOrAuthenticated):
    """Nothing here is public."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return bool(request.user and request.user.is_authenticated) and super().has_permission(request, view)
