"""Which words a training set ties to a class: the largest weights of a logistic regression on word counts."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

from core.text import _
from evaluation.attacks.algorithm.lexicons import without_offensive
from evaluation.attacks.algorithm.parameters import AttackParameters
from evaluation.attacks.algorithm.tokens import has_hashtag, words_of

TOLERANCE = 1e-4
MOST_STEPS = 1000


def logistic_weights(rows: Sequence[Sequence[int]], positive: Sequence[bool], *, columns: int) -> list[float]:
    """Return the weight of each column. A row lists the columns it counts, one that occurs twice twice.

    The same as scikit-learn's `LogisticRegression(C=1)`, without the second and a half that importing it takes: L2
    penalty, free intercept, L-BFGS from zero, same tolerance.

    Refuses rows and labels of unequal number.
    """
    import numpy
    from scipy.optimize import minimize
    from scipy.special import expit

    if len(rows) != len(positive):
        raise ValueError(f"{len(rows)} rows but {len(positive)} labels")
    lengths = numpy.fromiter(map(len, rows), dtype=numpy.intp, count=len(rows))
    row_of = numpy.repeat(numpy.arange(len(rows)), lengths)
    column_of = numpy.fromiter((column for row in rows for column in row), dtype=numpy.intp, count=int(lengths.sum()))
    labels = numpy.asarray(positive, dtype=float)
    penalty = 1 / len(rows)

    def loss_and_gradient(weights: Any) -> tuple[float, Any]:
        coefficients, intercept = weights[:-1], weights[-1]
        raw = numpy.bincount(row_of, weights=coefficients[column_of], minlength=len(rows)) + intercept
        loss = (numpy.logaddexp(0, raw) - labels * raw).mean() + penalty / 2 * coefficients @ coefficients
        surprise = (expit(raw) - labels) / len(rows)
        gradient = numpy.empty_like(weights)
        gradient[:-1] = numpy.bincount(column_of, weights=surprise[row_of], minlength=columns)
        gradient[:-1] += penalty * coefficients
        gradient[-1] = surprise.sum()
        return float(loss), gradient

    options = {"maxiter": MOST_STEPS, "maxls": 50, "gtol": TOLERANCE, "ftol": 64 * numpy.finfo(float).eps}
    start = numpy.zeros(columns + 1)
    found: Any = minimize(loss_and_gradient, start, method="L-BFGS-B", jac=True, options=options)
    return [float(weight) for weight in found.x[:-1]]


@dataclass(frozen=True, slots=True)
class AssociatedWords:
    """Words tied to the abusive and to the non-abusive class, strongest first, ready to be appended."""

    abusive: tuple[str, ...]
    non_abusive: tuple[str, ...]


def find_associated_words(
    posts: Sequence[str], abusive: Sequence[bool], *, parameters: AttackParameters
) -> AssociatedWords:
    """Return the words of each class by the rules of the recipe; offensive lemmas never stand in the abusive list.

    Hashtags do not count when the abusive list's dictionary is built. Refuses posts and labels of unequal number and
    training data that lacks one of the two classes.
    """
    if len(posts) != len(abusive):
        raise ValueError(f"{len(posts)} posts but {len(abusive)} labels")
    if len(set(abusive)) < 2:
        raise ValueError(_("The training data needs posts of both classes, abusive and harmless."))
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
        raise ValueError(_("The training posts contain no words."))
    rows = [[columns[token] for token in post_tokens if token in columns] for post_tokens in tokens]
    weights = logistic_weights(rows, abusive, columns=len(words))
    return sorted(zip(weights, words, strict=True), key=_strongest_first)


def _strongest_first(pair: tuple[float, str]) -> tuple[float, str]:
    # Rounded, so that weights equal but for the last bits are ordered by the word on every machine.
    return -round(pair[0], 6), pair[1]


def most_frequent(tokens: Sequence[Sequence[str]], size: int | None) -> tuple[list[str], dict[str, int]]:
    """Return the `size` most frequent words, or all (ties in alphabetical order), and the column of each."""
    frequency = Counter(chain.from_iterable(tokens))
    words = sorted(frequency, key=lambda word: (-frequency[word], word))[:size]
    return words, {word: column for column, word in enumerate(words)}
