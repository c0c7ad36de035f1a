"""Links that leave the page: in mails, invitations and for people elsewhere."""

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request


def public_url(request: HttpRequest | Request, path: str) -> str:
    """Return the full address of a path: at SITE_URL, or where the request came in if that is not set."""
    return f"{settings.SITE_URL}{path}" if settings.SITE_URL else str(request.build_absolute_uri(path))
