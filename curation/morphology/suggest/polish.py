"""Polish: nouns and adjectives in six cases and two numbers; in a group of words the adjectives follow the noun."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from curation.morphology.features import Features
from curation.morphology.suggest.base import Suggestion

SOURCE = "morfeusz2"
CASES = {"Nom": "nom", "Gen": "gen", "Dat": "dat", "Acc": "acc", "Ins": "inst", "Loc": "loc", "Voc": "voc"}
NUMBERS = {"Sing": "sg", "Plur": "pl"}
GENDERS = {"Masc": "m1", "Fem": "f", "Neut": "n"}  # words for people: masculine personal
LONGEST_GROUP = 4


def suggest_polish(lemma: str, features: Features) -> Iterator[Suggestion]:
    """Yield the form of a noun, an adjective, or a noun with its adjectives; without a case the nominative."""
    case = CASES.get(features.get("Case") or "Nom")
    number = NUMBERS.get(features.get("Number") or "Sing")
    words = lemma.split()
    if not all(word.replace("-", "").isalpha() for word in words):
        return  # the generator raises on anything but letters
    if case is None or number is None or not 0 < len(words) <= LONGEST_GROUP:
        return
    wanted = GENDERS.get(features.get("Gender") or "")
    heads = {word: _gender_of_noun(word) for word in words}
    head = next((word for word in words if heads[word]), None) if features.get("Pos") != "Adj" else None
    gender = (heads[head] if head else None) or wanted or "m1"
    forms = [
        _noun_forms(word, number, case) if word == head else _adjective_forms(word, number, case, gender)
        for word in words
    ]
    if all(forms):
        for form in forms[0]:
            rest = [alternatives[0] for alternatives in forms[1:]]
            yield Suggestion(" ".join([form, *rest]), SOURCE)


def _gender_of_noun(word: str) -> str | None:
    for _, _, tag, *_ in _morfeusz().generate(word):
        parts = tag.split(":")
        if parts[0] == "subst" and len(parts) > 3:
            return str(parts[3]).split(".", maxsplit=1)[0]
    return None


def _noun_forms(word: str, number: str, case: str) -> list[str]:
    found = []
    for form, _, tag, *_ in _morfeusz().generate(word):
        parts = tag.split(":")
        if parts[0] == "subst" and parts[1] == number and case in parts[2].split("."):
            found.append(form)
    return list(dict.fromkeys(found))


def _adjective_forms(word: str, number: str, case: str, gender: str) -> list[str]:
    found = []
    for form, _, tag, *_ in _morfeusz().generate(_adjective_lemma(word)):
        parts = tag.split(":")
        if (
            parts[0] == "adj"
            and parts[1] == number
            and case in parts[2].split(".")
            and gender in parts[3].split(".")
            and parts[4] == "pos"
        ):
            found.append(form)
    return list(dict.fromkeys(found))


def _adjective_lemma(word: str) -> str:
    """Return the headword of an adjective that agrees with its noun: transpłciowy for transpłciowa."""
    for _, _, (_, lemma, tag, *_) in _morfeusz().analyse(word):
        if tag.startswith("adj:"):
            return str(lemma).partition(":")[0]
    return word


@cache
def _morfeusz() -> Any:
    import morfeusz2

    return morfeusz2.Morfeusz()
