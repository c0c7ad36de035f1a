"""The language switch, which works without scripts and before signing in."""

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_POST

from accounts.interface_language import interface_language
from accounts.models import User
from accounts.services import people

YEAR = 365 * 24 * 60 * 60


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Remember a language in the account and in the browser, and go back."""
    came_from = request.headers.get("Referer", "")
    safe = url_has_allowed_host_and_scheme(
        came_from, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    response = HttpResponseRedirect(came_from if safe else "/")
    if language := interface_language(request.POST.get("language", "")):
        if isinstance(request.user, User):
            people.choose_language(request.user, language=language)
        response.set_cookie(
            settings.LANGUAGE_COOKIE_NAME, language, max_age=YEAR, samesite="Lax", secure=request.is_secure()
        )
    return response
