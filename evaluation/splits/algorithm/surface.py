"""What can be seen of a split without a model: shared words, length, rare words, groups, sources, telling words."""

import math
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from evaluation.attacks.algorithm.tokens import words_of

RARE_BELOW = 3.0  # on the Zipf scale: fewer than one use in a million words
FEWER_THAN, AT_LEAST = 0.5, 0.03  # of the occurrences in training, of the data: appendix E.1 of the paper
STOP_WORDS = 150
ROWS_AT_ONCE = 256
# An unknown language, a code that is none, and one that wordfreq needs a further package to take apart.
NO_WORD_LIST = (LookupError, ValueError, ModuleNotFoundError)


@lru_cache(maxsize=16)
def stop_words(language: str) -> frozenset[str]:
    """Return the commonest words of a language; none where no word list knows the language."""
    from wordfreq import top_n_list

    try:
        return frozenset(top_n_list(language, STOP_WORDS))
    except NO_WORD_LIST:
        return frozenset()


def unigram_overlap(train: Sequence[str], test: Sequence[str], *, language: str = "en") -> float | None:
    """The mean over test texts of the cosine with the most similar training text, on word counts without stop words.

    Test texts without any word left count as 0. None when a side is empty.
    """
    if not train or not test:
        return None
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.preprocessing import normalize

    ignored = stop_words(language)
    vectorizer = CountVectorizer(analyzer=lambda text: [word for word in words_of(text) if word not in ignored])
    try:
        known = normalize(vectorizer.fit_transform(train)).T.tocsc()
    except ValueError:  # no training text has a word left
        return None
    # Words the training texts lack must still make the test vector longer, or unseen words would raise the overlap.
    counts = vectorizer.transform(test)
    lengths = [
        math.sqrt(
            sum(number * number for number in Counter(word for word in words_of(text) if word not in ignored).values())
        )
        for text in test
    ]
    nearest: list[float] = []
    for start in range(0, len(test), ROWS_AT_ONCE):
        best = (counts[start : start + ROWS_AT_ONCE] @ known).max(axis=1).toarray().ravel()
        nearest += [
            float(value) / length if length else 0.0
            for value, length in zip(best, lengths[start : start + ROWS_AT_ONCE], strict=True)
        ]
    return float(np.mean(nearest))


def mean_length(texts: Sequence[str]) -> float | None:
    """Return the mean number of characters; None without a text."""
    return sum(map(len, texts)) / len(texts) if texts else None


def rare_word_share(texts: Sequence[str], *, language: str = "en") -> float | None:
    """Return the share of known words used less than once in a million; None without a word or a list of words.

    Words that the list does not know are left out: misspelt and made-up ones are not rare words.
    Languages written without blanks have none: what stands for words there (see `words_of`) is in no list.
    """
    from wordfreq import zipf_frequency

    words = Counter(word for text in texts for word in words_of(text))
    try:
        found = [(zipf_frequency(word, language), count) for word, count in words.items()]
    except NO_WORD_LIST:
        return None
    known = sum(count for frequency, count in found if frequency)
    return sum(count for frequency, count in found if 0 < frequency < RARE_BELOW) / known if known else None


def under_represented(train: Sequence[Collection[str]], test: Sequence[Collection[str]]) -> dict[str, float]:
    """Return values (groups, keywords) with fewer than half of their occurrences in training, rarest first.

    Each comes with the share of its occurrences that is in training. A value of fewer than 3 % of the examples is left
    out: chance decides where it falls.
    """
    before, after = (Counter(value for row in rows for value in set(row)) for rows in (train, test))
    fewest = AT_LEAST * (len(train) + len(test))
    shares = {value: before[value] / count for value, count in (before + after).items() if count >= fewest}
    return dict(sorted(((v, s) for v, s in shares.items() if s < FEWER_THAN), key=lambda pair: (pair[1], pair[0])))


def source_divergence(train: Sequence[str], test: Sequence[str]) -> float | None:
    """Kullback-Leibler divergence of the test sources from the training sources, scaled to 0..1 by 1 - e^-x.

    None without examples. A source only the test set has makes the divergence infinite, so the value 1.
    """
    if not train or not test:
        return None
    before, after = Counter(train), Counter(test)
    total = 0.0
    for source, count in after.items():
        if not before[source]:
            return 1.0
        total += count / len(test) * math.log(count / len(test) * len(train) / before[source])
    return 1 - math.exp(-max(0.0, total))


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
