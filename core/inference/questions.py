"""How a language model is asked for the label of a text, wherever it is asked."""

import re
from collections.abc import Sequence

HATEFUL = ("hateful", "non-hateful")
HATEFUL_QUESTION = """Is the following text hateful? Hateful means: abuse directed at a protected group, or at people
because they belong to one. Answer with one word, hateful or non-hateful.

Text: {text}
Answer:"""
QUESTION = """Which of these labels fits the following text: %s? Answer with the label only.

Text: {text}
Answer:"""


def question_about(labels: Sequence[str]) -> str:
    """Return the question for these labels, in English, with {text} where the text goes."""
    return HATEFUL_QUESTION if tuple(labels) == HATEFUL else QUESTION % ", ".join(labels)


def label_pattern(labels: Sequence[str]) -> str:
    """Return a regular expression that finds the first label of an answer in its only group.

    "not hateful" names no label. Harnesses compile it themselves, so it uses no flags.
    """
    longest_first = sorted(labels, key=len, reverse=True)
    words = "|".join(_in_any_case(label) for label in longest_first)
    return rf"(?<![\w-])(?<![Nn]ot )({words})(?![\w-])"


def _in_any_case(label: str) -> str:
    """Return a pattern of the label in small and capital letters, as flags cannot be set everywhere."""
    return "".join(
        f"[{letter.upper()}{letter.lower()}]"
        if len(letter.upper()) == len(letter.lower()) == 1 and letter.upper() != letter.lower()
        else re.escape(letter)
        for letter in label
    )
