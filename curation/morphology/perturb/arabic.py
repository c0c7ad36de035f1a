"""Arabic: digits for letters, accepted alternative spellings."""

from random import Random

import regex

from core.text import _
from curation.morphology.perturb.base import NotApplicable, Passage, Span, first_change, in_script, shuffled

# The digits with which people who type in Latin letters write Arabic sounds that Latin letters lack.
DIGITS = {"ح": "7", "خ": "5", "ع": "3", "ط": "6", "ص": "9", "ء": "2", "أ": "2", "ؤ": "2", "ئ": "2"}

# Alternative spellings that readers accept, each as (pattern, replacement) within one word.
VARIATIONS = tuple(
    (regex.compile(pattern), new)
    for pattern, new in (
        (r"ة$", "ه"),  # final ta marbuta written as ha
        (r"(?<=\p{L}{2})ي$", "ى"),  # final ya without its dots, as usual in Egypt
        (r"ى$", "ي"),
        (r"^[أإآ]", "ا"),  # hamza left out
        (r"(?<=^ال)[أإآ]", "ا"),
        (r"ؤ", "و"),
        (r"ئ", "ي"),
        (r"(?<=\p{L}{2})ا$", "ى"),  # final alif written as alif maqsura
        (r"(?<=\p{L}{3})ت$", "ة"),
        (r"^ا(?!ل)", "أ"),  # hamza put in
        (r"ث", "ت"),  # as it is spoken
        (r"ذ", "د"),
        (r"ظ", "ض"),
    )
)


def replace_by_digits(passage: Passage, random: Random) -> str:
    """Write one Arabic letter as a digit wherever it occurs: 7 for ح, 5 for خ, 3 for ع."""
    words = [span for span in passage.words() if in_script(span.text, "Arabic")]
    focused = [span for span in words if passage.is_focus(span)]
    present = sorted({letter for span in focused for letter in span.text if letter in DIGITS})
    present = present or sorted({letter for span in words for letter in span.text if letter in DIGITS})
    if not present:
        raise NotApplicable(_("the text has none of the letters %(letters)s", letters=list(DIGITS)))
    letter = random.choice(present)
    text = passage.text
    for span in words:  # one letter for one digit, so positions stay
        text = text[: span.start] + span.text.replace(letter, DIGITS[letter]) + text[span.end :]
    return text


def vary_word(passage: Passage, random: Random) -> str:
    """Write one word in another spelling that readers accept: حاجه for حاجة, انى for انا."""

    def change(span: Span) -> str | None:
        fitting = [rule for rule in VARIATIONS if rule[0].search(span.text)]
        if not fitting:
            return None
        pattern, new = random.choice(fitting)
        return str(pattern.sub(new, span.text, count=1))

    words = [span for span in passage.words() if in_script(span.text, "Arabic")]
    spans = shuffled(words, passage, random, long=3)
    return first_change(spans, passage, change, missing=_("no word has another accepted spelling"))
