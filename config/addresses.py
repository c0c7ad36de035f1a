"""Whom a request comes from."""

from django.conf import settings
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """The address that spoke to us, or to our proxy. Headers of anybody else are not believed."""
    if settings.BEHIND_PROXY:
        forwarded = [part.strip() for part in request.META.get("HTTP_X_FORWARDED_FOR", "").split(",") if part.strip()]
        if forwarded:
            return str(forwarded[-1])
    return str(request.META.get("REMOTE_ADDR", ""))


def account_of(request: HttpRequest, credentials: dict[str, str] | None = None) -> str:
    """Return whose account is to be opened: allauth passes it as `email`, its form calls it `login`.

    A person who is signed in and confirms the password names no account: it is their own.
    """
    given = (credentials or {}).get("email") or (credentials or {}).get("username") or request.POST.get("login", "")
    if not given and request.user.is_authenticated:
        given = request.user.email
    return given.strip().lower()
