"""The languages of the catalogue, for apps that must not know it."""

from curation.models import Language


def known_languages() -> list[tuple[str, str]]:
    return list(Language.objects.values_list("code", "name"))
