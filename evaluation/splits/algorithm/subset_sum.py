"""Whole clusters whose class counts come as near to a target as possible, without exceeding it in any class.

The clusters are dealt into two halves and all sums of each half that fit are listed. Two sums that make up the target
are found by looking up what is missing; if there are none, the same is asked for one example less, two less, and so on,
so the first answer is the best one. Where that takes too long, an integer program goes on from what is already ruled
out, with a limit on its work, and says how far from the optimum its answer may be.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evaluation.splits.algorithm.half_sums import (
    HalfSums,
    Integers,
    best_pair,
    exact_pair,
    list_sums,
    strides_for,
    ways_to_miss,
)

MOST_PAIRS = 4_000_000
MOST_LOOKUPS = 60_000_000


@dataclass(frozen=True, slots=True)
class Selection:
    """Clusters to take whole. `missing` examples are still to be found to reach the target.

    `bound` is the smallest number missing that may be possible: the choice is proven optimal where the two are equal.
    """

    clusters: tuple[int, ...]
    counts: tuple[int, ...]
    missing: int
    bound: int

    @property
    def is_optimal(self) -> bool:
        return self.bound == self.missing

    @property
    def gap(self) -> int:
        """How many examples a better choice could at most add."""
        return self.missing - self.bound


@dataclass(frozen=True, slots=True)
class _Problem:
    table: Integers
    goal: Integers
    order: Integers

    @property
    def least(self) -> int:
        """No choice can miss fewer than this: all usable clusters together."""
        reachable = np.minimum(self.table[self.order].sum(axis=0), self.goal)
        return int((self.goal - reachable).sum())

    def selection(self, clusters: Sequence[int], bound: int | None = None) -> Selection:
        counts = self.table[list(clusters)].sum(axis=0)
        missing = int((self.goal - counts).sum())
        return Selection(
            tuple(sorted(clusters)), tuple(int(value) for value in counts), missing, missing if bound is None else bound
        )


def select_clusters(
    counts: Sequence[Sequence[int]] | Integers,
    target: Sequence[int],
    *,
    better_than: int | None = None,
    work_limit: float = 20.0,
) -> Selection | None:
    """Return the best choice of clusters for a target, given each cluster's number of examples per class.

    None when it is proven that no choice misses fewer than `better_than` examples. Refuses negative counts and clusters
    with another number of classes than the target. `work_limit` bounds the integer program in its own units, about a
    second each, that do not depend on the machine's load, so the answer is the same each time.
    """
    goal = np.asarray(target, dtype=np.int64)
    table = (
        np.asarray(counts, dtype=np.int64).reshape(-1, len(goal)) if len(counts) == 0 else np.asarray(counts, np.int64)
    )
    if not len(goal) or table.ndim != 2 or table.shape[1] != len(goal):
        raise ValueError(f"every cluster needs {len(goal)} counts, one per class of the target")
    if (table < 0).any() or (goal < 0).any():
        raise ValueError("counts and targets cannot be negative")
    usable = np.flatnonzero((table <= goal).all(axis=1) & (table.sum(axis=1) > 0))
    problem = _Problem(table, goal, usable[np.argsort(-table[usable].sum(axis=1), kind="stable")])
    if better_than is not None and problem.least >= better_than:
        return None
    found = _solve(problem, better_than, work_limit)
    is_no_better = found is not None and better_than is not None and found.bound >= better_than
    return None if is_no_better else found


def _solve(problem: _Problem, better_than: int | None, work_limit: float) -> Selection | None:
    strides = strides_for(problem.goal)
    # Largest first and dealt out in turn: both halves get large and small clusters, so both lists stay short.
    halves = [
        None if strides is None else list_sums(problem.table, problem.order[start::2], problem.goal, strides)
        for start in (0, 1)
    ]
    first, second = halves
    if strides is None or first is None or second is None:
        return _by_integer_program(problem, problem.least, work_limit)
    if len(first.keys) * len(second.keys) <= MOST_PAIRS:
        return _chosen(problem, first, second, best_pair(first, second, problem.goal))
    if len(first.keys) > len(second.keys):
        first, second = second, first
    worst = int(problem.goal.sum()) if better_than is None else better_than - 1
    lookups = 0
    for missing in range(problem.least, worst + 1):
        for gaps in ways_to_miss(missing, problem.goal):
            pair = exact_pair(first, second, int((problem.goal - np.array(gaps)) @ strides))
            if pair is not None:
                return _chosen(problem, first, second, pair)
            lookups += len(first.keys)
        if lookups > MOST_LOOKUPS:
            return _by_integer_program(problem, missing + 1, work_limit)
    return None


def _chosen(problem: _Problem, first: HalfSums, second: HalfSums, pair: tuple[int, int]) -> Selection:
    return problem.selection([*first.members(pair[0]), *second.members(pair[1])])


def _by_integer_program(problem: _Problem, bound: int, work_limit: float) -> Selection:
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    takes = [model.new_bool_var(f"cluster {cluster}") for cluster in problem.order]
    for position, value in enumerate(problem.goal):
        sizes = [int(problem.table[cluster, position]) for cluster in problem.order]
        model.add(cp_model.LinearExpr.weighted_sum(takes, sizes) <= int(value))
    totals = [int(problem.table[cluster].sum()) for cluster in problem.order]
    goal = int(problem.goal.sum())
    taken = cp_model.LinearExpr.weighted_sum(takes, totals)
    model.add(taken <= goal - bound)
    model.maximize(taken)
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    solver.parameters.random_seed = 0
    solver.parameters.max_deterministic_time = work_limit
    status = solver.solve(model)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return problem.selection([], bound)
    clusters = [int(cluster) for cluster, take in zip(problem.order, takes, strict=True) if solver.boolean_value(take)]
    return problem.selection(clusters, max(bound, goal - math.floor(solver.best_objective_bound + 1e-6)))
