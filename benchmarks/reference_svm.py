"""The paper's reference model for attacks: linear support vector machines on word counts.

As in the paper there is one machine per abusive class (hate speech against the rest, offensive against the rest), and a
post is abusive when any of them says so. One machine for abusive against not is right on 95 % of Davidson's test posts
instead of 91 to 92 %, but that is not what the published row measured.
"""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from evaluation.attacks.algorithm.parameters import Punctuation
from evaluation.attacks.algorithm.tokens import words_of


@dataclass(frozen=True, slots=True)
class LinearModel:
    """A fitted reference model: one machine per abusive class over shared word counts."""

    vectorizer: Any
    machines: tuple[Any, ...]

    def predict(self, posts: Sequence[str]) -> list[bool]:
        """Whether each post is abusive."""
        if not posts:
            return []
        counts = self.vectorizer.transform(posts)
        answers = [machine.predict(counts) for machine in self.machines]
        return [any(row) for row in zip(*answers, strict=True)]


def train_linear(
    posts: Sequence[str],
    labels: Sequence[str],
    *,
    abusive: Collection[str],
    dictionary_size: int | None = 1500,
    punctuation: Punctuation = "blank",
) -> LinearModel:
    """Fit the reference on the most frequent words (None: all of them), one machine per label in `abusive`.

    Refuses an abusive label that no post carries and data in which every post is abusive.
    """
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.svm import LinearSVC

    missing = sorted(set(abusive) - set(labels))
    if missing or not abusive:
        raise ValueError(f"no post is labelled {', '.join(missing) or 'abusive'}")
    if set(labels) <= set(abusive):
        raise ValueError("the training data needs posts that are not abusive")
    read = partial(words_of, punctuation=punctuation)
    # Counted here, the first seen first: CountVectorizer takes equally frequent words as the machine happens to sort.
    frequency = Counter(word for post in posts for word in read(post))
    words = sorted(word for word, _ in frequency.most_common(dictionary_size))
    vectorizer = CountVectorizer(analyzer=read, vocabulary=words)
    counts = vectorizer.transform(posts)
    machines = tuple(
        LinearSVC(C=1.0, loss="hinge", max_iter=20000, random_state=0).fit(counts, [label == name for label in labels])
        for name in sorted(abusive)
    )
    return LinearModel(vectorizer, machines)
