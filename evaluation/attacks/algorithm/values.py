"""What an attack hands over: posts, the label each must get, and where each came from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from core.text import _

Name = Literal["original", "hashtag_check", "quo", "corr_nn", "corr_aa", "flip", "ident_nn"]
NAMES: tuple[Name, ...] = get_args(Name)
# The four whose geometric mean is the AAA score.
SCORED: tuple[Name, ...] = ("quo", "corr_nn", "corr_aa", "flip")
# What people call the sets; those of the paper have the same name in every language.
TITLES: Mapping[Name, str] = {
    "original": _("Original test set"),
    "hashtag_check": _("Hashtag check"),
    "quo": "Quo A→N",
    "corr_nn": "Corr N→N",
    "flip": "Flip N→A",
    "corr_aa": "Corr A→A",
    "ident_nn": "Ident N→N",
}


@dataclass(frozen=True, slots=True)
class AttackPost:
    """One post of an attack set. `origin` is the row of the test set it was made from, `added` what was put to it."""

    text: str
    abusive: bool
    origin: int
    added: str = ""


@dataclass(frozen=True, slots=True)
class AttackSet:
    """All posts of one attack, in the order of the test set."""

    name: Name
    posts: tuple[AttackPost, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        return tuple(post.text for post in self.posts)

    @property
    def labels(self) -> tuple[bool, ...]:
        return tuple(post.abusive for post in self.posts)
