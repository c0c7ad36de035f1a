"""What happens where a filled word meets the text around it: elision, contraction, a/an, capitals, blanks.

`load_orthography(language)` gives the rules of a language from its table; settings can be changed per suite.
"""

from curation.morphology.orthography.loading import has_table, load_orthography
from curation.morphology.orthography.own_rules import RuleError, read_rule, try_example, with_rules
from curation.morphology.orthography.rules import PLURAL, Orthography, Piece, first_word, last_word

__all__ = [
    "PLURAL",
    "Orthography",
    "Piece",
    "RuleError",
    "first_word",
    "has_table",
    "last_word",
    "load_orthography",
    "read_rule",
    "try_example",
    "with_rules",
]
