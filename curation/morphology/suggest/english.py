"""English: plurals of nouns, of the last word where there are several."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from curation.morphology.features import Features
from curation.morphology.suggest.base import Suggestion

EVERYDAY = {"person": ("people",)}  # lemminflect knows only the plural of lawyers
PARTICLE = re.compile(r"-(?:by|in|on|up|off|out|in-law)$")


def suggest_english(lemma: str, features: Features) -> Iterator[Suggestion]:
    """Yield the plural of a noun. Nothing for adjectives: which one belongs to a noun is not a matter of form."""
    if features.get("Pos") == "Adj" or features.get("Number") != "Plur":
        return
    first, blank, last = lemma.rpartition(" ")
    stem, particle = _split_particle(last)
    if not any(letter.isalpha() for letter in stem):
        return
    forms = _lemminflect().getInflection(stem, tag="NNS", inflect_oov=False)
    proposals = [(form, "lemminflect") for form in (*EVERYDAY.get(stem, ()), *forms) if form != stem]
    if not proposals:  # importing inflect takes seconds, so it is asked only about what the other does not know
        proposals = [(_inflect().plural_noun(stem), "inflect")]
    for form, source in proposals:
        if form:
            yield Suggestion(f"{first}{blank}{form}{particle}", source)


def _split_particle(word: str) -> tuple[str, str]:
    """Return the noun and what follows it in words such as passer-by, of which the noun inflects."""
    match = PARTICLE.search(word)
    return (word[: match.start()], match[0]) if match else (word, "")


@cache
def _lemminflect() -> Any:
    import lemminflect

    return lemminflect


@cache
def _inflect() -> Any:
    import inflect

    return inflect.engine()
