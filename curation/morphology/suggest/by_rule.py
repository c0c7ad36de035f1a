"""Romance languages and Dutch: a rule proposes the plural or the feminine, a dictionary of forms must confirm it."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import regex

from curation.morphology.features import Features
from curation.morphology.suggest.base import Suggestion

SOURCE = "simplemma"
Rules = tuple[tuple[str, str], ...]

# (ending, what replaces it); all that fit are proposed, in this order.
PLURALS: dict[str, Rules] = {
    "es": ((r"z$", "ces"), (r"(?<=[aeiouáéó])$", "s"), (r"ón$", "ones"), (r"és$", "eses"), (r"$", "es")),
    "pt": ((r"ão$", "ões"), (r"ão$", "ãos"), (r"ão$", "ães"), (r"m$", "ns"), (r"([aeou])l$", r"\1is"),
           (r"(?<=[aeiouáéíóúãê])$", "s"), (r"(?<=[rzs])$", "es")),
    "fr": ((r"al$", "aux"), (r"(?<=eau|eu|ou)$", "x"), (r"(?<![sxz])$", "s")),
    "it": ((r"io$", "i"), (r"ista$", "isti"), (r"ca$", "che"), (r"ga$", "ghe"), (r"co$", "chi"), (r"co$", "ci"),
           (r"go$", "ghi"), (r"o$", "i"), (r"a$", "e"), (r"e$", "i")),
    "nl": ((r"([aeou])\1([bdfgklmnprst])$", r"\1\2en"), (r"f$", "ven"), (r"s$", "zen"), (r"$", "en"), (r"e$", "en"),
           (r"([bdfgklmnprst])$", r"\1\1en"), (r"$", "s"), (r"(?<=[aiouy])$", "'s")),
}  # fmt: skip
FEMININES: dict[str, Rules] = {
    "es": ((r"o$", "a"), (r"or$", "ora"), (r"ón$", "ona"), (r"és$", "esa"), (r"ín$", "ina")),
    "pt": ((r"ão$", "ã"), (r"o$", "a"), (r"or$", "ora"), (r"ês$", "esa"), (r"eu$", "eia")),
    "fr": ((r"eur$", "euse"), (r"teur$", "trice"), (r"er$", "ère"), (r"ien$", "ienne"), (r"if$", "ive"), (r"x$", "se"),
           (r"on$", "onne"), (r"(?<!e)$", "e")),
    "it": ((r"tore$", "trice"), (r"o$", "a"), (r"e$", "a")),
}  # fmt: skip


def suggest_by_rule(language: str, lemma: str, features: Features) -> Iterator[Suggestion]:
    """Yield the plural, the feminine or both, of one word that the dictionary knows."""
    if not lemma or not lemma.replace("-", "").isalpha() or features.get("Case") is not None:
        return
    plural = features.get("Number") == "Plur"
    feminines: list[str] = []
    if features.get("Gender") == "Fem":
        # Dictionaries file a feminine under its masculine or by itself: that it exists is enough.
        rules = FEMININES.get(language, ())
        feminines = [form for form in _apply(rules, lemma) if _simplemma().is_known(form, lang=language)]
    if not plural:
        yield from (Suggestion(form, SOURCE) for form in feminines)
        return
    for base in feminines or [lemma]:
        for form in _apply(PLURALS[language], base):
            if _is_form_of(form, base, language) or _is_form_of(form, lemma, language):
                yield Suggestion(form, SOURCE)


def _apply(rules: Rules, word: str) -> list[str]:
    return [regex.sub(pattern, new, word, count=1) for pattern, new in rules if regex.search(pattern, word)]


def _is_form_of(form: str, lemma: str, language: str) -> bool:
    simplemma = _simplemma()
    if form == lemma or not simplemma.is_known(form, lang=language):
        return False
    return str(simplemma.lemmatize(form, lang=language)).casefold() == _lemma_of(lemma, language).casefold()


@cache
def _lemma_of(word: str, language: str) -> str:
    """Return the dictionary's own headword: it files some feminines under their masculine."""
    return str(_simplemma().lemmatize(word, lang=language))


@cache
def _simplemma() -> Any:
    import simplemma

    return simplemma
