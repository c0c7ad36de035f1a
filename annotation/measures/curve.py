"""Kappa over time, from the labels themselves: no point is missing because nobody was looking."""

from collections.abc import Hashable, Sequence
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from annotation.measures.coefficients import fleiss_kappa

Moment = TypeVar("Moment")


class GivenLabel(NamedTuple, Generic[Moment]):
    """A label that counts now, and when it was given."""

    case: Hashable
    label: str
    time: Moment


class Point(NamedTuple, Generic[Moment]):
    """Kappa of all labels given until then; None where it was undefined."""

    time: Moment
    labels: int
    kappa: float | None


def kappa_curve(given: Sequence[GivenLabel[Moment]], *, labels: Sequence[str], points: int = 30) -> list[Point[Moment]]:
    """At most so many points, evenly over the labels, which come in the order of time.

    Labels of one moment (those of an imported file) are never torn apart.
    """
    columns = {label: number for number, label in enumerate(labels)}
    rows: dict[Hashable, int] = {}
    at_row = np.fromiter((rows.setdefault(one.case, len(rows)) for one in given), np.int64, len(given))
    at_column = np.fromiter((columns[one.label] for one in given), np.int64, len(given))
    counts = np.zeros((len(rows), len(labels)), dtype=np.int64)
    found, start = [], 0
    for end in _ends(given, points):
        np.add.at(counts, (at_row[start:end], at_column[start:end]), 1)
        found.append(Point(given[end - 1].time, end, fleiss_kappa(counts).value))
        start = end
    return found


def _ends(given: Sequence[GivenLabel[Moment]], points: int) -> list[int]:
    """How many labels each point covers."""
    ends: list[int] = []
    for number in range(1, points + 1):
        end = len(given) * number // points
        while 0 < end < len(given) and given[end].time == given[end - 1].time:
            end += 1
        if end and (not ends or end > ends[-1]):
            ends.append(end)
    return ends
