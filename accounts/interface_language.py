"""The language in which a person reads pages: that of the account, of the campaign, then of the browser."""

from contextlib import AbstractContextManager

from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.middleware import get_user
from django.http import HttpRequest
from django.utils import translation
from django.utils.translation import get_supported_language_variant
from django.utils.translation.trans_real import parse_accept_lang_header

LONGEST = 20


def interface_language(code: str) -> str:
    """Return the interface language for a BCP 47 tag (`zh` gives `zh-hans`), or "" where there is none."""
    try:
        return get_supported_language_variant(code.lower()[:LONGEST]) if code else ""
    except LookupError:
        return ""


def chosen_language(request: HttpRequest) -> str:
    """Return what the person chose: in the account, or with the switch before signing in; "" without a choice."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES:
        user = get_user(request)  # read once for the request, and used by Django's own middleware too
        if user.is_authenticated and (found := interface_language(getattr(user, "language", ""))):
            return found
    return interface_language(request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME, ""))


def browser_language(accept_language: str) -> str:
    """Return the first interface language of the browser's list; English otherwise."""
    for tag, _quality in parse_accept_lang_header(accept_language):
        if found := interface_language(tag):
            return found
    return settings.LANGUAGE_CODE


def language_of_newcomer(request: HttpRequest) -> str:
    """Return the language of a new account: the one chosen before, or that of the browser; "" where that is English.

    Mails are written in it, which follow no campaign.
    """
    browser = browser_language(request.headers.get("Accept-Language", ""))
    return chosen_language(request) or ("" if browser == settings.LANGUAGE_CODE else browser)


def follow_language(request: HttpRequest, code: str) -> None:
    """Show this request in a campaign's language, unless the person chose another one."""
    if (found := interface_language(code)) and not chosen_language(request):
        translation.activate(found)
        request.LANGUAGE_CODE = found


def in_language_of(user: AbstractBaseUser) -> AbstractContextManager[None]:
    """Show texts in the language of an account: for mails, which are not part of a request of the person."""
    return translation.override(interface_language(getattr(user, "language", "")) or settings.LANGUAGE_CODE)
