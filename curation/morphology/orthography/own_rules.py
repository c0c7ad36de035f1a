"""Spelling rules that experts write for a language without a table: `s -> se before s, z, š, ž`."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from core.text import _
from curation.morphology.orthography.rules import PLURAL, Orthography, Piece
from curation.morphology.orthography.sounds import SoundClass, Sounds

RULE = re.compile(r"(?P<word>\S+)\s*->\s*(?P<becomes>\S+)\s+before\s+(?P<starts>.+)")


class RuleError(ValueError):
    """A line that is not a spelling rule; `sentence` says what to write instead."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence)
        self.sentence = sentence


class Rule(NamedTuple):
    """A word of the template that becomes another one before words that begin in one of these ways."""

    word: str
    becomes: str
    starts: tuple[str, ...]


def read_rule(line: str) -> Rule:
    """Return the rule on a line. Raises RuleError for any other shape."""
    match = RULE.fullmatch(line.strip())
    starts = tuple(start.strip().casefold() for start in match["starts"].split(",") if start.strip()) if match else ()
    if match is None or not starts:
        raise RuleError(_("'%(rule)s' is not a spelling rule. Write it like s -> se before s, z, š, ž.", rule=line))
    return Rule(match["word"].casefold(), match["becomes"], starts)


def with_rules(orthography: Orthography, rules: Sequence[Rule]) -> Orthography:
    """Return a language's orthography with these rules; of several for one word the first that fits counts."""
    starts = sorted({start for rule in rules for start in rule.starts}, key=lambda start: (-len(start), start))
    before: dict[str, dict[str, str]] = {}
    for rule in rules:
        changes = before.setdefault(rule.word, {})
        for start in starts:
            if start.startswith(rule.starts):
                changes.setdefault(start, rule.becomes)
                changes.setdefault(start + PLURAL, rule.becomes)
    sounds = Sounds(tuple(SoundClass(start, re.compile(re.escape(start))) for start in starts))
    return replace(orthography, sounds=sounds, before=before)


def try_example(orthography: Orthography, text: str) -> str:
    """Return how a text comes out whose last word is filled in from the lexicon."""
    head, blank, word = text.strip().rpartition(" ")
    plain = replace(orthography, capitalise="no")
    return plain.assemble([Piece(head + blank), Piece(word, True, plain.sounds.of_text(word))])
