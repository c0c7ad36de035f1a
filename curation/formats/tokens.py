"""The placeholder tokens of HateCheck and MHC: kind, features and perturbation of `[male_IDENT_S_leet]`."""

from __future__ import annotations

import re
from dataclasses import dataclass

TOKEN_LIKE = re.compile(r"[\[{][^\[\]{}\s]*[\]}]")
SHAPE = re.compile(
    r"\[(?:(?P<gender>male|female)_)?(?P<kind>IDENTITY|IDENT|SLUR|SLR)_(?P<number>[SPA])(?P<subject>_SUB)?"
    r"(?:_(?P<perturbation>[a-z_]+))?\]"
)
KINDS = {"IDENTITY": "identity", "IDENT": "identity", "SLUR": "slur", "SLR": "slur"}
GENDERS = {"male": "Gender=Masc", "female": "Gender=Fem"}
NUMBERS = {"S": "Number=Sing", "P": "Number=Plur", "A": "Pos=Adj"}
PERTURBATIONS = {"homoph": "homophone", "sent_arabizi": "arabizi"}


@dataclass(frozen=True, slots=True)
class Token:
    """What a token asks for."""

    kind: str
    features: str
    perturbation: str


def parse_token(token: str) -> Token | None:
    """The meaning of a token; None where it is not one of HateCheck's or MHC's."""
    match = SHAPE.fullmatch(token)
    if match is None:
        return None
    features = [NUMBERS[match["number"]]]
    if match["gender"]:
        features.append(GENDERS[match["gender"]])
    if match["subject"]:
        features.append("Case=Nom")
    perturbation = match["perturbation"] or ""
    return Token(KINDS[match["kind"]], "|".join(sorted(features)), PERTURBATIONS.get(perturbation, perturbation))


def join_features(*parts: str) -> str:
    """Several canonical feature texts as one."""
    return "|".join(sorted({piece for part in parts for piece in part.split("|") if piece}))
