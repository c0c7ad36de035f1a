"""Is a message in the language it was asked for? Identified with lingua, which works offline."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import regex

# Those we ask in, and those most easily taken for them.
_CANDIDATES = (
    "ARABIC CHINESE DUTCH ENGLISH FRENCH GERMAN HINDI ITALIAN POLISH PORTUGUESE SPANISH "
    "DANISH JAPANESE PERSIAN RUSSIAN TURKISH"
)
_SHORTEST = 12
_ENOUGH = 1_000  # characters; a word without end would take minutes
_LATIN = regex.compile(r"\p{Latin}")
_HAN = regex.compile(r"\p{Han}")
_LETTER = regex.compile(r"\p{L}")


def find_other_languages(texts: Sequence[tuple[str, str]], *, least_confidence: float = 0.75) -> list[str | None]:
    """Return for each (text, expected language): the code of another language it is surely in, or None.

    Not judged are very short texts, languages that are not known, and Hindi in Latin letters, which no model knows.
    """
    judged = [index for index, (text, language) in enumerate(texts) if _can_judge(text, language)]
    found: list[str | None] = [None] * len(texts)
    if not judged:
        return found
    detector = _detector()
    beginnings = [texts[index][0][:_ENOUGH] for index in judged]
    values = detector.compute_language_confidence_values_in_parallel(beginnings)
    for index, confidences in zip(judged, values, strict=True):
        top = confidences[0]
        code = str(top.language.iso_code_639_1.name).lower()
        if code != texts[index][1].split("-")[0] and top.value >= least_confidence:
            found[index] = code
    return found


def _can_judge(text: str, language: str) -> bool:
    base = language.split("-")[0]
    if base not in _known_codes():
        return False
    letters = _LETTER.findall(text)
    if base == "hi" and letters and len(_LATIN.findall(text)) > len(letters) / 2:
        return False
    # A Chinese character says as much as three letters.
    return len(letters) + 2 * len(_HAN.findall(text)) >= _SHORTEST


@lru_cache(maxsize=1)
def _known_codes() -> frozenset[str]:
    return frozenset(str(language.iso_code_639_1.name).lower() for language in _languages())


def _languages() -> list[Any]:
    from lingua import Language

    return [getattr(Language, name) for name in _CANDIDATES.split()]


@lru_cache(maxsize=1)
def _detector() -> Any:
    from lingua import LanguageDetectorBuilder

    return LanguageDetectorBuilder.from_languages(*_languages()).build()
