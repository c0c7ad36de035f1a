"""Two models on the same cases: what they have in common, and the bootstrap over templates of macro F1."""

from __future__ import annotations

import numpy as np

from evaluation.metrics.columns import Columns, Factor, Floats, Places
from evaluation.metrics.confusion import cells
from evaluation.metrics.f1 import macro_f1
from evaluation.metrics.intervals import Bounds, bootstrap


def common_rows(first: Columns, second: Columns) -> tuple[Columns, Columns]:
    """Both models on the cases that both have, in the order of the first.

    Refuses different label sets and gold labels that differ for the same case: these are not the same cases.
    """
    if first.labels != second.labels:
        raise ValueError("the two models answer with different labels; map them to the same labels first")
    if first.cases == second.cases:
        shared_first, shared_second = first, second
    else:
        place_of = {case: place for place, case in enumerate(second.cases)}
        both = [(place, place_of[case]) for place, case in enumerate(first.cases) if case in place_of]
        places = np.asarray(both, dtype=np.int64).reshape(-1, 2)
        shared_first, shared_second = take_rows(first, places[:, 0]), take_rows(second, places[:, 1])
    unequal = np.flatnonzero(shared_first.gold != shared_second.gold)
    if len(unequal):
        case = shared_first.cases[unequal[0]]
        raise ValueError(f"case {case} has two gold labels; compare the two models on one release")
    return shared_first, shared_second


def take_rows(columns: Columns, rows: Places) -> Columns:
    """The given rows, in the given order."""
    new_place = np.full(len(columns.cases), -1)
    new_place[rows] = np.arange(len(rows))
    factors = {}
    for key, factor in columns.factors.items():
        kept = new_place[factor.rows] >= 0
        factors[key] = Factor(factor.values, new_place[factor.rows[kept]], factor.codes[kept]).only(
            np.ones(len(rows), dtype=bool)
        )
    pairs = new_place[columns.pairs]
    return Columns(
        labels=columns.labels,
        cases=tuple(columns.cases[row] for row in rows.tolist()),
        gold=columns.gold[rows],
        predicted=columns.predicted[rows],
        scores=columns.scores[rows],
        clusters=columns.clusters[rows],
        is_identity=columns.is_identity[rows],
        factors=factors,
        pairs=pairs[(pairs >= 0).all(axis=1)],
    )


def macro_f1_difference(first: Columns, second: Columns, *, seed: int, draws: int) -> Bounds | None:
    """95% interval of the difference in macro F1, first minus second; None where undefined.

    The same templates are drawn for both models, so that what is hard for both does not blur the difference.
    """
    size = len(first.labels)
    width = size * (size + 1)
    rows = np.arange(len(first.cases))
    facts = np.zeros((len(rows), 2 * width))
    facts[rows, cells(first)] = 1.0
    facts[rows, width + cells(second)] = 1.0

    def differences(sums: Floats) -> Floats:
        one = sums[:, :width].reshape(-1, size, size + 1)
        other = sums[:, width:].reshape(-1, size, size + 1)
        return (macro_f1(one) - macro_f1(other))[:, None]

    return bootstrap(facts, first.clusters, differences, seed=seed, draws=draws)[0]
