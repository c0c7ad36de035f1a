"""Blanks left out between words, and put between letters."""

from random import Random

import regex

from core.text import _
from curation.morphology.perturb.base import (
    NotApplicable,
    Passage,
    Span,
    first_change,
    graphemes,
    in_script,
    same_letters,
    shuffled,
)
from curation.morphology.perturb.mandarin import FUNCTION_CHARACTERS

BOUNDARY = regex.compile(r"(?<=[\p{L}\p{M}\p{Nd}\]}])[ \t\u00a0]+(?=[\p{L}\p{Nd}\[{])")
NEIGHBOURHOOD = 20  # characters, more than any letter with its marks has
SHORTEST_TO_SPREAD = 3
SHORTEST_HAN_TO_SPREAD = 2
CONTENT = rf"[^{''.join(sorted(FUNCTION_CHARACTERS))}]+"


def delete_space(passage: Passage, random: Random) -> str:
    """Leave out the blank between two words: 'Ihate'; next to a focus word if there is one."""
    blanks = [Span(match.start(), match.end(), match[0]) for match in BOUNDARY.finditer(passage.text)]
    blanks = [blank for blank in blanks if _keeps_letters(passage, blank)]
    if not blanks:
        raise NotApplicable(_("no two words are separated by a space"))
    focused = [
        blank
        for blank in blanks
        for word in passage.words()
        if passage.is_focus(word) and blank.start in (word.end, word.start - len(blank.text))
    ]
    return passage.replace(random.choice(focused or blanks), "")


def _keeps_letters(passage: Passage, blank: Span) -> bool:
    """Tell whether the letters around the blank stay apart; the parts of a Korean syllable would melt into one."""
    before = passage.text[max(0, blank.start - NEIGHBOURHOOD) : blank.start]
    after = passage.text[blank.end : blank.end + NEIGHBOURHOOD]
    return same_letters([*graphemes(before), *graphemes(after)], before + after)


def add_spaces(passage: Passage, random: Random) -> str:
    """Put a blank between all letters of a word: 'h a t e'."""

    def change(span: Span) -> str | None:
        letters = graphemes(span.text)
        shortest = SHORTEST_HAN_TO_SPREAD if in_script(span.text, "Han") else SHORTEST_TO_SPREAD
        return " ".join(letters) if len(letters) >= shortest else None

    spans = [part for word in passage.words() for part in _parts(word, passage)]
    missing = _("no word has three letters or more")
    return first_change(shuffled(spans, passage, random, long=2), passage, change, missing=missing)


def _parts(word: Span, passage: Passage) -> list[Span]:
    """Chinese has no blanks between words: what stands between function characters will do, and the focus by itself."""
    if not in_script(word.text, "Han"):
        return [word]
    patterns = [*(regex.escape(focus) for focus in passage.focus if focus), CONTENT]
    return [
        Span(word.start + match.start(), word.start + match.end(), match[0])
        for pattern in patterns
        for match in regex.finditer(pattern, word.text)
    ]
