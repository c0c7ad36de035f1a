"""German: nouns in four cases and two numbers, those that decline like adjectives too, compounds by their last part."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from curation.morphology.features import Features
from curation.morphology.suggest.base import Suggestion

SOURCE = "german-nouns"
CASES = {"Nom": "nominativ", "Gen": "genitiv", "Dat": "dativ", "Acc": "akkusativ"}
NUMBERS = {"Sing": "singular", "Plur": "plural"}
GENDERS = {"Masc": "m", "Fem": "f", "Neut": "n"}


def suggest_german(lemma: str, features: Features) -> Iterator[Suggestion]:
    """Yield the form of a noun. Without a case it is the nominative; without an article the ending is strong."""
    case = CASES.get(features.get("Case") or "Nom")
    number = NUMBERS.get(features.get("Number") or "Sing")
    if case is None or number is None or features.get("Pos") == "Adj":
        return
    declension = "stark" if features.get("Definite") == "Ind" else "schwach"
    wanted = GENDERS.get(features.get("Gender") or "")
    prefix, entries = _look_up(lemma)
    fitting = [entry for entry in entries if not wanted or wanted in (_genders(entry) or {wanted})]
    if not fitting and (sibling := _sibling(lemma, wanted)):
        prefix, entries = _look_up(sibling)
        fitting = [entry for entry in entries if wanted in _genders(entry)]
    for entry in fitting:
        for name, form in entry.get("flexion", {}).items():
            parts = name.split()
            if parts[:2] == [case, number] and (len(parts) < 3 or parts[2] == declension or parts[2][:1] in "123456*"):
                yield Suggestion(prefix + (form[0].lower() + form[1:] if prefix else form), SOURCE)


def _genders(entry: dict[str, Any]) -> set[str]:
    return {value for name, value in entry.items() if name.startswith("genus")}


def _sibling(lemma: str, wanted: str | None) -> str | None:
    """Return the headword of the other gender of a noun like an adjective: der Angestellte, ein Angestellter."""
    if wanted == "m" and lemma.endswith("e"):
        return f"{lemma}r"
    return lemma[:-1] if wanted == "f" and lemma.endswith("er") else None


def _look_up(lemma: str) -> tuple[str, list[dict[str, Any]]]:
    nouns = _nouns()
    if found := nouns[lemma]:
        exact = [entry for entry in found if entry.get("lemma") == lemma]
        return "", exact or found
    parts = nouns.parse_compound(lemma)
    if len(parts) > 1 and lemma.lower().endswith(parts[-1].lower()):
        return lemma[: -len(parts[-1])], nouns[parts[-1]]
    return "", []


@cache
def _nouns() -> Any:
    from german_nouns.lookup import Nouns

    return Nouns()
