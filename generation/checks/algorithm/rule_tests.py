"""Tests that need no model: two clauses, two sentences, one quotation, the target is mentioned."""

import unicodedata
from collections.abc import Callable, Sequence

import regex

from core.text import _
from generation.checks.algorithm.sentences import after_first_clause, after_first_comma, split_sentences
from generation.checks.algorithm.transforms import find_quotations, has_negation


def mentions_any(text: str, terms: Sequence[str]) -> bool:
    """Return whether a text holds one of the terms, without regard to case or an ending.

    A term matches at the start of a word, so that "Migrant" finds "Migrantinnen"; in scripts without blanks anywhere.
    """
    folded = _fold(text)
    for term in map(_fold, terms):
        if not term:
            continue
        boundary = "" if regex.search(r"[\p{Han}\p{Arabic}]", term) else r"(?<![\p{L}\p{N}])"
        if regex.search(boundary + regex.escape(term), folded):
            return True
    return False


def _fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().strip()


RuleTest = Callable[[str, str, Sequence[str]], bool | None]

RULE_TESTS: dict[str, RuleTest] = {
    "has_two_clauses": lambda text, language, terms: after_first_clause(text) is not None,
    "has_comma": lambda text, language, terms: after_first_comma(text) is not None,
    "has_two_sentences": lambda text, language, terms: len(split_sentences(text)) >= 2,
    "has_one_quotation": lambda text, language, terms: len(find_quotations(text)) == 1,
    "has_negation_word": lambda text, language, terms: has_negation(text, language),
    "mentions_target": lambda text, language, terms: mentions_any(text, terms),
}
RULE_TEST_TITLES: dict[str, str] = {
    "has_two_clauses": _("Has two clauses"),
    "has_comma": _("Has a comma"),
    "has_two_sentences": _("Has two sentences"),
    "has_one_quotation": _("Has one quotation"),
    "has_negation_word": _("Has a negation word"),
    "mentions_target": _("Mentions the target group"),
}
