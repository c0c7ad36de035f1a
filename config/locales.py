"""Texts are English; dates and numbers follow the reader's locale.

German readers get the locale "en-de": Django's texts in English, its formats from config/formats/en_DE.
"""

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation.trans_real import parse_accept_lang_header


def locale_of(accept_language: str) -> str:
    """The first locale of the browser's list that we have formats for; plain English otherwise."""
    known = dict(settings.LANGUAGES)
    for tag, _quality in parse_accept_lang_header(accept_language):
        for candidate in (tag, f"en-{tag.partition('-')[0]}"):
            if candidate in known:
                return candidate
        if tag.startswith("en"):
            return "en"
    return "en"


class ReaderLocaleMiddleware:
    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        locale = locale_of(request.headers.get("Accept-Language", ""))
        with translation.override(locale):
            request.LANGUAGE_CODE = locale
            response = self.get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", "en")
        return response
