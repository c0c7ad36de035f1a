"""Some roles must have a second factor: until it is there, its pages are all a person can open."""

from collections.abc import Callable

from allauth.account.internal.flows.login import get_authentication_records
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect

from accounts.errors import SecondFactorNeeded
from accounts.models import User

FACTORS = [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]
# Beside the pages of the second factor itself, whose names begin with mfa_.
OPEN_PAGES = {
    "account_logout",
    "account_login",
    "account_reauthenticate",
    "ui:theme",
    "accounts:language",
    "healthz",
    "readyz",
}


def needs_second_factor(user: User) -> bool:
    """Tell whether one of the person's roles needs a second factor (SECOND_FACTOR_ROLES) and the account has none."""
    roles = {role for role, _ in user.role_grants} | ({"administrator"} if user.is_superuser else set())
    return not roles.isdisjoint(settings.SECOND_FACTOR_ROLES) and not is_mfa_enabled(user, FACTORS)


def require_second_factor(user: User) -> None:
    """Refuse a person who needs a second factor and has none."""
    if settings.SECOND_FACTOR_ROLES and needs_second_factor(user):
        raise SecondFactorNeeded


class SecondFactorMiddleware:
    """Leads people in such a role to the page on which they set it up, before anything else.

    Single sign-on is the business of its provider: a session that began there needs no factor of ours.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if not settings.SECOND_FACTOR_ROLES or not request.user.is_authenticated or name in OPEN_PAGES:
            return None
        if not needs_second_factor(request.user) or self.came_by_single_sign_on(request):
            return None
        if name.startswith("mfa_"):
            request.second_factor_is_missing = True  # type: ignore[attr-defined]
            return None
        if request.path.startswith("/api/"):
            error = SecondFactorNeeded()
            return JsonResponse(error.as_problem(), status=error.status, content_type="application/problem+json")
        return redirect("mfa_index")

    def came_by_single_sign_on(self, request: HttpRequest) -> bool:
        records = get_authentication_records(request, request.user)
        return any(record.get("method") == "socialaccount" for record in records)
