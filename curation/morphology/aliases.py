"""The tokens of HateCheck and Multilingual HateCheck, read as placeholders of our own: `[male_IDENT_S_leet]`."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from curation.morphology.features import Features, parse_features

KINDS = {"IDENT": "identity", "IDENTITY": "identity", "SLR": "slur", "SLUR": "slur"}
GENDERS = {"male": "Gender=Masc", "female": "Gender=Fem"}
NUMBERS = {"S": "Number=Sing", "P": "Number=Plur", "A": "Pos=Adj"}
PERTURBATIONS = {
    "leet": "leet",
    "char_del": "char_del",
    "char_swap": "char_swap",
    "space_add": "space_add",
    "sent_arabizi": "arabizi",
    "char_repeat": "char_repeat",
    "word_variation": "word_variation",
    "pinyin": "pinyin",
    "char_comp": "char_comp",
    "homoph": "homophone",
}
TOKEN = re.compile(
    rf"(?:(?P<gender>male|female)_)?(?P<kind>{'|'.join(KINDS)})_(?P<number>[SPAspa])(?P<subject>_SUB)?"
    rf"(?:_(?P<variant>{'|'.join(PERTURBATIONS)}))?"
)


@dataclass(frozen=True, slots=True)
class Alias:
    """What a published token stands for."""

    kind: str
    features: Features
    perturbation: str


@lru_cache(maxsize=4096)
def resolve_alias(token: str) -> Alias | None:
    """Return what the token stands for (brackets or not), None if it is not one of the published tokens."""
    match = TOKEN.fullmatch(token.removeprefix("[").removesuffix("]"))
    if match is None:
        return None
    features = [NUMBERS[match["number"].upper()]]
    if match["gender"]:
        features.append(GENDERS[match["gender"]])
    if match["subject"]:
        features.append("Case=Nom")  # Hindi: the plural as subject, beside the oblique one
    return Alias(
        kind=KINDS[match["kind"]],
        features=parse_features("|".join(features)),
        perturbation=PERTURBATIONS[match["variant"]] if match["variant"] else "",
    )


@lru_cache(maxsize=64)
def known_tokens(*, kinds: frozenset[str]) -> tuple[str, ...]:
    """Return every published token that stands for one of `kinds`, for suggestions; without brackets."""
    shapes = product(
        ["", *(f"{gender}_" for gender in GENDERS)],
        [name for name, kind in KINDS.items() if kind in kinds],
        ["_S", "_P", "_A", "_P_SUB"],
        ["", *(f"_{variant}" for variant in PERTURBATIONS)],
    )
    return tuple("".join(shape) for shape in shapes)
