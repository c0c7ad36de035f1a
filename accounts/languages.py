"""Which languages a role can be given for. The catalogue is not this app's: settings name who knows them."""

from django.conf import settings
from django.utils.module_loading import import_string

from core.text import _

EVERY = ("", _("Every language"))


def known_languages() -> list[tuple[str, str]]:
    """(code, name) pairs from the catalogue."""
    return list(import_string(settings.KNOWN_LANGUAGES)())


def language_choices() -> list[tuple[str, str]]:
    """What a form offers: every language first."""
    return [EVERY, *known_languages()]


def language_names() -> dict[str, str]:
    return {**dict(known_languages()), EVERY[0]: _("every language")}
