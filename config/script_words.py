"""The words of scripts in one language, as a script of its own that browsers keep for a year."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import patch_cache_control
from django.views.i18n import JavaScriptCatalog

from accounts.interface_language import interface_language

YEAR = 365 * 24 * 60 * 60


class WordsForScripts(JavaScriptCatalog):
    """Answers by the language in the address; the address changes with the translations."""

    def get(self, request: HttpRequest, language: str, edition: str) -> HttpResponse:
        if interface_language(language) != language:
            raise Http404
        with translation.override(language):
            response = super().get(request)
        patch_cache_control(response, public=True, max_age=YEAR, immutable=True)
        return response
