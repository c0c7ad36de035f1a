"""What every page may print about this instance."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from config.translations.compiling import edition


def site(request: HttpRequest) -> dict[str, object]:
    return {
        "version": settings.VERSION,
        "words_version": edition(),
        "interface_languages": settings.LANGUAGES,
        "reader_language": translation.get_language() or settings.LANGUAGE_CODE,
        "single_sign_on": bool(settings.SOCIALACCOUNT_PROVIDERS),
    }
