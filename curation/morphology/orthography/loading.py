"""The rules of a language from its table in `tables/`, read once."""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from curation.morphology.orthography.rules import PLURAL, Orthography
from curation.morphology.orthography.sounds import SoundClass, Sounds

TABLES = Path(__file__).parent / "tables"


def _stem(language: str) -> str:
    return language.replace("_", "-").split("-")[0].lower()


def has_table(language: str) -> bool:
    """Tell whether there are rules for the language."""
    return _stem(language).isalpha() and (TABLES / f"{_stem(language)}.toml").is_file()


@cache
def _load(language: str) -> Orthography:
    if not has_table(language):
        return Orthography(language=language)
    path = TABLES / f"{language}.toml"
    table: dict[str, Any] = tomllib.loads(path.read_text(encoding="utf-8"))
    before: dict[str, dict[str, str]] = {}
    singular = table.get("only_before_singulars", ())
    for sound, words in table.get("before", {}).items():
        for word, replacement in words.items():
            before.setdefault(word, {})[sound] = replacement
            if word not in singular:
                before[word][sound + PLURAL] = replacement
    return Orthography(
        language=language,
        genders=tuple(table.get("genders", ())),
        capitalise=table.get("capitalise", "start"),
        sounds=Sounds(
            tuple(_sound_class(name, values) for name, values in table.get("sounds", {}).items()),
            {_property(pair): name for pair, name in table.get("properties", {}).items()},
        ),
        before=before,
        only_before_words=frozenset(table.get("only_before_words", ())),
        merges=_pairs(table.get("merges", {})),
        attached=frozenset(table.get("attached", {}).get("words", ())),
        attached_merges=_pairs(table.get("attached", {}).get("merges", {})),
        han_without_blanks=table.get("han_without_blanks", False),
        capital_digraphs=tuple(table.get("capital_digraphs", ())),
        before_capital=tuple(table.get("before_capital", ())),
    )


def _property(text: str) -> tuple[str, str]:
    name, value = text.split("=")
    return name, value


def _pairs(table: Mapping[str, str]) -> dict[str, dict[str, str]]:
    pairs: dict[str, dict[str, str]] = {}
    for key, merged in table.items():
        left, right = key.split(" ")
        pairs.setdefault(left, {})[right] = merged
    return pairs


def _sound_class(name: str, values: Mapping[str, Any]) -> SoundClass:
    return SoundClass(
        name, re.compile(values["pattern"]), tuple(values.get("not_stems", ())), frozenset(values.get("not_words", ()))
    )


def load_orthography(language: str, **settings: object) -> Orthography:
    """Return the rules of a language (`fr`, `pt-BR` falls back on `pt`), with settings changed by name.

    A language without a table has no rules but the capital at the start. Refuses a setting it does not know.
    """
    found = _load(_stem(language))
    return found.with_settings(settings) if settings else found
