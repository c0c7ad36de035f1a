"""Everything that decides how an attack set looks, in one place, so that it can be stored and built again."""

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from core.text import _, ngettext

Punctuation = Literal["blank", "delete"]


@dataclass(frozen=True, slots=True)
class WordRules:
    """How the words for the Corr attacks are chosen.

    The defaults follow the paper: of all words the strongest are taken, offensive ones are left out of
    them, and posts get some of the remaining words; punctuation separates words. The public tool looks at the 1,500
    most frequent words only, deletes punctuation, draws the same word more than once for one post and takes words of
    either sign. A list that is filtered first and cut then is filled up with weaker words to the wanted number.
    """

    cut_before_filter: bool = True
    dictionary_size: int | None = None  # None: all words of the training posts
    punctuation: Punctuation = "blank"
    repeat_words: bool = False
    only_words_of_the_class: bool = True


PAPER_RULES = WordRules()
TOOL_RULES = WordRules(dictionary_size=1500, punctuation="delete", repeat_words=True, only_words_of_the_class=False)
FILLED_RULES = WordRules(cut_before_filter=False, dictionary_size=1500)


@dataclass(frozen=True, slots=True)
class AttackParameters:
    """One recipe: the same recipe on the same data gives the same bytes.

    Refuses templates without the `<post>` slot, an empty range of hashtags, and no template at all.
    """

    seed: int
    templates: tuple[str, ...]
    language: str = "en"
    lexicon: frozenset[str] = frozenset()
    identifiers: tuple[str, ...] = ()
    words: int = 100
    dictionary_size: int | None = None  # None: as the rules say
    fewest_hashtags: int = 1
    most_hashtags: int = 5
    rules: WordRules = field(default=PAPER_RULES)

    def __post_init__(self) -> None:
        if not self.templates:
            raise ValueError(_("Give at least one quotation template."))
        without_slot = [template for template in self.templates if "<post>" not in template]
        if without_slot:
            raise ValueError(
                ngettext(
                    "%(count)s quotation template lacks the slot <post>, for example '%(example)s'.",
                    "%(count)s quotation templates lack the slot <post>, for example '%(example)s'.",
                    len(without_slot),
                    example=without_slot[0],
                )
            )
        if not 1 <= self.fewest_hashtags <= self.most_hashtags:
            raise ValueError(
                _("The fewest hashtags must be at least 1, and the most hashtags at least as many as the fewest.")
            )
        if self.words < 1 or (self.dictionary_size is not None and self.dictionary_size < 1):
            raise ValueError(_("The number of words and the dictionary size must be at least 1."))

    @property
    def dictionary(self) -> int | None:
        """How many of the most frequent words count: as given, or else as the rules say; None is all."""
        return self.rules.dictionary_size if self.dictionary_size is None else self.dictionary_size

    def described(self) -> dict[str, object]:
        """The recipe as plain values for a record; long lists by number and checksum."""
        return {
            "seed": self.seed,
            "language": self.language,
            "words": self.words,
            "dictionary_size": self.dictionary,
            "hashtags": [self.fewest_hashtags, self.most_hashtags],
            "templates": {"count": len(self.templates), "sha256": _checksum(self.templates)},
            "lexicon": {"count": len(self.lexicon), "sha256": _checksum(sorted(self.lexicon))},
            "identifiers": list(self.identifiers),
            "cut_before_filter": self.rules.cut_before_filter,
            "punctuation": self.rules.punctuation,
            "repeat_words": self.rules.repeat_words,
            "only_words_of_the_class": self.rules.only_words_of_the_class,
        }


def _checksum(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
