"""Self-BLEU: each text's sentence BLEU against all other texts, exact and in linear time.

NLTK takes for each n-gram the largest count in any reference. With all other texts as references that is the largest
count in the whole set, or the second largest where the text itself holds the largest: so two numbers per n-gram do.
"""

import bisect
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from generation.diversity.algorithm.smoothing import LOOKS_AT_FIVE_GRAMS, SMOOTHING, Matches

Tokens = Sequence[str]


@dataclass(frozen=True, slots=True)
class SelfBleu:
    """The scores of one set: one list per order, in the order of the texts."""

    scores: dict[int, list[float]]

    def mean(self, order: int) -> float:
        """Return the mean over all texts; lower means more diverse."""
        return math.fsum(self.scores[order]) / len(self.scores[order])


def self_bleu(texts: Sequence[Tokens], *, orders: Sequence[int] = (2, 3, 4), smoothing: str = "method0") -> SelfBleu:
    """Score each tokenised text against all others, equal to NLTK's `sentence_bleu` with equal weights.

    Refuses fewer than two texts, orders below 1 and a smoothing method that NLTK does not have.
    """
    if len(texts) < 2:
        raise ValueError("self-BLEU needs at least two texts: each is compared with the others")
    if not orders or min(orders) < 1:
        raise ValueError("the order of a BLEU score is 1 or more, e.g. 2, 3, 4")
    if smoothing not in SMOOTHING:
        raise ValueError(f"no smoothing method is called '{smoothing}'; known: {', '.join(SMOOTHING)}")
    counted = set(range(1, max(orders) + 1)) | ({5} if smoothing in LOOKS_AT_FIVE_GRAMS else set())
    matched = {order: _matched_ngrams(texts, order) for order in sorted(counted)}
    penalties = _brevity_penalties([len(text) for text in texts])
    smooth = SMOOTHING[smoothing]
    scores: dict[int, list[float]] = {}
    for order in orders:
        needed = list(range(1, order + 1)) + ([5] if smoothing in LOOKS_AT_FIVE_GRAMS else [])
        rows = []
        for index, text in enumerate(texts):
            hits = [matched[n][index] for n in needed]
            if not hits[0]:
                rows.append(0.0)
                continue
            totals = [max(1, len(text) - n + 1) for n in needed]
            precisions = smooth(Matches(matched=hits, total=totals, length=len(text), order=order))
            logs = math.fsum(math.log(value) / order for value in precisions if value > 0)
            rows.append(penalties[index] * math.exp(logs))
        scores[order] = rows
    return SelfBleu(scores)


def _matched_ngrams(texts: Sequence[Tokens], order: int) -> list[int]:
    """Return for each text, how many of its n-grams occur in another text, clipped to the largest count there."""
    numbers: dict[tuple[str, ...], int] = {}
    largest: list[int] = []
    second: list[int] = []
    counts_by_text: list[list[tuple[int, int]]] = []
    for text in texts:
        grams = zip(*(text[shift:] for shift in range(order)), strict=False)
        counts = []
        for gram, count in Counter(grams).items():
            number = numbers.setdefault(gram, len(numbers))
            if number == len(largest):
                largest.append(count)
                second.append(0)
            elif count > largest[number]:
                second[number] = largest[number]
                largest[number] = count
            elif count > second[number]:
                second[number] = count
            counts.append((number, count))
        counts_by_text.append(counts)
    # A text whose count is the largest is measured against the second largest, which equals it where two texts tie.
    return [
        sum(min(count, second[number] if count == largest[number] else largest[number]) for number, count in counts)
        for counts in counts_by_text
    ]


def _brevity_penalties(lengths: Sequence[int]) -> list[float]:
    """Return NLTK's brevity penalty against the closest other length, the shorter one where two are equally close."""
    texts_of_length = Counter(lengths)
    ordered = sorted(texts_of_length)
    penalty_of: dict[int, float] = {}
    for length, texts in texts_of_length.items():
        position = bisect.bisect_left(ordered, length)
        others = (
            [length] if texts > 1 else ordered[max(0, position - 1) : position] + ordered[position + 1 : position + 2]
        )
        closest = min(others, key=lambda other: (abs(other - length), other))
        if length > closest:
            penalty_of[length] = 1.0
        else:
            penalty_of[length] = math.exp(1 - closest / length) if length else 0.0
    return [penalty_of[length] for length in lengths]
