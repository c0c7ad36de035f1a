"""Team assignment: every case gets exactly k distinct annotators, everybody the same number of cases within one."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from annotation.allocation.levelling import Flags, Loads, deal_level
from annotation.allocation.ordering import spread_templates

Case = TypeVar("Case", bound=Hashable)
Annotator = TypeVar("Annotator", bound=Hashable)


class NotFeasible(ValueError):
    """The wishes contradict each other; the message says which, and what would help."""


@dataclass(frozen=True, slots=True)
class Allocation(Generic[Case, Annotator]):
    """Who labels which case, and in which order each annotator meets them."""

    annotators_of: dict[Case, tuple[Annotator, ...]]
    order_of: dict[Annotator, list[Case]]


def allocate_team(
    cases: Sequence[Case],
    annotators: Sequence[Annotator],
    *,
    raters: int,
    seed: int,
    forbidden: Collection[tuple[Annotator, Case]] = (),
    template_of: Mapping[Case, Hashable | None] | None = None,
    allow_uneven: bool = False,
) -> Allocation[Case, Annotator]:
    """Give every case `raters` distinct annotators in varied sets, with equal loads within one.

    `forbidden` pairs (an annotator and a case they wrote) never meet. Refuses, with the reason: fewer annotators than
    raters, a case with too few eligible annotators, and forbidden pairs that make equal loads impossible, unless
    `allow_uneven` asks for the flattest loads there are. The same seed gives the same allocation.
    """
    _refuse_twice(cases, "case")
    _refuse_twice(annotators, "annotator")
    if raters < 1:
        raise NotFeasible("every case needs at least one annotator; set the number of raters to 1 or more")
    if len(annotators) < raters:
        raise NotFeasible(
            f"{raters} distinct annotators per case need a team of at least {raters}, there are {len(annotators)}; "
            f"add {raters - len(annotators)} or ask for fewer labels per case"
        )
    allowed = _eligible(cases, annotators, forbidden)
    _refuse_stuck_cases(cases, allowed, raters)
    assigned = deal_level(allowed, wanted=raters, loads=np.zeros(len(annotators), dtype=np.int64), seed=seed)
    if not allow_uneven:
        _refuse_uneven(annotators, allowed, assigned.sum(axis=0))
    templates = template_of or {}
    order_of = {
        annotator: spread_templates(
            [cases[row] for row in np.flatnonzero(assigned[:, column]).tolist()],
            template_of=templates,
            seed=seed + column,
        )
        for column, annotator in enumerate(annotators)
    }
    chosen = np.nonzero(assigned)[1].reshape(len(cases), raters)
    annotators_of = {case: tuple(annotators[c] for c in row.tolist()) for case, row in zip(cases, chosen, strict=True)}
    return Allocation(annotators_of, order_of)


def hand_over(
    annotators_of: Mapping[Case, Collection[Annotator]],
    *,
    leaving: Annotator,
    staying: Sequence[Annotator],
    done: Collection[tuple[Annotator, Case]],
    seed: int,
    forbidden: Collection[tuple[Annotator, Case]] = (),
) -> dict[Case, Annotator]:
    """Say who of those who stay (or join) takes each open case of an annotator who leaves, k distinct ones per case.

    Labels already given stay; nobody else's slots move; those with the smallest load take first, so a newcomer named in
    `staying` fills up to the level of the others. Refuses when a case has nobody left who may take it.
    """
    _refuse_twice(staying, "annotator")
    if leaving in staying:
        raise NotFeasible(f"annotator {leaving} both leaves and stays; name only those who stay")
    finished = set(done)
    orphans = [case for case, team in annotators_of.items() if leaving in team and (leaving, case) not in finished]
    if not orphans:
        return {}
    have = Counter(annotator for team in annotators_of.values() for annotator in team)
    loads: Loads = np.asarray([have[annotator] for annotator in staying], dtype=np.int64)
    taken = {(annotator, case) for case in orphans for annotator in annotators_of[case]}
    allowed = _eligible(orphans, staying, taken.union(forbidden))
    _refuse_stuck_cases(orphans, allowed, 1)
    assigned = deal_level(allowed, wanted=1, loads=loads, seed=seed)
    return {case: staying[int(column)] for case, column in zip(orphans, assigned.argmax(axis=1), strict=True)}


def _eligible(
    cases: Sequence[Case], annotators: Sequence[Annotator], forbidden: Iterable[tuple[Annotator, Case]]
) -> Flags:
    rows = {case: row for row, case in enumerate(cases)}
    columns = {annotator: column for column, annotator in enumerate(annotators)}
    allowed = np.ones((len(cases), len(annotators)), dtype=bool)
    for annotator, case in forbidden:
        if annotator in columns and case in rows:
            allowed[rows[case], columns[annotator]] = False
    return allowed


def _refuse_twice(names: Sequence[Hashable], what: str) -> None:
    twice = [name for name, times in Counter(names).items() if times > 1]
    if twice:
        raise NotFeasible(f"{what} {twice[0]} is named twice; name each {what} once")


def _refuse_stuck_cases(cases: Sequence[Hashable], allowed: Flags, raters: int) -> None:
    eligible = allowed.sum(axis=1)
    stuck = np.flatnonzero(eligible < raters)
    if len(stuck):
        first = stuck[0]
        raise NotFeasible(
            f"{len(stuck)} case(s) cannot get {raters} label(s): case {cases[first]} has only {eligible[first]} "
            f"eligible annotator(s), the others wrote it or have it already; add annotators or leave these cases out"
        )


def _refuse_uneven(annotators: Sequence[Hashable], allowed: Flags, loads: Loads) -> None:
    if not len(loads) or loads.max() - loads.min() <= 1:
        return
    least = int(loads.argmin())
    raise NotFeasible(
        f"loads cannot be equal: they would range from {loads.min()} to {loads.max()}, because annotator "
        f"{annotators[least]} may label only {allowed[:, least].sum()} of {len(allowed)} cases; "
        f"take an annotator who wrote fewer of them"
    )
