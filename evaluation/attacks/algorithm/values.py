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


# What each attack does and what a model that passes has understood.
MEANINGS: Mapping[Name, str] = {
    "quo": _("An abusive post is quoted by a person who objects to it. The new post is harmless."),
    "corr_nn": _(
        "Words that occur mostly in abusive training posts, but are not offensive, are appended to a harmless post as "
        "hashtags. It stays harmless: a model that now calls it abusive goes by single words."
    ),
    "flip": _("An abusive post is put in front of a harmless one. The new post is abusive."),
    "corr_aa": _(
        "Words that occur mostly in harmless training posts are appended to an abusive post as hashtags. It stays "
        "abusive: a model that now lets it pass can be deceived by friendly words."
    ),
    "ident_nn": _("Names of groups are appended to a harmless post as hashtags. It stays harmless."),
}
PASSING = _(
    "AAA is the geometric mean of Quo, Corr N→N, Flip and Corr A→A. A score of 60% or more passes: that is the mark of "
    "the paper, above the 50% of guessing."
)


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
