"""A second opinion on the labels: Dawid and Skene's model weighs annotators by how reliable they turn out to be."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Generic

import numpy as np
import numpy.typing as npt

from annotation.measures.coefficients import NO_CASE
from annotation.measures.votes import Case, Vote
from core.text import _

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]

SMALLEST = 1e-10


@dataclass(frozen=True, slots=True)
class SecondOpinion(Generic[Case]):
    """Probabilities of each label per case, and how each annotator reads each true label; empty with a reason."""

    labels: tuple[str, ...]
    probabilities: dict[Case, tuple[float, ...]] = field(default_factory=dict)
    confusion: dict[Hashable, list[list[float]]] = field(default_factory=dict)
    shares: tuple[float, ...] = ()
    rounds: int = 0
    is_settled: bool = False
    reason: str = ""

    def label_of(self, case: Case) -> str | None:
        """The likeliest label; None when the case is unknown or two labels are equally likely."""
        found = self.probabilities.get(case)
        if found is None:
            return None
        first, second = sorted(found, reverse=True)[:2]
        return None if first - second < 1e-9 else self.labels[found.index(first)]


def dawid_skene(
    votes: Iterable[Vote[Case]], *, labels: Sequence[str], rounds: int = 200, tolerance: float = 1e-9
) -> SecondOpinion[Case]:
    """Estimate true labels and annotators' confusion by expectation maximisation, starting from the vote shares.

    Empty with a reason when there is nothing to weigh: no label, one annotator only, or one label only.
    Refuses labels that are not in `labels`.
    """
    names = tuple(labels)
    cases: dict[Case, int] = {}
    annotators: dict[Hashable, int] = {}
    columns = {label: column for column, label in enumerate(names)}
    triples: list[tuple[int, int, int]] = []
    for vote in votes:
        if vote.label not in columns:
            raise ValueError(f"case {vote.case}: no label is called '{vote.label}'; known: {', '.join(names)}")
        case = cases.setdefault(vote.case, len(cases))
        triples.append((case, annotators.setdefault(vote.annotator, len(annotators)), columns[vote.label]))
    given = np.asarray(triples, dtype=np.int64).reshape(-1, 3)
    if reason := _why_undefined(given, annotators=len(annotators)):
        return SecondOpinion(names, reason=reason)
    model = _Model(given, cases=len(cases), annotators=len(annotators), labels=len(names))
    is_settled, used = False, 0
    for used in range(1, rounds + 1):  # noqa: B007
        before = model.likelihood
        model.step()
        if abs(model.likelihood - before) <= tolerance * abs(model.likelihood):
            is_settled = True
            break
    return SecondOpinion(
        names,
        probabilities={case: tuple(row) for case, row in zip(cases, model.posterior.tolist(), strict=True)},
        confusion=dict(zip(annotators, model.confusion.tolist(), strict=True)),
        shares=tuple(model.shares.tolist()),
        rounds=used,
        is_settled=is_settled,
    )


def _why_undefined(given: Places, *, annotators: int) -> str:
    if not len(given):
        return NO_CASE
    if annotators < 2:
        return _("Only one annotator has labelled, so there is no one to compare with.")
    if len(np.unique(given[:, 2])) < 2:
        return _("All labels are the same, so there is nothing to weigh.")
    return ""


class _Model:
    """The state of the estimation; every step is a handful of array operations over all labels."""

    def __init__(self, given: Places, *, cases: int, annotators: int, labels: int) -> None:
        self.case, self.annotator, self.label = given.T
        self.sizes = (cases, annotators, labels)
        votes = np.bincount(self.case * labels + self.label, minlength=cases * labels).reshape(cases, labels)
        self.posterior: Floats = votes / votes.sum(axis=1, keepdims=True)
        self.likelihood = -np.inf

    def step(self) -> None:
        self._learn_annotators()
        self._weigh_cases()

    def _learn_annotators(self) -> None:
        _, annotators, labels = self.sizes
        cell = self.annotator * labels + self.label
        seen = np.stack(
            [
                np.bincount(cell, weights=self.posterior[self.case, true], minlength=annotators * labels)
                for true in range(labels)
            ]
        ).reshape(labels, annotators, labels)
        seen = np.maximum(seen.transpose(1, 0, 2), SMALLEST)
        self.confusion: Floats = seen / seen.sum(axis=2, keepdims=True)
        self.shares: Floats = self.posterior.mean(axis=0)

    def _weigh_cases(self) -> None:
        cases, _, labels = self.sizes
        told = np.log(self.confusion)
        logs = np.stack(
            [
                np.bincount(self.case, weights=told[self.annotator, true, self.label], minlength=cases)
                for true in range(labels)
            ],
            axis=1,
        ) + np.log(np.maximum(self.shares, SMALLEST))
        top = logs.max(axis=1, keepdims=True)
        weights = np.exp(logs - top)
        totals = weights.sum(axis=1, keepdims=True)
        self.posterior = weights / totals
        self.likelihood = float((top + np.log(totals)).sum())
