"""Which words a training set ties to a class: the largest weights of a logistic regression on word counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

from evaluation.attacks.lexicons import without_offensive
from evaluation.attacks.logistic import logistic_weights
from evaluation.attacks.parameters import AttackParameters
from evaluation.attacks.tokens import has_hashtag, words_of


@dataclass(frozen=True, slots=True)
class AssociatedWords:
    """Words tied to the abusive and to the non-abusive class, strongest first, ready to be appended."""

    abusive: tuple[str, ...]
    non_abusive: tuple[str, ...]


def find_associated_words(
    posts: Sequence[str], abusive: Sequence[bool], *, parameters: AttackParameters
) -> AssociatedWords:
    """The words of each class by the rules of the recipe; offensive lemmas never stand in the abusive list.

    Hashtags do not count when the abusive list's dictionary is built. Refuses posts and labels of unequal number and
    training data that lacks one of the two classes.
    """
    if len(posts) != len(abusive):
        raise ValueError(f"{len(posts)} posts but {len(abusive)} labels")
    if len(set(abusive)) < 2:
        raise ValueError("the training data needs posts of both classes, abusive and not")
    punctuation = parameters.rules.punctuation
    all_tokens = [words_of(post, punctuation=punctuation) for post in posts]
    # Only posts with a hashtag read differently without hashtags: the others are not taken apart twice.
    plain_tokens = [
        words_of(post, hashtags=False, punctuation=punctuation) if has_hashtag(post) else tokens
        for post, tokens in zip(posts, all_tokens, strict=True)
    ]
    with_hashtags = _ranked(all_tokens, abusive, parameters.dictionary)
    without_hashtags = _ranked(plain_tokens, abusive, parameters.dictionary)
    one_sided = parameters.rules.only_words_of_the_class
    friendly = [word for weight, word in reversed(with_hashtags) if weight < 0 or not one_sided]
    hostile = [word for weight, word in without_hashtags if weight > 0 or not one_sided]
    return AssociatedWords(
        abusive=_cut_and_filter(hostile, parameters),
        non_abusive=tuple(friendly[: parameters.words]),
    )


def _cut_and_filter(words: list[str], parameters: AttackParameters) -> tuple[str, ...]:
    if parameters.rules.cut_before_filter:
        words = words[: parameters.words]
    kept = without_offensive(words, lexicon=parameters.lexicon, language=parameters.language)
    return tuple(kept[: parameters.words])


def _ranked(
    tokens: Sequence[Sequence[str]], abusive: Sequence[bool], dictionary_size: int | None
) -> list[tuple[float, str]]:
    words, columns = most_frequent(tokens, dictionary_size)
    if not words:
        raise ValueError("the training posts hold no word")
    rows = [[columns[token] for token in post_tokens if token in columns] for post_tokens in tokens]
    weights = logistic_weights(rows, abusive, columns=len(words))
    return sorted(zip(weights, words, strict=True), key=_strongest_first)


def _strongest_first(pair: tuple[float, str]) -> tuple[float, str]:
    # Rounded, so that weights equal but for the last bits are ordered by the word on every machine.
    return -round(pair[0], 6), pair[1]


def most_frequent(tokens: Sequence[Sequence[str]], size: int | None) -> tuple[list[str], dict[str, int]]:
    """The `size` most frequent words, or all (ties in alphabetical order), and the column of each."""
    frequency = Counter(chain.from_iterable(tokens))
    words = sorted(frequency, key=lambda word: (-frequency[word], word))[:size]
    return words, {word: column for column, word in enumerate(words)}
