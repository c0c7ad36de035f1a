"""Natural-language inference with any sequence-classification model: how far does a premise entail a hypothesis?"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic

from core.inference.classifiers import Files, PartialLogits, Progress, SequenceClassifier, ShouldStop
from core.inference.errors import ModelUnusable
from core.inference.settings import Dtype, InferenceSettings
from core.text import _

if TYPE_CHECKING:
    import numpy as np

CONTRADICTION, ENTAILMENT = 0, 1
BEGINNINGS = (("contradict", "not_entail", "non_entail"), ("entail",))


def find_classes(names: Sequence[str]) -> tuple[int, int]:
    """Return which outputs of a model mean contradiction and entailment, by their names.

    A model with the single pair "entailment" / "not_entailment" counts. Refuses a model that lacks one of the two.
    """
    plain = [name.lower().replace("-", "_").replace(" ", "_") for name in names]
    found = [
        next((place for place, name in enumerate(plain) if name.startswith(beginnings)), None)
        for beginnings in BEGINNINGS
    ]
    contradiction, entailment = found
    if contradiction is None or entailment is None:
        raise ModelUnusable(
            _(
                "this is not a model of entailment: its classes are %(classes)s, and one has to begin with "
                "'entail' and one with 'contradict'. Choose a model that was trained for natural-language inference.",
                classes=list(names),
            )
        )
    return contradiction, entailment


class EntailmentScorer(Generic[Files]):
    """Scores pairs of premise and hypothesis with a model whose files were found. Refuses what tells no entailment."""

    def __init__(self, files: Files, *, settings: InferenceSettings, dtype: Dtype | None = None) -> None:
        self.classifier = SequenceClassifier(files, settings=settings, dtype=dtype or settings.dtype)
        self._columns = find_classes(self.classifier.class_names)

    def logits(
        self,
        premises: Sequence[str],
        hypotheses: Sequence[str],
        *,
        progress: Progress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> np.ndarray[Any, Any]:
        """Return the logits of contradiction and entailment per pair, in this order; NaN for pairs not reached."""
        import numpy as np

        try:
            rows = self.classifier.logits(premises, pairs=hypotheses, progress=progress, should_stop=should_stop)
        except PartialLogits as partial:
            rows = partial.rows
        return rows[:, self._columns].astype(np.float64)

    def score(
        self,
        pairs: Sequence[tuple[str, str]],
        *,
        on_progress: Callable[[int, int], None] = lambda done, total: None,
        should_stop: Callable[[], bool] = lambda: False,
    ) -> list[float | None]:
        """Return how far each premise entails its hypothesis, between 0 and 1; None for pairs not reached.

        The score is the softmax over entailment and contradiction alone, as in GPT-HateCheck.
        """
        if not pairs:
            return []
        premises, hypotheses = zip(*pairs, strict=True)
        rows = self.logits(premises, hypotheses, progress=on_progress, should_stop=should_stop)
        return [None if row[0] != row[0] else share for row, share in zip(rows, entailed_shares(rows), strict=True)]


def entailed_shares(rows: np.ndarray[Any, Any]) -> list[float]:
    """Return the softmax of the last column of each row."""
    import numpy as np

    shares = np.exp(rows - rows.max(axis=1, keepdims=True))
    return [float(share) for share in shares[:, -1] / shares.sum(axis=1)]
