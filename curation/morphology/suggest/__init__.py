"""Proposed word forms, where a well-kept package of morphology can propose one. An expert accepts or rejects them."""

from collections.abc import Iterator

from curation.morphology.features import Features, parse_features
from curation.morphology.suggest.base import Suggestion, distinct
from curation.morphology.suggest.by_rule import PLURALS, suggest_by_rule
from curation.morphology.suggest.english import suggest_english
from curation.morphology.suggest.german import suggest_german
from curation.morphology.suggest.polish import suggest_polish

__all__ = ["LANGUAGES", "Suggestion", "suggest"]

LANGUAGES = frozenset({"en", "de", "pl", *PLURALS})


def suggest(language: str, kind: str, lemma: str, features: str | Features) -> list[Suggestion]:
    """Return forms of a word for one cell of its paradigm, the likeliest first; [] where none can be proposed.

    `kind` is the kind of lexicon entry (identity, slur, profession, ...), all of them nouns or groups around a noun
    so far. Refuses features that are no features. The first call for a language loads its dictionary: some seconds.
    """
    lemma = lemma.strip()
    wanted = parse_features(features)
    return distinct(_proposals(language.partition("-")[0], lemma, wanted)) if lemma else []


def _proposals(language: str, lemma: str, features: Features) -> Iterator[Suggestion]:
    if language == "en":
        yield from suggest_english(lemma, features)
    elif language == "de":
        yield from suggest_german(lemma, features)
    elif language == "pl":
        yield from suggest_polish(lemma, features)
    elif language in PLURALS:
        yield from suggest_by_rule(language, lemma, features)
