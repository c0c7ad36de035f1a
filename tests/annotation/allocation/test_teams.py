"""Team assignment: exact, level, varied, and honest about what is impossible."""

from collections import Counter
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from annotation.allocation.levelling import deal_level
from annotation.allocation.reasons import NotFeasible
from annotation.allocation.teams import allocate_team, hand_over


@st.composite
def teams(draw):
    """A team, a number of raters, and pairs that must not meet."""
    annotators = [f"annotator {n}" for n in range(draw(st.integers(1, 7)))]
    cases = list(range(draw(st.integers(0, 15))))
    raters = draw(st.integers(1, len(annotators)))
    if not cases:
        return cases, annotators, raters, set()
    pairs = st.tuples(st.sampled_from(annotators), st.sampled_from(cases))
    return cases, annotators, raters, draw(st.sets(pairs, max_size=20))


def flattest_spread(cases, annotators, raters, forbidden):
    """The smallest possible largest load by maximum flow, and the largest possible smallest load likewise."""
    from scipy.optimize import linprog

    pairs = [(a, c) for a, c in product(annotators, cases) if (a, c) not in forbidden]
    number = {pair: place for place, pair in enumerate(pairs)}
    columns = len(pairs) + 2
    equal, limits = np.zeros((len(cases), columns)), np.zeros((2 * len(annotators), columns))
    for (annotator, case), place in number.items():
        equal[cases.index(case), place] = 1
        row = annotators.index(annotator)
        limits[row, place], limits[len(annotators) + row, place] = 1, -1
    limits[: len(annotators), -2], limits[len(annotators) :, -1] = -1, 1
    best = []
    for objective in ((1, 0), (0, -1)):
        cost = np.zeros(columns)
        cost[-2:] = objective
        found = linprog(cost, limits, np.zeros(len(limits)), equal, np.full(len(cases), raters),
                        bounds=[(0, 1)] * len(pairs) + [(0, None)] * 2, integrality=np.ones(columns))  # fmt: skip
        best.append(round(abs(found.fun)))
    return best


def loads_of(allocation):
    return {annotator: len(cases) for annotator, cases in allocation.order_of.items()}


def check_exact(allocation, cases, annotators, raters, forbidden):
    assert list(allocation.annotators_of) == cases
    for case, team in allocation.annotators_of.items():
        assert len(team) == len(set(team)) == raters
        assert set(team) <= set(annotators)
        assert not any((annotator, case) in forbidden for annotator in team)
    for annotator, order in allocation.order_of.items():
        assert sorted(order) == [case for case in cases if annotator in allocation.annotators_of[case]]


@settings(max_examples=150, deadline=None)
@given(teams(), st.integers(0, 5))
def test_every_case_gets_exactly_k_distinct_people_who_may_label_it(team, seed):
    cases, annotators, raters, forbidden = team
    eligible = [sum((annotator, case) not in forbidden for annotator in annotators) for case in cases]
    if any(count < raters for count in eligible):
        with pytest.raises(NotFeasible, match="eligible annotator"):
            allocate_team(cases, annotators, raters=raters, seed=seed, forbidden=forbidden)
        return
    allocation = allocate_team(cases, annotators, raters=raters, seed=seed, forbidden=forbidden, allow_uneven=True)
    check_exact(allocation, cases, annotators, raters, forbidden)


@settings(max_examples=60, deadline=None)
@given(teams(), st.integers(0, 5))
def test_loads_are_as_level_as_any_assignment_could_make_them(team, seed):
    cases, annotators, raters, forbidden = team
    if not cases or any(sum((a, case) not in forbidden for a in annotators) < raters for case in cases):
        return
    allocation = allocate_team(cases, annotators, raters=raters, seed=seed, forbidden=forbidden, allow_uneven=True)
    loads = loads_of(allocation).values()
    assert [max(loads), min(loads)] == flattest_spread(cases, annotators, raters, forbidden)
    if max(loads) - min(loads) > 1:
        with pytest.raises(NotFeasible, match="cannot be shared evenly"):
            allocate_team(cases, annotators, raters=raters, seed=seed, forbidden=forbidden)


@settings(max_examples=50, deadline=None)
@given(st.integers(1, 9), st.integers(0, 60), st.integers(1, 9), st.integers(0, 99))
def test_loads_are_equal_within_one(annotators, cases, raters, seed):
    if raters > annotators:
        return
    loads = loads_of(allocate_team(range(cases), range(annotators), raters=raters, seed=seed))
    assert sum(loads.values()) == cases * raters
    assert max(loads.values()) - min(loads.values()) <= 1


def test_the_sets_of_annotators_vary():
    allocation = allocate_team(range(2000), range(10), raters=5, seed=1)
    sets = Counter(frozenset(team) for team in allocation.annotators_of.values())
    assert len(sets) == 252, "all sets of five out of ten should occur in 2,000 cases"
    together = Counter(frozenset((a, b)) for team in sets.elements() for a in team for b in team if a < b)
    expected = 2000 * 20 / 90
    assert all(0.8 * expected < times < 1.2 * expected for times in together.values())


def test_the_seed_decides():
    one, same, other = (allocate_team(range(50), range(8), raters=3, seed=seed) for seed in (4, 4, 5))
    assert one == same
    assert one.annotators_of != other.annotators_of


def test_nobody_meets_two_cases_of_one_template_in_a_row():
    template_of = {case: case // 7 for case in range(700)}
    allocation = allocate_team(range(700), range(10), raters=5, seed=2, template_of=template_of)
    for order in allocation.order_of.values():
        assert all(template_of[a] != template_of[b] for a, b in pairwise(order))


def test_too_small_a_team_is_refused_with_the_number_missing():
    with pytest.raises(NotFeasible, match="The team has 3 annotators, and each case needs 5"):
        allocate_team(range(10), range(3), raters=5, seed=1)


def test_somebody_who_wrote_nearly_everything_makes_equal_loads_impossible():
    forbidden = {("ana", case) for case in range(19)}
    with pytest.raises(NotFeasible, match="ana may label only 1 of 20"):
        allocate_team(range(20), ["ana", "emil", "mira"], raters=1, seed=1, forbidden=forbidden)
    uneven = allocate_team(range(20), ["ana", "emil", "mira"], raters=1, seed=1, forbidden=forbidden, allow_uneven=True)
    assert sorted(loads_of(uneven).values()) == [1, 9, 10]


@pytest.mark.parametrize(("cases", "annotators", "raters"), [([1, 1], "ab", 1), ([1, 2], "aa", 1), ([1], "ab", 0)])
def test_senseless_wishes_are_refused(cases, annotators, raters):
    with pytest.raises(NotFeasible):
        allocate_team(cases, list(annotators), raters=raters, seed=1)


@settings(max_examples=80, deadline=None)
@given(st.integers(4, 8), st.integers(1, 40), st.integers(1, 3), st.integers(0, 9), st.data())
def test_a_handover_keeps_exactly_k_distinct_people_and_every_label(annotators, cases, raters, seed, data):
    before = allocate_team(range(cases), range(annotators), raters=raters, seed=seed).annotators_of
    mine = [case for case, team in before.items() if 0 in team]
    done = {(0, case) for case in (data.draw(st.sets(st.sampled_from(mine))) if mine else ())}
    moves = hand_over(before, leaving=0, staying=range(1, annotators), done=done, seed=seed)
    assert sorted(moves) == [case for case in mine if (0, case) not in done]
    after = {case: list(team) for case, team in before.items()}
    for case, taking in moves.items():
        after[case][after[case].index(0)] = taking
    for team in after.values():
        assert len(set(team)) == raters
    assert {(0, case) for case, team in after.items() if 0 in team} == done


def test_a_newcomer_takes_over_what_is_open():
    before = allocate_team(range(100), "abcdef", raters=3, seed=1).annotators_of
    moves = hand_over(before, leaving="a", staying="bcdefg", done=[], seed=2)
    assert set(moves.values()) == {"g"}
    assert len(moves) == 50


def test_those_who_stay_share_the_open_slots_evenly():
    before = allocate_team(range(300), "abcdef", raters=3, seed=1).annotators_of
    taken = Counter(hand_over(before, leaving="a", staying="bcdef", done=[], seed=2).values())
    assert max(taken.values()) - min(taken.values()) <= 1


def test_nobody_is_handed_a_case_they_wrote():
    before = {1: ("a", "b"), 2: ("a", "c")}
    moves = hand_over(before, leaving="a", staying="bcd", done=[], seed=1, forbidden={("d", 1)})
    assert moves[1] == "c"
    assert moves[2] in "bd"


def test_a_handover_without_anybody_left_is_refused():
    with pytest.raises(NotFeasible, match="case 1 needs 1 and has 0"):
        hand_over({1: ("a", "b")}, leaving="a", staying="b", done=[], seed=1)


def test_who_leaves_cannot_stay():
    with pytest.raises(NotFeasible, match="both leaves and stays"):
        hand_over({1: ("a", "b")}, leaving="a", staying="ab", done=[], seed=1)


# Instances on which taking the least loaded person first, without levelling afterwards, nearly always goes wrong.
KNOTTY = [
    (["1010", "1011", "1011", "0101", "0010"], 1, [1, 1, 1, 2]),
    (["1110", "1110", "0111", "0111", "1011", "1110"], 2, [3, 3, 3, 3]),
    (["11100", "00100", "10100", "01010", "11111"], 1, [1, 1, 1, 1, 1]),
    (["01011", "10011", "00111", "01100", "10011"], 2, [2, 2, 2, 2, 2]),
]


@pytest.mark.parametrize(("allowed", "wanted", "loads"), KNOTTY)
def test_slots_move_along_chains_until_loads_are_level(allowed, wanted, loads):
    table = np.array([[mark == "1" for mark in row] for row in allowed])
    for seed in range(30):
        assigned = deal_level(table, wanted=wanted, loads=np.zeros(len(loads), dtype=np.int64), seed=seed)
        assert not (assigned & ~table).any()
        assert (assigned.sum(axis=1) == wanted).all()
        assert sorted(assigned.sum(axis=0).tolist()) == loads
