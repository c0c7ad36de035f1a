"""What latent splits are compared with: a random split, and one with the least likely examples in the test set."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import log

import numpy as np

from core.text import _
from evaluation.attacks.algorithm.tokens import words_of
from evaluation.splits.algorithm.values import draw_stratified


def choose_at_random(labels: Sequence[str], targets: Mapping[str, int], *, seed: int) -> list[int]:
    """Return a random test set with exactly the wanted number of each class."""
    return draw_stratified(labels, dict(targets), seed=seed, purpose="random")


def choose_least_likely(labels: Sequence[str], targets: Mapping[str, int], *, scores: Sequence[float]) -> list[int]:
    """In each class the examples with the lowest log-likelihood; ties in the order of the data.

    Refuses scores that are not one finite number per example.
    """
    if len(scores) != len(labels):
        raise ValueError(f"{len(scores)} likelihoods for {len(labels)} examples")
    if not np.isfinite(np.asarray(scores, dtype=np.float64)).all():
        raise ValueError(_("A likelihood is not a finite number."))
    chosen: list[int] = []
    for name, wanted in targets.items():
        members = [row for row, label in enumerate(labels) if label == name]
        chosen += sorted(members, key=lambda row: (scores[row], row))[:wanted]
    return sorted(chosen)


def bigram_scores(texts: Sequence[str]) -> list[float]:
    """The mean log-likelihood per word under a word-pair model of the data, each text left out of its own counts.

    It stands in where no language model is at hand; a text without words gets the lowest score of all.
    """
    tokens = [["", *words_of(text)] for text in texts]
    single = Counter(word for words in tokens for word in words)
    pairs = Counter(pair for words in tokens for pair in pairwise(words))
    size, total = len(single) + 1, single.total()
    scores: list[float | None] = []
    for words in tokens:
        own, own_pairs = Counter(words), Counter(pairwise(words))
        logs = []
        for before, word in pairwise(words):
            alone = (single[word] - own[word] + 1) / (total - len(words) + size)
            context = single[before] - own[before]
            seen = pairs[before, word] - own_pairs[before, word]
            # Mixing with the single word keeps unseen pairs of common words likelier than unseen words.
            logs.append(log((seen + 5 * alone) / (context + 5)))
        scores.append(sum(logs) / len(logs) if logs else None)
    known = [score for score in scores if score is not None]
    lowest = min(known, default=0.0) - 1.0
    return [lowest if score is None else score for score in scores]
