"""Arabizi: Arabic as it is typed in Latin letters and digits."""

from random import Random

import regex

from core.text import _
from curation.morphology.perturb.base import NotApplicable, Passage, in_script

CONSONANTS = {
    "ب": "b", "ت": "t", "ث": "th", "ج": "g", "ح": "7", "د": "d", "ذ": "z", "ر": "r", "ز": "z", "س": "s", "ش": "sh",
    "ص": "s", "ض": "d", "ط": "t", "ظ": "z", "ع": "3", "غ": "gh", "ف": "f", "ك": "k", "ل": "l", "م": "m", "ن": "n",
    "ه": "h", "ء": "2", "ؤ": "2", "ئ": "2", "پ": "p", "چ": "ch", "ڤ": "v", "گ": "g",
}  # fmt: skip
# People differ in how they type these; one text keeps to one habit.
HABITS = {"خ": ("5", "kh"), "ق": ("2", "k", "q"), "ش": ("sh", "4"), "غ": ("gh", "8")}
MARKS = {"َ": "a", "ُ": "o", "ِ": "e", "ً": "an", "ٌ": "on", "ٍ": "en", "ّ": "", "ْ": "", "ـ": "", "ٰ": "a"}
SHADDA = "ّ"
SIGNS = {"،": ",", "؛": ";", "؟": "?", "٪": "%", **{chr(0x660 + digit): str(digit) for digit in range(10)}}
ARABIC_RUN = regex.compile(r"[\p{Script=Arabic}\p{M}ـ،؛؟٪]+")
ARTICLE = regex.compile(r"^ال(?=\p{L}{2})")


def arabizi(passage: Passage, random: Random) -> str:
    """Return the whole text in Latin letters and digits, as in chats; placeholders stay as they are."""
    if not any(in_script(run.text, "Arabic") for run in passage.open_runs()):
        raise NotApplicable(_("the text has no Arabic letters"))
    habit = {letter: random.choice(choices) for letter, choices in sorted(HABITS.items())}
    parts, place = [], 0
    for run in passage.open_runs():
        parts += [
            passage.text[place : run.start],
            ARABIC_RUN.sub(lambda match: _transliterate(match[0], habit), run.text),
        ]
        place = run.end
    return "".join([*parts, passage.text[place:]])


def _transliterate(run: str, habit: dict[str, str]) -> str:
    words = regex.split(r"([،؛؟٪]+)", run)
    return "".join(_word(word, habit) for word in words)


def _word(word: str, habit: dict[str, str]) -> str:
    article = ARTICLE.match(word)
    if article:
        return "el " + _letters(word[article.end() :], habit)
    if word == "ال":  # before a placeholder
        return "el "
    return _letters(word, habit)


def _letters(word: str, habit: dict[str, str]) -> str:
    out: list[str] = []
    consonant = -1
    for place, letter in enumerate(word):
        before = word[place - 1] if place else ""
        is_last = place == len(word) - 1
        if letter in SIGNS:
            out.append(SIGNS[letter])
        elif letter in habit:
            out.append(habit[letter])
        elif letter in CONSONANTS:
            out.append(CONSONANTS[letter])
        elif letter == SHADDA and consonant >= 0:
            out[consonant] *= 2  # a short vowel may stand between the consonant and its mark
            continue
        elif letter in MARKS:
            out.append(MARKS[letter])
            continue
        elif letter in "اىةٱآ":
            out.append("a")
        elif letter in "أإ":
            out.append(("a" if letter == "أ" else "e") if place == 0 else "2a" if letter == "أ" else "2e")
        elif letter == "و":
            out.append("w" if place == 0 or before in "اأآى" else "o")
        elif letter == "ي":
            out.append("y" if place == 0 or is_last or before in "اأآوى" else "e")
        else:
            out.append("" if regex.match(r"\p{M}", letter) else letter)
        consonant = len(out) - 1
    return "".join(out)
