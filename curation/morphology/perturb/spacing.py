"""Blanks left out between words, and put between letters."""

from __future__ import annotations

from random import Random

import regex

from curation.morphology.perturb.base import NotApplicable, Passage, Span, first_change, graphemes, shuffled

BOUNDARY = regex.compile(r"(?<=[\p{L}\p{M}\p{Nd}\]}])[ \t\u00a0]+(?=[\p{L}\p{Nd}\[{])")
SHORTEST_TO_SPREAD = 3


def delete_space(passage: Passage, random: Random) -> str:
    """The blank between two words is left out: 'Ihate'. Next to a focus word if there is one."""
    blanks = [Span(*match.span(), match[0]) for match in BOUNDARY.finditer(passage.text)]
    if not blanks:
        raise NotApplicable("no two words are separated by a blank")
    focused = [
        blank
        for blank in blanks
        for word in passage.words()
        if passage.is_focus(word) and blank.start in (word.end, word.start - len(blank.text))
    ]
    return passage.replace(random.choice(focused or blanks), "")


def add_spaces(passage: Passage, random: Random) -> str:
    """A blank stands between all letters of a word: 'h a t e'."""

    def change(span: Span) -> str | None:
        letters = graphemes(span.text)
        return " ".join(letters) if len(letters) >= SHORTEST_TO_SPREAD else None

    return first_change(
        shuffled(passage.words(), passage, random), passage, change, missing="no word has three letters or more"
    )
