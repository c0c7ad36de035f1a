"""What every page may print about this instance."""

from django.conf import settings
from django.http import HttpRequest
from django.utils import translation

from config.translations.compiling import edition, is_draft


def site(request: HttpRequest) -> dict[str, object]:
    language = translation.get_language() or settings.LANGUAGE_CODE
    return {
        "version": settings.VERSION,
        "words_version": edition(),
        "interface_languages": settings.LANGUAGES,
        "reader_language": language,
        "is_draft_translation": is_draft(translation.to_locale(language)),
        "single_sign_on": bool(settings.SOCIALACCOUNT_PROVIDERS),
    }
