"""What a model answers, and the one small interface every runner has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from core.inference.classifiers import Progress, ShouldStop

__all__ = ["Answer", "Progress", "Runner", "ShouldStop"]


@dataclass(frozen=True, slots=True)
class Answer:
    """One model's answer to one text.

    `score` is how sure the model is of the positive label (0 to 1), None where it gives none. `refusal` is a model that
    would not answer; `error` is an answer we could not use. In both cases `label` is None, never a guess.
    """

    label: str | None
    score: float | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    refusal: bool = False
    raw: str = ""
    error: str | None = None


@runtime_checkable
class Runner(Protocol):
    """Anything that labels texts. Answers come back in the order of the texts, one each."""

    def predict(
        self, texts: Sequence[str], *, progress: Progress | None = None, should_stop: ShouldStop | None = None
    ) -> list[Answer]:
        """Label every text; raises `Interrupted` (which carries the answers so far) when it cannot finish."""
        ...

    def describe(self) -> dict[str, object]:
        """The record of what answered: kind, model, fingerprint, device, packages, settings."""
        ...

    @property
    def fingerprint(self) -> str:
        """A hash over everything that decides the answers; equal fingerprints may share cached predictions."""
        ...
