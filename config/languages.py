"""The languages of the catalogue, for apps that must not know it."""

from core.reader import catalogued
from curation.models import Language


def known_languages() -> list[tuple[str, str]]:
    return [(code, catalogued(name)) for code, name in Language.objects.values_list("code", "name")]
