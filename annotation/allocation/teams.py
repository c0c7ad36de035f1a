"""Team assignment: every case gets exactly k distinct annotators, everybody the same number of cases within one."""

from collections import Counter
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

import numpy as np

from annotation.allocation.levelling import Flags, Loads, deal_level
from annotation.allocation.ordering import spread_templates
from annotation.allocation.reasons import NotFeasible, too_small_a_team
from core.text import _, ngettext

Case = TypeVar("Case", bound=Hashable)
Annotator = TypeVar("Annotator", bound=Hashable)


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
    name_case: Callable[[Case], str] = str,
    name_annotator: Callable[[Annotator], str] = str,
) -> Allocation[Case, Annotator]:
    """Give every case `raters` distinct annotators in varied sets, with equal loads within one.

    `forbidden` pairs (an annotator and a case they wrote) never meet. Refuses, with the reason: fewer annotators than
    raters, a case with too few eligible annotators, and forbidden pairs that make equal loads impossible, unless
    `allow_uneven` asks for the flattest loads there are. The same seed gives the same allocation. `name_case` and
    `name_annotator` say how the reason names them.
    """
    _refuse_cases_named_twice(cases)
    _refuse_annotators_named_twice(annotators)
    if raters < 1:
        raise NotFeasible(_("Every case needs at least one annotator. Set the labels per case to 1 or more."))
    if len(annotators) < raters:
        raise NotFeasible(too_small_a_team(len(annotators), raters=raters))
    allowed = _eligible(cases, annotators, forbidden)
    _refuse_stuck_cases(cases, allowed, raters, name_case)
    assigned = deal_level(allowed, wanted=raters, loads=np.zeros(len(annotators), dtype=np.int64), seed=seed)
    if not allow_uneven:
        _refuse_uneven(annotators, allowed, assigned.sum(axis=0), name_annotator)
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
    name_case: Callable[[Case], str] = str,
) -> dict[Case, Annotator]:
    """Say who of those who stay (or join) takes each open case of an annotator who leaves, k distinct ones per case.

    Labels already given stay; nobody else's slots move; those with the smallest load take first, so a newcomer named in
    `staying` fills up to the level of the others. Refuses when a case has nobody left who may take it.
    """
    _refuse_annotators_named_twice(staying)
    if leaving in staying:
        raise NotFeasible(
            _("Annotator %(annotator)s both leaves and stays. Name only those who stay.", annotator=str(leaving))
        )
    finished = set(done)
    orphans = [case for case, team in annotators_of.items() if leaving in team and (leaving, case) not in finished]
    if not orphans:
        return {}
    have = Counter(annotator for team in annotators_of.values() for annotator in team)
    loads: Loads = np.asarray([have[annotator] for annotator in staying], dtype=np.int64)
    taken = {(annotator, case) for case in orphans for annotator in annotators_of[case]}
    allowed = _eligible(orphans, staying, taken.union(forbidden))
    _refuse_stuck_cases(orphans, allowed, 1, name_case)
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


def _first_twice(names: Sequence[Hashable]) -> str | None:
    return next((str(name) for name, times in Counter(names).items() if times > 1), None)


def _refuse_cases_named_twice(cases: Sequence[Hashable]) -> None:
    if (twice := _first_twice(cases)) is not None:
        raise NotFeasible(_("Case %(case)s is named twice. Name each case once.", case=twice))


def _refuse_annotators_named_twice(annotators: Sequence[Hashable]) -> None:
    if (twice := _first_twice(annotators)) is not None:
        raise NotFeasible(_("Annotator %(annotator)s is named twice. Name each annotator once.", annotator=twice))


def _refuse_stuck_cases(cases: Sequence[Case], allowed: Flags, raters: int, name_case: Callable[[Case], str]) -> None:
    eligible = allowed.sum(axis=1)
    stuck = np.flatnonzero(eligible < raters)
    if len(stuck):
        first = stuck[0]
        raise NotFeasible(
            ngettext(
                "%(count)s case has too few eligible annotators: case %(case)s needs %(raters)s and has %(eligible)s. "
                "The others wrote it or have it already. Add annotators, or leave this case out.",
                "%(count)s cases have too few eligible annotators. Case %(case)s, for example, needs %(raters)s and "
                "has %(eligible)s: the others wrote it or have it already. Add annotators, or leave these cases out.",
                len(stuck),
                case=name_case(cases[first]),
                raters=raters,
                eligible=int(eligible[first]),
            )
        )


def _refuse_uneven(
    annotators: Sequence[Annotator], allowed: Flags, loads: Loads, name_annotator: Callable[[Annotator], str]
) -> None:
    if not len(loads) or loads.max() - loads.min() <= 1:
        return
    least = int(loads.argmin())
    raise NotFeasible(
        _(
            "The cases cannot be shared evenly: annotators would get from %(fewest)s to %(most)s cases, because "
            "%(annotator)s may label only %(allowed)s of %(cases)s. Choose an annotator who wrote fewer of them.",
            fewest=int(loads.min()),
            most=int(loads.max()),
            annotator=name_annotator(annotators[least]),
            allowed=int(allowed[:, least].sum()),
            cases=len(allowed),
        )
    )
