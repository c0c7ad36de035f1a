"""Class-based TF-IDF: the words that set one group of texts (a cluster, a test set) apart from the others."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.attacks.tokens import words_of
from evaluation.splits.surface import stop_words


@dataclass(frozen=True, slots=True)
class Topic:
    """One group of texts: its name, size, and most telling words with their weight."""

    name: str
    size: int
    words: tuple[tuple[str, float], ...]


def find_topics(
    texts: Sequence[str], groups: Sequence[str], *, language: str = "en", words: int = 10, fewest: int = 2
) -> list[Topic]:
    """The topic of each group, by name. A word's weight is its share in the group times log(1 + mean / frequency).

    Words used fewer than `fewest` times in all are left out. Refuses unequal numbers of texts and groups.
    """
    if len(texts) != len(groups):
        raise ValueError(f"{len(texts)} texts but {len(groups)} groups")
    ignored = stop_words(language)
    by_group: dict[str, Counter[str]] = {name: Counter() for name in sorted(set(groups))}
    sizes = Counter(groups)
    for text, name in zip(texts, groups, strict=True):
        by_group[name].update(word for word in words_of(text) if word not in ignored)
    frequency: Counter[str] = Counter()
    for counts in by_group.values():
        frequency.update(counts)
    mean = frequency.total() / len(by_group) if by_group else 0.0
    topics = []
    for name, counts in by_group.items():
        total = counts.total() or 1
        weights = {
            word: count / total * math.log(1 + mean / frequency[word])
            for word, count in counts.items()
            if frequency[word] >= fewest
        }
        best = sorted(weights.items(), key=lambda pair: (-pair[1], pair[0]))[:words]
        topics.append(Topic(name, sizes[name], tuple(best)))
    return topics
