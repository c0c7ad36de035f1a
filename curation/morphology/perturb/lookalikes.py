"""Letters replaced by what looks like them: digits (leet), letters of another script, emoji."""

import unicodedata
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Any

import regex

from core.text import _
from curation.morphology.perturb.base import NotApplicable, Passage, Span, first_change, graphemes, in_script, shuffled

LEET = {"a": "4", "b": "8", "e": "3", "g": "9", "i": "1", "l": "1", "o": "0", "s": "5", "t": "7", "z": "2"}
EMOJI_LETTERS = {"a": "🅰️", "b": "🅱️", "i": "ℹ️", "m": "Ⓜ️", "o": "⭕", "p": "🅿️", "t": "✝️", "v": "♈", "x": "❌"}
EMOJI_BETWEEN = ("👏", "❗", "🔥", "💯", "🤡")
# Arabic has look-alikes within its own script: the letters that Persian and Urdu write instead.
ARABIC_TWINS = {"ك": ("ک",), "ي": ("ی",), "ى": ("ی",), "ه": ("ہ", "ە")}
GAP = regex.compile(r"(?<=[\p{L}\p{M}\p{Nd}])[ \t]+(?=[\p{L}\p{Nd}])")


def leet(passage: Passage, random: Random) -> str:
    """Write one letter of a word, or two of a long one, as digits that look alike: 'h4te'."""

    def change(span: Span) -> str | None:
        return _replace_some(span.text, LEET, random, at_most=1 if len(span.text) < 8 else 2)

    missing = _("no word has one of the letters %(letters)s", letters=list(LEET))
    return first_change(shuffled(passage.words(), passage, random), passage, change, missing=missing)


def homoglyphs(passage: Passage, random: Random) -> str:
    """Replace one letter of a word by one of another script that looks the same: Cyrillic 'а' for Latin 'a'."""

    def change(span: Span) -> str | None:
        letters = graphemes(span.text)
        places = [place for place, letter in enumerate(letters) if _twins(letter)]
        if not places:
            return None
        place = random.choice(places)
        return "".join([*letters[:place], random.choice(_twins(letters[place])), *letters[place + 1 :]])

    spans = shuffled(passage.words(), passage, random)
    return first_change(spans, passage, change, missing=_("no letter has a look-alike in another script"))


def emoji(passage: Passage, random: Random) -> str:
    """Latin letters become emoji that look like them, or an emoji stands between the words."""
    words = shuffled((span for span in passage.words() if in_script(span.text, "Latin")), passage, random)
    for span in words:
        new = _replace_some(span.text, EMOJI_LETTERS, random, at_most=1)
        if new is not None:
            return passage.replace(span, new)
    return _emoji_between(passage, random)


def _emoji_between(passage: Passage, random: Random) -> str:
    sign = random.choice(EMOJI_BETWEEN)
    parts, place, found = [], 0, False
    for run in passage.open_runs():
        spaced = GAP.sub(f" {sign} ", run.text)
        if spaced == run.text and in_script(run.text, "Han"):
            spaced = regex.sub(r"(?<=\p{Script=Han})(?=\p{Script=Han})", sign, run.text)
        found |= spaced != run.text
        parts += [passage.text[place : run.start], spaced]
        place = run.end
    if not found:
        raise NotApplicable(_("there are no two words to put an emoji between"))
    return "".join([*parts, passage.text[place:]])


def _replace_some(word: str, table: Mapping[str, str], random: Random, *, at_most: int) -> str | None:
    letters = graphemes(word)
    places = [place for place, letter in enumerate(letters) if _base(letter) in table]
    if not places:
        return None
    for place in random.sample(places, min(at_most, len(places))):
        letters[place] = table[_base(letters[place])]
    return "".join(letters)


def _base(grapheme: str) -> str:
    """Return the letter without its marks, in small letters."""
    return unicodedata.normalize("NFD", grapheme)[:1].lower()


@cache
def _twins(letter: str) -> Sequence[str]:
    if letter in ARABIC_TWINS:
        return ARABIC_TWINS[letter]
    if len(letter) != 1 or not regex.match(r"[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}]", letter):
        return ()
    return tuple(
        twin
        for twin in _tables().get_combinations(letter)
        if len(twin) == 1
        and twin != letter
        and twin.isupper() == letter.isupper()
        and regex.match(r"[\p{Ll}\p{Lu}]", twin)
        and _script(twin) not in ("", _script(letter))
        and twin not in "σҽ"  # listed by Unicode as confusable, but plain to see
    )


@cache
def _script(letter: str) -> str:
    return next((name for name in ("Latin", "Cyrillic", "Greek") if in_script(letter, name)), "")


@cache
def _tables() -> Any:
    from homoglyphs import Homoglyphs

    return Homoglyphs(categories=("LATIN", "CYRILLIC", "GREEK"))
