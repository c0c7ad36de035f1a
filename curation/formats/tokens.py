"""The placeholder tokens of HateCheck and MHC, with features as the canonical text that plain values carry."""

import re
from dataclasses import dataclass

from curation.morphology.aliases import resolve_alias
from curation.morphology.features import parse_features

TOKEN_LIKE = re.compile(r"[\[{][^\[\]{}\s]*[\]}]")
SMALL_NUMBER = re.compile(r"(?<=_)[spa](?=_|\])")


@dataclass(frozen=True, slots=True)
class Token:
    """What a token asks for."""

    kind: str
    features: str
    perturbation: str


def parse_token(token: str) -> Token | None:
    """Return the meaning of a token in square brackets; None where it is not one of HateCheck's or MHC's."""
    if not (token.startswith("[") and token.endswith("]")):
        return None
    alias = resolve_alias(token)
    return Token(alias.kind, str(alias.features), alias.perturbation) if alias else None


def repair_token(token: str) -> str:
    """A token as it should have been typed: no dot behind it, the letter of the number in capitals."""
    return SMALL_NUMBER.sub(lambda match: match[0].upper(), token.rstrip(". "))


def join_features(*parts: str) -> str:
    """Several feature texts as one canonical text."""
    return str(parse_features("|".join(part for part in parts if part)))
