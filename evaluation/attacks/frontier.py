"""Choosing among models: the Pareto frontier, and how attacks compare with a static suite's functionalities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.attacks.scoring import AttackScores
from evaluation.attacks.values import Name

# Which functionalities of a static suite ask the question an attack asks.
STATIC_COUNTERPARTS: Mapping[Name, tuple[str, ...]] = {
    "quo": ("counter_quote_nh", "counter_ref_nh"),
    "ident_nn": ("ident_neutral_nh", "ident_pos_nh"),
}


def pareto_frontier(models: Mapping[str, Sequence[float | None]]) -> list[str]:
    """The models that no other beats: at least as good everywhere and better somewhere. Order as given.

    A model with an undefined value is never on the frontier. Refuses models with unequal numbers of values.
    """
    if len({len(values) for values in models.values()}) > 1:
        raise ValueError("every model needs the same number of scores")
    complete = {
        name: tuple(value for value in values if value is not None)
        for name, values in models.items()
        if None not in values
    }
    return [
        name
        for name, values in complete.items()
        if not any(_dominates(other, values) for rival, other in complete.items() if rival != name)
    ]


def _dominates(first: Sequence[float], second: Sequence[float]) -> bool:
    return first != second and all(a >= b for a, b in zip(first, second, strict=True))


@dataclass(frozen=True, slots=True)
class Comparison:
    """An attack beside the static functionalities that ask the same; `static` is their accuracy by key."""

    attack: Name
    score: float | None
    static: Mapping[str, float]


def compare_with_static(scores: AttackScores, accuracy: Mapping[str, float | None]) -> list[Comparison]:
    """Quo beside counter speech, Ident beside neutral and positive group identifiers, as far as both were measured."""
    found = []
    for attack, keys in STATIC_COUNTERPARTS.items():
        static = {key: value for key in keys if (value := accuracy.get(key)) is not None}
        if attack in scores.scores and static:
            found.append(Comparison(attack, scores.scores[attack], static))
    return found
