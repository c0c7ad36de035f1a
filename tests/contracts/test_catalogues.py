"""The catalogues in locale/ hold what is shown, and nothing that would break it."""

import re
from collections import Counter
from functools import cache

import pytest
from babel.messages.catalog import Catalog
from django.conf import settings
from django.utils import translation

from config.translations.compiling import stale
from config.translations.extracting import DOMAINS, collect, is_translated, load
from config.translations.readers import is_wanted

LANGUAGES = [code for code, _name in settings.LANGUAGES if code != "en"]
PLACE = re.compile(r"%\(\w+\)[sd]|%[sd]|%%")
TAG = re.compile(r"</?[a-z]+")
TAKEN_OVER = re.compile(r"^[\W\d]*$")


@cache
def template(domain: str) -> Catalog:
    return collect(domain)


@cache
def catalogue(language: str, domain: str) -> Catalog:
    return load(language, domain)


def texts(message_id) -> list[str]:
    return list(message_id) if isinstance(message_id, tuple) else [message_id]


def strings(message) -> list[str]:
    return list(message.string) if isinstance(message.string, tuple | list) else [message.string]


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_catalogues_are_in_step_with_the_code(language, domain):
    """`make messages` brings them up to date."""
    wanted = {(message.id, message.context) for message in template(domain) if message.id}
    held = {(message.id, message.context) for message in catalogue(language, domain) if message.id}
    assert (wanted - held, held - wanted) == (set(), set())


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_a_language_has_to_have_is_translated(language):
    missing = [
        message.id
        for domain in DOMAINS
        for message in catalogue(language, domain)
        if is_wanted(message, language) and not is_translated(message)
    ]
    assert missing == []


@pytest.mark.parametrize("domain", DOMAINS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_have_the_same_places_and_tags(language, domain):
    wrong = []
    for message in catalogue(language, domain):
        if not message.id or not is_translated(message):
            continue
        allowed = [Counter(PLACE.findall(text)) for text in texts(message.id)]
        tags = [Counter(TAG.findall(text)) for text in texts(message.id)]
        for found in strings(message):
            places = Counter(PLACE.findall(found))
            # One of several forms may leave the number out: "one case", "dwa przypadki".
            fits = any(
                places == places_of or (isinstance(message.id, tuple) and places == places_of - Counter(["%(count)s"]))
                for places_of in allowed
            )
            if not fits or Counter(TAG.findall(found)) not in tags:
                wrong.append((message.id, found))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_language_has_all_its_plurals(language):
    for domain in DOMAINS:
        held = catalogue(language, domain)
        for message in held:
            if isinstance(message.id, tuple) and message.id and is_translated(message):
                assert len(strings(message)) == held.num_plurals, message.id


def test_catalogues_are_compiled_where_they_are_used():
    assert stale() == []
    with translation.override("de"):
        assert translation.gettext("Skip to content") == "Zum Inhalt springen"
