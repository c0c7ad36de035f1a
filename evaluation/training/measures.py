"""How well a trained model does on rows it has not seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict


class Scores(TypedDict):
    """Held-out scores; `f1_by_class` lists the classes that occur in gold or prediction."""

    n: int
    accuracy: float
    micro_f1: float
    macro_f1: float
    f1_by_class: dict[str, float]


def score_labels(gold: Sequence[str], predicted: Sequence[str]) -> Scores:
    """Accuracy, micro and macro F1 and the F1 of each class. Refuses to measure nothing."""
    if not gold:
        raise ValueError("there are no rows to measure on")
    from sklearn.metrics import accuracy_score, f1_score

    names = sorted({*gold, *predicted})
    by_class = f1_score(gold, predicted, labels=names, average=None, zero_division=0.0)
    return Scores(
        n=len(gold),
        accuracy=float(accuracy_score(gold, predicted)),
        micro_f1=float(f1_score(gold, predicted, average="micro", zero_division=0.0)),
        macro_f1=float(f1_score(gold, predicted, average="macro", zero_division=0.0)),
        f1_by_class={name: float(value) for name, value in zip(names, by_class, strict=True)},
    )
