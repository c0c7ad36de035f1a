"""Rows turned into arrays once, so that ten models over 36,582 cases share the work."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from core.statistics.intervals import Flags, Floats, Places


@dataclass(frozen=True, slots=True)
class Row:
    """A case, its gold label, the prediction, and the keys by which results are sliced.

    `predicted` is None where the model gave no answer (a refusal, an error): counted apart and as wrong. `score` is the
    model's score for the positive label. Empty keys take no part in their slice. `template` groups cases that are not
    independent; `refers_to` names the case that this one perturbs or contrasts. Cases with the same `contrast_set`
    differ minimally, and `perturbation_set` says how each differs from the original. `votes` is the share of annotators
    who chose the positive label, None where there were none.
    """

    case: str
    gold: str
    predicted: str | None
    score: float | None = None
    functionality: str = ""
    functionality_class: str = ""
    language: str = ""
    targets: tuple[str, ...] = ()
    is_identity_template: bool = False
    direction: str = ""
    focus_word: str = ""
    origin: str = ""
    agreement: str = ""
    template: str | None = None
    refers_to: str | None = None
    contrast_set: str = ""
    perturbation_set: str = ""
    votes: float | None = None


def said_by_annotators(labels: Sequence[str], *, gold: str, positive: str) -> dict[str, Any]:
    """Return what follows from the labels annotators gave: how many chose gold, and the share of the positive one."""
    if not labels:
        return {"agreement": "", "votes": None}
    agreement = f"{sum(label == gold for label in labels)} of {len(labels)}"
    return {"agreement": agreement, "votes": sum(label == positive for label in labels) / len(labels)}


UNANSWERED = -1
SETS = ("contrast_set", "perturbation_set")
KEYS = ("functionality", "functionality_class", "language", "direction", "focus_word", "origin", "agreement", *SETS)


@dataclass(frozen=True, slots=True)
class Factor:
    """A key of the rows: which rows have which value. A row may have several values (targets) or none."""

    values: tuple[str, ...]
    rows: Places
    codes: Places

    def only(self, keep: Flags) -> Factor:
        """Return the same key over the rows for which `keep` is true; values without a row are dropped."""
        chosen = keep[self.rows]
        codes = self.codes[chosen]
        used = np.unique(codes)
        return Factor(tuple(self.values[code] for code in used), self.rows[chosen], np.searchsorted(used, codes))


@dataclass(frozen=True, slots=True)
class Columns:
    """All rows of one model as arrays. Labels are positions in `labels`, -1 for no answer; missing numbers are NaN."""

    labels: tuple[str, ...]
    cases: tuple[str, ...]
    gold: Places
    predicted: Places
    scores: Floats
    votes: Floats
    clusters: Places
    is_identity: Flags
    factors: dict[str, Factor]
    pairs: Places

    @classmethod
    def of(cls, rows: Iterable[Row], *, labels: Sequence[str]) -> Columns:
        """Turn rows into arrays. Refuses a case named twice and labels that are not in `labels`."""
        rows = list(rows)
        names = tuple(labels)
        cases = tuple(row.case for row in rows)
        places = {case: place for place, case in enumerate(cases)}
        if len(places) != len(cases):
            twice = next(case for place, case in enumerate(cases) if places[case] != place)
            raise ValueError(f"case {twice} is named twice; give each case one prediction")
        factors = {key: _factor([(getattr(row, key),) for row in rows]) for key in KEYS}
        factors["target"] = _factor([row.targets for row in rows])
        # A template key is only unique inside its language; a case without one stands for itself.
        clusters = _numbers([(row.language, row.template) if row.template else (None, row.case) for row in rows])
        linked = [(places[row.refers_to], place) for place, row in enumerate(rows) if row.refers_to in places]
        return cls(
            labels=names,
            cases=cases,
            gold=_label_places([row.gold for row in rows], names, cases, "gold label"),
            predicted=_label_places([row.predicted for row in rows], names, cases, "predicted label"),
            scores=_numbers_or_nan([row.score for row in rows]),
            votes=_numbers_or_nan([row.votes for row in rows]),
            clusters=clusters,
            is_identity=np.fromiter((row.is_identity_template for row in rows), bool, len(rows)),
            factors=factors,
            pairs=np.asarray(linked, dtype=np.int64).reshape(-1, 2),
        )

    @property
    def is_correct(self) -> Flags:
        return np.equal(self.gold, self.predicted)


def _label_places(given: Sequence[str | None], labels: tuple[str, ...], cases: tuple[str, ...], what: str) -> Places:
    places: dict[str | None, int] = {label: place for place, label in enumerate(labels)}
    if what == "predicted label":
        places[None] = UNANSWERED
    try:
        return np.fromiter((places[label] for label in given), np.int64, len(given))
    except KeyError:
        row = next(place for place, label in enumerate(given) if label not in places)
        raise ValueError(
            f"case {cases[row]}: the {what} '{given[row]}' is unknown; known: {', '.join(labels)}"
        ) from None


def _numbers_or_nan(given: Sequence[float | None]) -> Floats:
    return np.fromiter((np.nan if number is None else number for number in given), float, len(given))


def _factor(values_of_rows: Sequence[tuple[str, ...]]) -> Factor:
    numbers: dict[str, int] = {}
    rows: list[int] = []
    codes: list[int] = []
    for row, values in enumerate(values_of_rows):
        for value in values:
            if value:
                rows.append(row)
                codes.append(numbers.setdefault(value, len(numbers)))
    return Factor(tuple(numbers), np.asarray(rows, dtype=np.int64), np.asarray(codes, dtype=np.int64))


def _numbers(keys: Sequence[Hashable]) -> Places:
    numbers: dict[Hashable, int] = {}
    return np.fromiter((numbers.setdefault(key, len(numbers)) for key in keys), np.int64, len(keys))
