"""Deal slots to annotators so that loads are as level as eligibility allows."""

from collections import deque
from itertools import pairwise

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]
Loads = npt.NDArray[np.int64]


def deal_level(allowed: Flags, *, wanted: int, loads: Loads, seed: int) -> Flags:
    """Give every case (row) `wanted` distinct annotators (columns) among the allowed ones, loads as level as possible.

    `loads` is what annotators already have. The result is optimal: no other choice has a flatter set of loads. Needs at
    least `wanted` allowed annotators in every row, which the caller has checked.
    """
    generator = np.random.default_rng(seed)
    loads = loads.copy()
    assigned = np.zeros_like(allowed)
    # The hardest cases first, so that the free ones can even out what they leave; random among equals.
    order = np.lexsort((generator.random(len(allowed)), allowed.sum(axis=1)))
    is_open = bool(allowed.all())
    for case in order:
        rank = loads + generator.random(len(loads))
        if not is_open:
            rank[~allowed[case]] = np.inf
        chosen = np.argpartition(rank, wanted - 1)[:wanted]
        assigned[case, chosen] = True
        loads[chosen] += 1
    _flatten(assigned, allowed, loads)
    return assigned


def _flatten(assigned: Flags, allowed: Flags, loads: Loads) -> None:
    """Move slots along chains of annotators until no chain ends at someone with two slots fewer.

    This is the optimality test of a flow with convex costs: while it finds a chain, the loads get flatter.
    """
    if not len(loads) or loads.max() - loads.min() < 2:
        return
    movable = assigned.T.astype(np.float32) @ (allowed & ~assigned).astype(np.float32)
    while chain := _levelling_chain(movable, loads):
        for giver, taker in pairwise(chain):
            case = int(np.flatnonzero(assigned[:, giver] & allowed[:, taker] & ~assigned[:, taker])[0])
            movable -= np.outer(assigned[case], allowed[case] & ~assigned[case])
            assigned[case, giver], assigned[case, taker] = False, True
            movable += np.outer(assigned[case], allowed[case] & ~assigned[case])
        loads[chain[0]] -= 1
        loads[chain[-1]] += 1


def _levelling_chain(movable: npt.NDArray[np.float32], loads: Loads) -> list[int]:
    """Annotators from a loaded one to one with at least two slots fewer, each able to pass a case to the next."""
    for source in np.argsort(-loads, kind="stable"):
        if loads[source] - loads.min() < 2:
            return []
        came_from = {int(source): -1}
        waiting = deque([int(source)])
        while waiting:
            giver = waiting.popleft()
            for taker in np.flatnonzero(movable[giver] > 0.5):
                if int(taker) in came_from:
                    continue
                came_from[int(taker)] = giver
                if loads[source] - loads[taker] >= 2:
                    return _walk_back(came_from, int(taker))
                waiting.append(int(taker))
    return []


def _walk_back(came_from: dict[int, int], end: int) -> list[int]:
    chain = [end]
    while came_from[chain[-1]] >= 0:
        chain.append(came_from[chain[-1]])
    return chain[::-1]
