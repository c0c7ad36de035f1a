"""The probability a language model gives to one word against another, from the log-probabilities of its first word."""

import math
from collections.abc import Mapping, Sequence

from pydantic import Field

from core.inference.descriptions import Section
from core.text import _

MOST_TOKENS = 20  # what OpenAI's protocol lists at most for a place


class Probability(Section):
    """Which words stand for the positive label and which for the other one: `{positive: ["Yes"], negative: ["No"]}`."""

    positive: list[str] = Field(min_length=1, description=_('a list of words in quotation marks, such as ["Yes"]'))
    negative: list[str] = Field(min_length=1, description=_('a list of words in quotation marks, such as ["No"]'))

    def read(self, places: Sequence[Mapping[str, float]]) -> float | None:
        """Return the share of the positive words at the first place that has a word of either list, None without one.

        `places` holds the log-probabilities by token, as the server lists them for each place of the answer.
        """
        for place in places:
            positive, negative = _mass(place, self.positive), _mass(place, self.negative)
            if positive + negative > 0:
                return positive / (positive + negative)
        return None


def _mass(place: Mapping[str, float], words: Sequence[str]) -> float:
    """Return the probability of words at a place; tokens differ in blanks and capitals."""
    plain = {word.strip().casefold() for word in words}
    return sum(math.exp(value) for token, value in place.items() if token.strip("▁Ġ \n").casefold() in plain)
